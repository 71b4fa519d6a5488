import type { Instant } from '../../argentine-time.ts'
import { OPEN } from './open.ts'
import { TALLY_MS } from './tallies.ts'

export interface DeliveryCounters {
  /** Accepted and not ended. */
  outstanding: number
  /** When the oldest of them was made; null when there is none. */
  oldestWaitingAt: Instant | null
  /** Of the last hour, to five minutes. */
  deliveredLastHour: number
  deadLastHour: number
}

const HOUR_MS = 60 * 60 * 1000

/**
 * How deliveries are doing, in one round trip. About fifteen rows, and one for each delivery that
 * is outstanding: never for those that ended.
 */
export async function deliveryCounters(db: D1Database, now: Instant): Promise<DeliveryCounters> {
  const row = await db
    .prepare(
      `select coalesce((select outstanding from capacity where id = 1), 0) as outstanding,
         (select created_at from deliveries where id = (select min(id) from deliveries
           indexed by deliveries_open where ${OPEN})) as oldest,
         coalesce(sum(delivered), 0) as delivered, coalesce(sum(dead), 0) as dead
       from delivery_tallies where at > ?1`,
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
