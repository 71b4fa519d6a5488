/** The limits that a day may pass, and the smallest load that passes each. */
import { SECOND_MS } from '../../../shared/argentine-time.ts'
import { RETENTION_MS } from '../../../shared/db/deliveries/open.ts'
import { MIX } from '../cost/month.ts'
import { RETRIES } from '../cost/operations.ts'
import { firstIndex } from '../../support/first-index.ts'
import { CYCLE_SECONDS } from './day.ts'
import type { Design } from './design.ts'
import {
  ATTEMPT_MS,
  DELIVERY_BYTES,
  HINT_BYTES,
  MADE_MS,
  PRUNED_MS,
  ROUND_TRIPS_PER_SECOND,
  WEBHOOK_BYTES,
} from './parts.ts'
import { DAY_SECONDS, type Load, type Peaks, play, type Played, readMsOf } from './play.ts'
import { PLATFORM } from './platform.ts'

export interface Limit {
  what: string
  allowed: (played: Played) => string
  /** How much of it is used when the worst is this: more than 1 is past it. */
  used: (peaks: Peaks, played: Played) => number
  /** Whether it is a queue, which a little more load may fill at once; others grow with the load. */
  isQueue?: true
  /** Whether more load uses no more of it. */
  isBounded?: (design: Design) => boolean
  /** Days of such load until it is passed, where one day does not decide. */
  daysUntil?: (played: Played) => number
}

/** A second is long for a reader; no limit of the platform. */
const WAIT_MS = 1000

const RETENTION_DAYS = RETENTION_MS / SECOND_MS / DAY_SECONDS

const isSliced = ({ slice }: Design) => slice !== null

/** Rows that one transaction of a database makes of the largest change. */
const atOnce = ({ change }: Peaks, { design: { databases, slice } }: Played) =>
  Math.min(change / databases, slice ?? Infinity)

export const LIMITS: readonly Limit[] = [
  {
    what: 'a change leaves webhooks out, which get a sync later: DELIVERY_CAPACITY',
    allowed: ({ design }) => `${design.capacity.toLocaleString('en')} open`,
    used: ({ open }, { design }) => open / design.capacity,
    isQueue: true,
  },
  {
    what: 'the sweeper deletes fewer rows than are made, and the table grows without end',
    allowed: ({ design: { prunedAMinute } }) =>
      prunedAMinute === null ? 'as many as are due' : `${prunedAMinute} a minute`,
    used: (_, { made, design: { prunedAMinute, databases } }) =>
      prunedAMinute === null ? 0 : made / databases / (prunedAMinute * 24 * 60),
    daysUntil: () => RETENTION_DAYS,
  },
  {
    what: 'the database of deliveries is full: seven days of them, and the webhooks',
    allowed: () => `${PLATFORM.databaseBytes / 1e9} GB each`,
    used: (_, played) => bytesOf(played, RETENTION_DAYS) / PLATFORM.databaseBytes,
    daysUntil: (played) =>
      (PLATFORM.databaseBytes - bytesOf(played, 0)) / (bytesOf(played, 1) - bytesOf(played, 0)),
  },
  {
    what: 'the batch that records a change takes too long, and its cycle is lost',
    allowed: () => `${PLATFORM.batchSeconds} s`,
    used: (peaks, played) => (atOnce(peaks, played) * MADE_MS) / 1000 / PLATFORM.batchSeconds,
    isBounded: isSliced,
  },
  {
    what: 'a date read, a webhook’s edit wait behind the batch of a change, or behind consumers',
    allowed: () => `${WAIT_MS / 1000} s`,
    used: ({ wait }) => wait / WAIT_MS,
    isQueue: true,
  },
  {
    what: 'the last webhook has a change after the next cycle’s',
    allowed: () => `${CYCLE_SECONDS} s`,
    used: ({ lastArrival }) => lastArrival / CYCLE_SECONDS,
    isQueue: true,
  },
  {
    what: 'the invocation that announces a change has no memory left',
    allowed: () => `${PLATFORM.isolateBytes / 1e6} MB`,
    used: (peaks, played) => (atOnce(peaks, played) * HINT_BYTES) / PLATFORM.isolateBytes,
    isBounded: isSliced,
  },
  {
    what: 'the invocation that announces a change has no requests left',
    allowed: () => `${PLATFORM.subrequests.toLocaleString('en')}`,
    used: (peaks, played) =>
      atOnce(peaks, played) / PLATFORM.messagesOfBatch / PLATFORM.subrequests,
    isBounded: isSliced,
  },
  {
    what: 'date reads alone, 5 of 100 reads, fill the thread of their database',
    allowed: () => `${Math.round(1000 / PLATFORM.readMs / MIX.date).toLocaleString('en')} reads/s`,
    used: (_, { load: { reads } }) => (reads * MIX.date * PLATFORM.readMs) / 1000,
  },
  {
    what: 'a shard that is a Durable Object gets too many calls, in a backlog',
    allowed: () => `${PLATFORM.objectRequests.toLocaleString('en')}/s`,
    used: () => ROUND_TRIPS_PER_SECOND / PLATFORM.objectRequests,
    isBounded: () => true,
  },
  {
    what: 'the work of a day fills the thread of the deliveries’ database',
    allowed: () => '100 %',
    used: (_, played) => askedShare(played),
  },
]

