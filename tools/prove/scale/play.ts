/** Plays a day against the parts, second by second, as a fluid that their rates let through. */
import { MIX } from '../cost/month.ts'
import { CYCLE_SECONDS, CYCLES, playMarket } from './day.ts'
import type { Design } from './design.ts'
import { PLATFORM } from './platform.ts'
import { ShardDay } from './shard-day.ts'

/** What a day brings. */
export interface Load {
  seed: number
  webhooks: number
  /** A day, on average. */
  deliveries: number
  /** Public reads a second. */
  reads: number
}

/** The worst so far, in one database where nothing else is said. */
export interface Peaks {
  /** Open deliveries, of all databases. */
  open: number
  /** Deliveries of one cycle, of all databases. */
  change: number
  /** Seconds from a change to the last first attempt that it brought. */
  lastArrival: number
  /** Milliseconds that a query from outside waits. */
  wait: number
}

export type Played = ReturnType<typeof play>

export const DAY_SECONDS = CYCLES * CYCLE_SECONDS

const PEAKS = ['open', 'change', 'lastArrival', 'wait'] as const satisfies (keyof Peaks)[]

/** Of each second, the time that date reads take of the thread of the deliveries' database. */
export function readMsOf({ reads }: Load, { readsApart }: Design): number {
  return readsApart ? 0 : reads * MIX.date * PLATFORM.readMs
}

/** Webhooks are spread by a hash, so each database has an equal part, and one is played for all. */
export function play(load: Load, design: Design) {
  const cycles = playMarket(load)
  const shard = new ShardDay(design)
  const readMs = readMsOf(load, design)
  const history = {
    open: new Float64Array(DAY_SECONDS),
    change: new Float64Array(DAY_SECONDS),
    lastArrival: new Float64Array(DAY_SECONDS),
    wait: new Float64Array(DAY_SECONDS),
  }
  const peaks: Peaks = { open: 0, change: 0, lastArrival: 0, wait: 0 }

  for (let second = 0; second < DAY_SECONDS; second += 1) {
    if (second % CYCLE_SECONDS === 0) {
      const { deliveries } = cycles[second / CYCLE_SECONDS]!
      peaks.change = Math.max(peaks.change, deliveries)
      shard.change(second, deliveries / design.databases)
    }
    peaks.open = Math.max(peaks.open, shard.open * design.databases)
    shard.play(second, readMs)
    peaks.lastArrival = shard.lastArrival
    peaks.wait = shard.wait
    for (const peak of PEAKS) history[peak][second] = peaks[peak]
  }

  return {
    load,
    design,
    /** Deliveries of the day, of all databases. */
    made: cycles.reduce((sum, { deliveries }) => sum + deliveries, 0),
    peaks,
    /** Rows past their seven days that the end of the day leaves in each database. */
    unpruned: shard.unpruned,
    /** Of each database's thread, over the whole day. */
    busyShare: shard.busyMs / (DAY_SECONDS * 1000),
    /** The worst until the end of a second of the day. */
    peaksAt: (second: number): Peaks => ({
      open: history.open[second]!,
      change: history.change[second]!,
      lastArrival: history.lastArrival[second]!,
      wait: history.wait[second]!,
    }),
  }
}
