/** The status read: the board's health, and how deliveries are doing. */
import { formatUtc, type Instant, SECOND_MS } from '../argentine-time.ts'
import { BOARD_KEY, type Board, parseBoard } from '../board/board.ts'
import { statusOf } from '../board/status.ts'
import { type DeliveryCounters, deliveryCounters } from './deliveries/counters.ts'

/** How long an isolate keeps the counters: what everyone may ask must not reach D1 each time. */
const COUNTERS_MS = 10 * SECOND_MS

/** Seconds; the least that KV takes. */
const KV_CACHE_TTL = 30

export interface StatusEnv {
  BOARD: KVNamespace
  DB: D1Database
}

export type ServiceStatus = Awaited<ReturnType<ReturnType<typeof createStatusReader>>>

/**
 * Reads the status. It never fails: KV out of reach is the same as no board, and `deliveries` is
 * null while the database does not answer.
 */
export function createStatusReader() {
  const countersOf = createCountersMemory()

  return async ({ BOARD, DB }: StatusEnv, now: Instant) => {
    const [board, counters] = await Promise.all([readBoard(BOARD), countersOf(DB, now)])
    return { ...statusOf(board, now), deliveries: counters && printCounters(counters) }
  }
}

/**
 * The counters, asked for by one request every ten seconds; those that come while it waits get the
 * last ones. A failure is kept as long as an answer.
 */
function createCountersMemory() {
  let kept: DeliveryCounters | null = null
  let goodUntil = 0

  return async (db: D1Database, now: Instant): Promise<DeliveryCounters | null> => {
    // A time further ahead than one is ever set was set by a clock that went back.
    if (now < goodUntil && goodUntil - now <= COUNTERS_MS) return kept

    // Before the first answer nobody has anything to be content with: each asks.
    if (kept) goodUntil = now + COUNTERS_MS
    try {
      kept = await deliveryCounters(db, now)
    } catch (error) {
      console.error(JSON.stringify({ event: 'counters_failed', name: (error as Error).name }))
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

async function readBoard(kv: KVNamespace): Promise<Board | null> {
  try {
    return parseBoard(await kv.get(BOARD_KEY, { cacheTtl: KV_CACHE_TTL }))
  } catch {
    return null
  }
}
