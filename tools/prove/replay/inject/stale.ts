/**
 * A stale value is wrong once another source has moved by a usual step since it began, and the
 * honest readings of all sources lie a usual step away from it. What lies between them, or a hair
 * outside, is a matter of definition; and while nobody but the stopped source moved, nothing tells.
 */
import { type Instant, MINUTE_MS } from '../../../../shared/argentine-time.ts'
import { firstIndex } from '../../../support/first-index.ts'
import type { ReplaySource } from '../simulate.ts'
import { CYCLE_MS } from '../timetable.ts'
import type { Sides } from './kinds.ts'
import { type Honest, readingAt } from './market.ts'

/** The longest that a reader may be shown a value that others have left. */
export const KEPT_MINUTES = 30

/** Honest readings further apart than this contradict each other: nobody knows which is right. */
const DISPUTED = 0.03

const RIGHT = 0.01

/** How far a sell lies outside the honest readings of an instant, as a logarithm; 0 between them. */
export function outside(honest: Honest, sell: number, now: Instant): number {
  const readings = honest.sources.flatMap(
    ({ observations }) => readingAt(observations, now)?.sell ?? [],
  )
  if (readings.length === 0) return 0

  return Math.max(0, Math.log(sell / Math.max(...readings)), Math.log(Math.min(...readings) / sell))
}

/** Whether a value that stopped at `from` was left: another source moved, and it lies outside. */
export function isLeft(
  honest: Honest,
  { faulted, from, sell }: { faulted: string; from: Instant; sell: number },
  now: Instant,
): boolean {
  if (outside(honest, sell, now) <= honest.usual) return false

  return honest.sources.some(({ name, observations }) => {
    const then = readingAt(observations, from)
    const reading = readingAt(observations, now)
    if (name === faulted || !then || !reading) return false
    return Math.abs(Math.log(reading.sell / then.sell)) >= honest.usual
  })
}

/** Whether no other honest reading is far away. */
export function isUndisputed({ sources }: Honest, reading: Sides, now: Instant): boolean {
  return sources.every(({ observations }) => {
    const other = readingAt(observations, now)
    return !other || Math.abs(Math.log(other.sell / reading.sell)) <= DISPUTED
  })
}

/** As near to the honest readings as this, the value in effect is right. */
export function rightWithin({ usual }: Honest): number {
  return Math.max(RIGHT, usual)
}

/** Whether a source that stops at `from` is left behind for long enough that it matters. */
export function isWorthTrying(
  honest: Honest,
  faulted: ReplaySource,
  from: Instant,
  until: Instant,
): boolean {
  const stale = readingAt(faulted.observations, from)
  if (!stale) return false

  const minutes = faulted.rhythm?.everyMinutes ?? CYCLE_MS / MINUTE_MS
  let left = 0
  const { instants } = honest
  const first = firstIndex(instants.length, (index) => instants[index]! >= from)
  for (let index = first; index < instants.length && left <= KEPT_MINUTES; index += 1) {
    const now = instants[index]!
    if (now >= until) return false
    const since = { faulted: faulted.name, from, sell: stale.sell }
    left = isLeft(honest, since, now) ? left + minutes : 0
  }
  return left > KEPT_MINUTES
}
