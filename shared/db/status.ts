/** The status read: the health of the board and the counters of deliveries. */
import { formatUtc, HOUR_MS, type Instant, MINUTE_MS, SECOND_MS } from '../argentine-time.ts'
import { readPublishedBoard } from '../board/board.ts'
import { statusOf } from '../board/status.ts'
import { logFailure } from '../log.ts'
import { MAY_DELIVER } from './installation.ts'

/** How long an isolate keeps the counters, so that not every public read reaches D1. */
const COUNTERS_MS = 10 * SECOND_MS

export interface StatusEnv {
  BOARD: KVNamespace
  DB: D1Database
}

export type ServiceStatus = Awaited<ReturnType<ReturnType<typeof createStatusReader>>>

/**
 * Reads the status. Never rejects: without KV, the status has no board; without the database,
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
 * failure, they get null for that time.
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

    // Without a result yet, each request must read.
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
  const counters = await deliveryCounters(DB, now)
  const { mayDeliver, outstanding, oldestWaitingAt: at, ...lastHour } = counters
  const oldestWaitingAt = at === null ? null : formatUtc(at)
  return { canSend: mayDeliver === 1, outstanding, oldestWaitingAt, ...lastHour }
}

/** The period of one tally, as in the triggers (migrations/0000_schema.sql). */
export const TALLY_MS = 5 * MINUTE_MS

interface DeliveryCounters {
  /** 0 in a copied database until its operator lets it deliver. */
  mayDeliver: 0 | 1
  /** Open deliveries. */
  outstanding: number
  /** When the oldest open delivery was made, except redeliveries. Null when none is open. */
  oldestWaitingAt: Instant | null
  /** Deliveries in the last hour, to the nearest five minutes. */
  deliveredLastHour: number
  deadLastHour: number
}

/** Reads the counters in one round trip and at most 20 rows, however many deliveries wait. */
export async function deliveryCounters(db: D1Database, now: Instant): Promise<DeliveryCounters> {
  // Two partial indexes list open rows by age. A single index would cost each delivery one more
  // written row.
  const counters = await db
    .prepare(
      `select ${MAY_DELIVER} as mayDeliver,
         (select outstanding from open_deliveries) as outstanding,
         (select min(created_at) from (
           select * from (select created_at from deliveries
             where resolved_at is null and look_at is null order by id limit 1)
           union all
           select * from (select created_at from deliveries
             where resolved_at is null and look_at is not null and not redelivered
             order by id limit 1))) as oldestWaitingAt,
         coalesce(sum(delivered), 0) as deliveredLastHour, coalesce(sum(dead), 0) as deadLastHour
       from tallies where at > ?1`,
    )
    .bind(now - HOUR_MS - TALLY_MS)
    .first<DeliveryCounters>()
  return counters!
}
