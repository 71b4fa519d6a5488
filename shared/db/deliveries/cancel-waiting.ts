import type { Instant } from '../../argentine-time.ts'
import { endedUpTo, OPEN, TAKES_REDELIVERIES } from './open.ts'
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
  const own = `d.subscription_id = (select ?1 where changes() = 1) and d.${OPEN} and d.type <> 'manual'`
  return [
    db
      .prepare(
        `update deliveries set status = 'cancelled', resolved_at = ?2
         where status in ('pending', 'failed') and id in (
           select d.id from deliveries d
           where ${own} and d.redelivery is null and d.id > ${endedUpTo('?1')}
           union all
           select d.id from deliveries d indexed by deliveries_redelivered
           where ${own} and d.redelivery is not null and not exists (
             select 1 from subscriptions w where w.id = ?1 and ${TAKES_REDELIVERIES}))`,
      )
      .bind(subscriptionId, now),
    releaseCancelled(db),
  ]
}
