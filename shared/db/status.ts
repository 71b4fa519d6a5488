/** The status read: the health of the board and the counters of deliveries. */
import { formatUtc, type Instant, SECOND_MS } from '../argentine-time.ts'
import { readPublishedBoard } from '../board/board.ts'
import { statusOf } from '../board/status.ts'
import { logFailure } from '../log.ts'
import { deliveryCounters } from './deliveries/counts.ts'

/** How long an isolate keeps the counters, so that not every public read reaches D1. */
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
  const countersOf = keepLast(COUNTERS_MS, 'counters_failed', readCounters)

  return async (env: StatusEnv, now: Instant) => {
    const [board, deliveries] = await Promise.all([
      readPublishedBoard(env.BOARD),
      countersOf(env, now),
    ])
    return { ...statusOf(board, now), deliveries }
  }
}

/**
 * Reads at most once in `forMs` per isolate; requests in between get the last result. After a
 * failure they get null for that time.
 */
export function keepLast<Env, Value>(
  forMs: number,
  failure: string,
  read: (env: Env, now: Instant) => Promise<Value>,
) {
  let kept: Value | null = null
  let goodUntil = 0

  return async (env: Env, now: Instant): Promise<Value | null> => {
    if (now < goodUntil) return kept

    // Before the first result there is nothing to return, so each request reads.
    if (kept) goodUntil = now + forMs
    kept = await read(env, now).catch((error: unknown) => {
      logFailure(failure, error)
      return null
    })
    goodUntil = now + forMs
    return kept
  }
}

async function readCounters({ DB }: StatusEnv, now: Instant) {
  const {
    mayDeliver,
    outstanding,
    oldestWaitingAt: at,
    ...lastHour
  } = await deliveryCounters(DB, now)
  const canSend = mayDeliver === 1
  return { canSend, outstanding, oldestWaitingAt: at === null ? null : formatUtc(at), ...lastHour }
}
