/** Plays the cycles of a day against the parts: what a cycle brings joins what the one before left. */
import { sum } from 'simple-statistics'
import { MIX } from '../cost/month.ts'
import { RETRIES } from '../cost/operations.ts'
import { CYCLE_SECONDS, playMarket } from './day.ts'
import type { Design } from './design.ts'
import {
  ATTEMPT_MS,
  HINTS_OF_RUN,
  HINTS_PER_SECOND,
  MADE_MS,
  PLATFORM,
  sentPerSecond,
  waitBehindRuns,
} from './parts.ts'

/** What a day brings. */
export interface Load {
  webhooks: number
  /** A day, on average. */
  deliveries: number
  /** Public reads a second. */
  reads: number
}

export type Played = ReturnType<typeof play>

/** Milliseconds of each second that date reads take of the thread of the deliveries' database. */
export function readMsOf({ reads }: Load, { readsApart }: Design): number {
  return readsApart ? 0 : reads * MIX.date * PLATFORM.readMs
}

/** Webhooks are spread by a hash, so each database has an equal part, and one is played for all. */
export function play(load: Load, design: Design) {
  const { databases, slice, consumers } = design
  const cycles = playMarket(load).map(({ deliveries }) => deliveries)
  const attemptMs = Math.max(ATTEMPT_MS, 1000 / sentPerSecond(consumers), 1000 / HINTS_PER_SECOND)
  const makeMs = MADE_MS + (slice === null ? 0 : PLATFORM.writeMs / slice)
  const busyMs = Math.max(1, 1000 - readMsOf(load, design))
  const secondsEach = (makeMs + (1 + RETRIES) * attemptMs) / busyMs

  /** The greatest of the day: open deliveries of all databases, and milliseconds that a query waits. */
  const peaks = { change: Math.max(...cycles), open: 0, lastArrival: 0, wait: 0 }
  let left = 0
  for (const deliveries of cycles) {
    const change = deliveries / databases
    const open = left + change
    const behindRuns = waitBehindRuns(Math.min(consumers, open / HINTS_OF_RUN))
    // Hints go out after the one batch, but between slices.
    const wait =
      slice === null ? Math.max(change * MADE_MS, behindRuns) : slice * MADE_MS + behindRuns
    peaks.open = Math.max(peaks.open, open * databases)
    peaks.lastArrival = Math.max(peaks.lastArrival, open * secondsEach)
    peaks.wait = Math.max(peaks.wait, wait)
    left = Math.max(0, open - CYCLE_SECONDS / secondsEach)
  }
  return { load, design, made: sum(cycles), peaks }
}
