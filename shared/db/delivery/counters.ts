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

const firstOf = (type: string) =>
  `select min(id) from deliveries where webhook_id = behind.id and type = '${type}' and ${OPEN}`

/**
 * When the oldest open row was made, by hops from webhook to webhook in the index of open rows: an
 * index by time would cost every delivery one more written row.
 */
const OLDEST = `with recursive behind(id) as (
    select min(webhook_id) from deliveries where ${OPEN}
    union all
    select (select min(webhook_id) from deliveries where webhook_id > behind.id and ${OPEN})
    from behind where behind.id is not null)
  select min(created_at) from behind join deliveries on deliveries.id in (
    (${firstOf('automatic')}), (${firstOf('sync')}), (${firstOf('manual')}))`

/**
 * How deliveries are doing, in one round trip: about ten rows, and as many for each webhook that
 * has something waiting.
 */
export async function deliveryCounters(db: D1Database, now: Instant): Promise<DeliveryCounters> {
  const row = await db
    .prepare(
      `select coalesce((select outstanding from capacity where id = 1), 0) as outstanding,
         (${OLDEST}) as oldest,
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
