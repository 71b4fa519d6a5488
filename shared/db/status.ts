/** The status read: the health of the board and the counters of deliveries. */
import { formatUtc, type Instant, SECOND_MS } from '../argentine-time.ts'
import { readPublishedBoard } from '../board/read-board.ts'
import { statusOf } from '../board/status.ts'
import { logFailure } from '../log.ts'
import { type DeliveryCounters, deliveryCounters } from './deliveries/counters.ts'

/** How long an isolate keeps the counters: a public read must not reach D1 each time. */
const COUNTERS_MS = 10 * SECOND_MS

export interface StatusEnv {
  BOARD: KVNamespace
  DB: D1Database
}

export type ServiceStatus = Awaited<ReturnType<ReturnType<typeof createStatusReader>>>

/**
 * Reads the status. It never fails: without KV there is no board, and without the database
 * `deliveries` is null.
 */
export function createStatusReader() {
  const countersOf = createCountersMemory()

  return async ({ BOARD, DB }: StatusEnv, now: Instant) => {
    const [board, counters] = await Promise.all([readPublishedBoard(BOARD), countersOf(DB, now)])
    return { ...statusOf(board, now), deliveries: counters && printCounters(counters) }
  }
}

/**
 * The counters: one request reads them every ten seconds, and requests meanwhile get the last ones.
 * A failure is kept for the same time.
 */
function createCountersMemory() {
  let kept: DeliveryCounters | null = null
  let goodUntil = 0

  return async (db: D1Database, now: Instant): Promise<DeliveryCounters | null> => {
    if (now < goodUntil) return kept

    // Before the first result there is nothing to return, so each request reads.
    if (kept) goodUntil = now + COUNTERS_MS
    try {
      kept = await deliveryCounters(db, now)
    } catch (error) {
      logFailure('counters_failed', error)
      kept = null
    }
    goodUntil = now + COUNTERS_MS
    return kept
  }
}

function printCounters({ oldestWaitingAt, ...counts }: DeliveryCounters) {
  return {
    outstanding: counts.outstanding,
    oldestWaitingAt: oldestWaitingAt === null ? null : formatUtc(oldestWaitingAt),
    deliveredLastHour: counts.deliveredLastHour,
    deadLastHour: counts.deadLastHour,
  }
}
