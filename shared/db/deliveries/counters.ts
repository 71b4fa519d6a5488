import type { Instant } from '../../argentine-time.ts'
import { OPEN } from './open.ts'
import { TALLY_MS } from './counts.ts'

export interface DeliveryCounters {
  /** Open deliveries. */
  outstanding: number
  /** When the oldest open one was made; null when there is none. */
  oldestWaitingAt: Instant | null
  /** In the last hour, to five minutes. */
  deliveredLastHour: number
  deadLastHour: number
}

const HOUR_MS = 60 * 60 * 1000

/**
 * When the oldest open row was made, redeliveries aside: the first by id of the new rows, or of the
 * others. They are in two indexes, for a common one would cost every delivery one more written row.
 */
const OLDEST = `select min(created_at) from deliveries where id in (
    (select id from deliveries
      where look_at is null and ${OPEN} order by id limit 1),
    (select id from deliveries
      where look_at is not null and redelivery is null and ${OPEN} order by id limit 1))`

/** Reads the counters in one round trip and at most 20 rows, however many deliveries wait. */
export async function deliveryCounters(db: D1Database, now: Instant): Promise<DeliveryCounters> {
  const row = await db
    .prepare(
      `select coalesce(max(outstanding), 0) as outstanding, (${OLDEST}) as oldest,
         coalesce(sum(delivered), 0) as delivered, coalesce(sum(dead), 0) as dead
       from (select null as outstanding, delivered, dead from delivery_tallies where at > ?1
         union all select outstanding, delivered * (tally_at > ?1), dead * (tally_at > ?1)
           from open_deliveries)`,
    )
    .bind(now - HOUR_MS - TALLY_MS)
    .first<{ outstanding: number; oldest: Instant | null; delivered: number; dead: number }>()

  return {
    outstanding: row!.outstanding,
    oldestWaitingAt: row!.oldest,
    deliveredLastHour: row!.delivered,
    deadLastHour: row!.dead,
  }
}
