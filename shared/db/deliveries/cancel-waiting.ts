import type { Instant } from '../../argentine-time.ts'
import { OPEN, TAKES_REDELIVERIES } from './open.ts'
import { releaseCancelled } from './outstanding.ts'

/**
 * Cancels what waits of a subscription, if the statement before changed it: the deliveries of its
 * order, and its redeliveries unless it still takes them. Tests go on (decision 43: rows that stop
 * early).
 */
export function cancelWaiting(
  db: D1Database,
  subscriptionId: string,
  now: Instant,
): D1PreparedStatement[] {
  return [
    db
      .prepare(
        `update deliveries set status = 'cancelled', resolved_at = ?2
         where subscription_id = (select ?1 where changes() = 1) and ${OPEN}
           and status in ('pending', 'failed') and iif(redelivery is null, type <> 'manual',
             not exists (select 1 from subscriptions w where w.id = ?1 and ${TAKES_REDELIVERIES}))`,
      )
      .bind(subscriptionId, now),
    releaseCancelled(db),
  ]
}
