import { HOUR_MS, type Instant, MINUTE_MS } from '../../../shared/argentine-time.ts'
import type { Pair } from '../../../shared/market/catalog.ts'
import { isOpen, pairRhythm, type PairRhythm } from '../../../shared/market/market-hours.ts'

export const CYCLE_MS = 5 * MINUTE_MS

/** The cycles in which something is asked. */
export interface Timetable {
  /** Whether it is asked in the cycle of this instant. */
  isAsked(now: Instant): boolean
}

/** Asked in every cycle, at any hour. */
export const ALWAYS_ASKED: Timetable = { isAsked: () => true }

/**
 * The cycles in which the service asks a source that never fails: once at the start, and in its
 * hours whenever its interval is over. Catching up is for sources that failed, and none does here.
 */
export function timetableOf(rhythm: PairRhythm, start: Instant, end: Instant): Timetable {
  const asked = new Uint8Array(Math.floor((end - start) / CYCLE_MS) + 1)
  let last = -Infinity
  for (let index = 0; index < asked.length; index += 1) {
    const now = start + index * CYCLE_MS
    if (now - last < rhythm.everyMinutes * MINUTE_MS) continue
    if (last !== -Infinity && !isOpen(rhythm.hours, now)) continue

    asked[index] = 1
    last = now
  }
  return { isAsked: (now) => asked[Math.round((now - start) / CYCLE_MS)] === 1 }
}

export type Timetables = (rhythm: PairRhythm) => Timetable

/**
 * When a source of a pair is asked: at its own rhythm, in the cycles in which the pair has its
 * turn. Always when the source has no rhythm.
 */
export function askedOf(
  pair: Pair,
  { rhythm }: { rhythm?: PairRhythm },
  timetable: Timetables | undefined,
): Timetable {
  if (!rhythm || !timetable) return ALWAYS_ASKED

  const own = timetable(rhythm)
  const turn = timetable(pairRhythm(pair))
  return { isAsked: (now) => turn.isAsked(now) && own.isAsked(now) }
}

/** Timetables of one span, each made once: rhythms are few and pairs many. */
export function timetables(start: Instant, end: Instant): Timetables {
  const made = new Map<string, Timetable>()
  return (rhythm) => {
    const key = JSON.stringify(rhythm)
    const known = made.get(key) ?? timetableOf(rhythm, start, end)
    made.set(key, known)
    return known
  }
}

/** A longer pause between two cycles is a night or a holiday: no time of the pair. */
const LONGEST_PAUSE_MS = HOUR_MS

/** What a pause between two cycles of a pair counts for. */
export function askedPause(pause: number): number {
  return pause <= LONGEST_PAUSE_MS ? pause : 0
}