/** Bytes of one database after so many days. */
export function bytesOf({ made, load, design: { databases } }: Played, days: number): number {
  return (made * days * DELIVERY_BYTES + load.webhooks * WEBHOOK_BYTES) / databases
}

/** What a day's deliveries and reads ask of a database's thread, as a share of the day. */
export function askedShare({ made, load, design }: Played): number {
  const eachMs = MADE_MS + (1 + RETRIES) * ATTEMPT_MS + PRUNED_MS
  const batchesMs = design.slice === null ? 0 : (made / design.slice) * PLATFORM.writeMs
  const deliveriesMs = (made * eachMs + batchesMs) / design.databases
  return (deliveriesMs / DAY_SECONDS + readMsOf(load, design)) / 1000
}

/** The second of the day in which a limit is passed first; null when it is not. */
export function firstPassed(limit: Limit, played: Played): number | null {
  const isPassed = (second: number) => limit.used(played.peaksAt(second), played) > 1
  const second = firstIndex(DAY_SECONDS, isPassed)
  return second === DAY_SECONDS ? null : second
}

/** The same day with more or fewer webhooks, and as many more or fewer reads. */
export function scaled(load: Load, factor: number): Load {
  const { webhooks, deliveries, reads } = load
  return {
    ...load,
    webhooks: webhooks * factor,
    deliveries: deliveries * factor,
    reads: reads * factor,
  }
}

/** Between these factors of the load a limit of a queue is looked for, to about 2 %. */
const LEAST = 1 / 64
const MOST = 8
const STEPS = 8

/**
 * The smallest factor of the load that passes each limit; null: none, or for a queue none of eight.
 */
export function factors(played: Played): (number | null)[] {
  const days = new Map<number, Played>()
  const dayAt = (factor: number) => {
    const known = days.get(factor) ?? play(scaled(played.load, factor), played.design)
    days.set(factor, known)
    return known
  }
  return LIMITS.map(({ used, isQueue, isBounded }) => {
    const usedNow = used(played.peaks, played)
    if (isBounded?.(played.design)) return usedNow > 1 ? 1 : null
    if (!isQueue) return usedNow === 0 ? null : 1 / usedNow

    const isPassed = (factor: number) => used(dayAt(factor).peaks, dayAt(factor)) > 1
    if (!isPassed(MOST)) return null
    let [low, high] = [LEAST, MOST]
    for (let step = 0; step < STEPS; step += 1) {
      const middle = Math.sqrt(low * high)
      if (isPassed(middle)) high = middle
      else low = middle
    }
    return high
  })
}
