import type { Pair } from '../../../shared/market/catalog.ts'
import type { Observation } from './series.ts'
import { type ReplaySource, spanOf } from './simulate.ts'
import { askedOf, CYCLE_MS, type Timetables } from './timetable.ts'

/**
 * A source with what was read of it: each new value at the cycle that first read it. What it
 * said while nobody asked is nobody's delay.
 */
export function readBy(pair: Pair, source: ReplaySource, timetable: Timetables): ReplaySource {
  if (!source.rhythm) return source

  const { isAsked } = askedOf(pair, source, timetable)
  const { start, end } = spanOf([source])
  const observations: Observation[] = []
  let known = 0
  for (let now = start; now <= end; now += CYCLE_MS) {
    if (!isAsked(now)) continue

    const before = known
    while ((source.observations[known]?.at ?? Infinity) <= now) known += 1
    if (known > before) observations.push({ ...source.observations[known - 1]!, at: now })
  }
  return { ...source, observations }
}
