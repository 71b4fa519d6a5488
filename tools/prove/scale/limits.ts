/** The limits that a day may pass, and the smallest load that passes each. */
import { RETENTION_MS } from '../../../shared/db/deliveries/open.ts'
import { DAY_MS } from '../../../shared/argentine-time.ts'
import { MIX } from '../cost/month.ts'
import { RETRIES } from '../cost/operations.ts'
import { CYCLE_SECONDS } from './day.ts'
import {
  ATTEMPT_MS,
  DELIVERY_BYTES,
  HINT_BYTES,
  MADE_MS,
  PLATFORM,
  PRUNED_MS,
  ROUND_TRIPS_PER_SECOND,
  WEBHOOK_BYTES,
} from './parts.ts'
import { type Load, play, type Played, readMsOf } from './play.ts'

export interface Limit {
  what: string
  allowed: (played: Played) => string
  /** How much of it a day uses: more than 1 is past it. */
  used: (played: Played) => number
}

/** A second is long for a reader; no limit of the platform. */
const WAIT_MS = 1000

const RETENTION_DAYS = RETENTION_MS / DAY_MS

/** Rows that one transaction of a database makes of the largest change. */
const atOnce = ({ peaks: { change }, design: { databases, slice } }: Played) =>
  Math.min(change / databases, slice ?? Infinity)

export const LIMITS: readonly Limit[] = [
  {
    what: 'a change leaves webhooks out, which get a sync later: DELIVERY_CAPACITY',
    allowed: ({ design }) => `${design.capacity.toLocaleString('en')} open`,
    used: ({ peaks: { open }, design }) => open / design.capacity,
  },
  {
    what: 'the sweeper deletes fewer rows than are made, and the table grows without end',
    allowed: ({ design: { prunedAMinute } }) =>
      prunedAMinute === null ? 'as many as are due' : `${prunedAMinute} a minute`,
    used: ({ made, design: { prunedAMinute, databases } }) =>
      prunedAMinute === null ? 0 : made / databases / (prunedAMinute * 24 * 60),
  },
  {
    what: 'the database of deliveries is full: seven days of them, and the webhooks',
    allowed: () => `${PLATFORM.databaseBytes / 1e9} GB each`,
    used: (played) => bytesOf(played, RETENTION_DAYS) / PLATFORM.databaseBytes,
  },
  {
    what: 'the batch that records a change takes too long, and its cycle is lost',
    allowed: () => `${PLATFORM.batchSeconds} s`,
    used: (played) => (atOnce(played) * MADE_MS) / 1000 / PLATFORM.batchSeconds,
  },
  {
    what: 'a date read, a webhook’s edit wait behind the batch of a change, or behind consumers',
    allowed: () => `${WAIT_MS / 1000} s`,
    used: ({ peaks: { wait } }) => wait / WAIT_MS,
  },
  {
    what: 'the last webhook has a change after the next cycle’s',
    allowed: () => `${CYCLE_SECONDS} s`,
    used: ({ peaks: { lastArrival } }) => lastArrival / CYCLE_SECONDS,
  },
  {
    what: 'the invocation that announces a change has no memory left',
    allowed: () => `${PLATFORM.isolateBytes / 1e6} MB`,
    used: (played) => (atOnce(played) * HINT_BYTES) / PLATFORM.isolateBytes,
  },
  {
    what: 'the invocation that announces a change has no requests left',
    allowed: () => `${PLATFORM.subrequests.toLocaleString('en')}`,
    used: (played) => atOnce(played) / PLATFORM.messagesOfBatch / PLATFORM.subrequests,
  },
  {
    what: 'date reads alone, 5 of 100 reads, fill the thread of their database',
    allowed: () => `${Math.round(1000 / PLATFORM.readMs / MIX.date).toLocaleString('en')} reads/s`,
    used: ({ load: { reads } }) => (reads * MIX.date * PLATFORM.readMs) / 1000,
  },
  {
    what: 'a shard that is a Durable Object gets too many calls, in a backlog',
    allowed: () => `${PLATFORM.objectRequests.toLocaleString('en')}/s`,
    used: () => ROUND_TRIPS_PER_SECOND / PLATFORM.objectRequests,
  },
  {
    what: 'the work of a day fills the thread of the deliveries’ database',
    allowed: () => '100 %',
    used: askedShare,
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
  return deliveriesMs / DAY_MS + readMsOf(load, design) / 1000
}

/** The same day with more or fewer webhooks, and as many more or fewer reads. */
export function scaled({ webhooks, deliveries, reads }: Load, factor: number): Load {
  return { webhooks: webhooks * factor, deliveries: deliveries * factor, reads: reads * factor }
}

/** The factors of the load between which a limit is looked for. */
const LEAST = 1 / 64
const MOST = 64
const STEPS = 20

/** The smallest factor of the load that passes a limit; null: none. */
export function factorOf({ used }: Limit, { load, design }: Played): number | null {
  const isPassed = (factor: number) => used(play(scaled(load, factor), design)) > 1
  if (!isPassed(MOST)) return null

  let [low, high] = [LEAST, MOST]
  for (let step = 0; step < STEPS; step += 1) {
    const middle = Math.sqrt(low * high)
    if (isPassed(middle)) high = middle
    else low = middle
  }
  return high
}
