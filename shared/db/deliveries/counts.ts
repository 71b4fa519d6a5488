import { HOUR_MS, type Instant, MINUTE_MS } from '../../argentine-time.ts'
import { MAY_DELIVER } from '../installation.ts'

/** The period of one tally, as in the triggers (migrations/0000_schema.sql). */
export const TALLY_MS = 5 * MINUTE_MS

export interface DeliveryCounters {
  /** 0 in a copied database until its operator lets it deliver. */
  mayDeliver: 0 | 1
  /** Open deliveries. */
  outstanding: number
  /** When the oldest open delivery was made, without redeliveries; null when none is open. */
  oldestWaitingAt: Instant | null
  /** Deliveries in the last hour, to the nearest five minutes. */
  deliveredLastHour: number
  deadLastHour: number
}

/** Reads the counters in one round trip and at most 20 rows, however many deliveries wait. */
export async function deliveryCounters(db: D1Database, now: Instant): Promise<DeliveryCounters> {
  // Two indexes list open rows by age. One common index would cost each delivery another written
  // row.
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
