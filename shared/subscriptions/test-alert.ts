import { DAY_MS, startOfDay } from '../argentine-time.ts'
import { ok, refuse, type Result } from '../result.ts'
import { deliveryIdSql } from '../webhooks/delivery-id.ts'
import { OUTSTANDING, reserveInserted } from '../db/deliveries/outstanding.ts'
import { INSERT, mayTest, OPEN_TESTS } from '../db/deliveries/insert.ts'
import type { SubscriptionContext } from './context.ts'
import { findSubscription } from './read.ts'
import type { SubscriptionRefusal } from './refusal.ts'
import type { QueuedDelivery } from './test-webhook.ts'
import { insertFirings } from '../db/alerts/fire.ts'
import { alertPayloadSql } from '../db/alerts/payload-sql.ts'
import { alertRows } from './alert-row.ts'
import { watchedSql } from '../db/alerts/watch-sql.ts'

/**
 * Queues a test of an alert in any state, with the values in effect. Null when it goes by e-mail:
 * with the next sweep, unless the account has used up its e-mails of the hour.
 */
export async function testAlert(
  context: SubscriptionContext,
  accountId: string,
  id: string,
): Promise<Result<QueuedDelivery | null, SubscriptionRefusal>> {
  const { db, now, capacity, admitted } = context
  const alert = await findSubscription(db, alertRows, { accountId, id }, now)
  if (!alert) return refuse('not_found')
  if (!admitted) return refuse('admission_closed')
  if (!alert.now) return refuse('quote_unavailable')

  const own = watchedSql(`(select * from subscriptions where id = ?3 and account_id = ?4) w`, '?2')
  const of = [now, startOfDay(now), id, accountId]
  if (alert.channel === 'email') {
    const [inserted, , same] = (await db.batch(mailStatements(db, own, of))) as D1Result[]
    const isMade = inserted!.meta.changes > 0 || same!.results.length > 0
    return isMade ? ok(null) : refuse('capacity_exhausted')
  }
  const [inserted] = (await db.batch([
    db
      .prepare(
        `${INSERT}
         select ${deliveryIdSql('?1')}, id, account_id, revision, pair, destination, 'manual',
           'pending', 0, 0, ${alertPayloadSql('test', '?1')}, ?1, ?1
         from (${own}) o where channel = 'https' and value is not null and ${OUTSTANDING} < ?5
           and ${mayTest('?4')}
         returning id, delivery_id as deliveryId`,
      )
      .bind(...of, capacity),
    reserveInserted(db),
  ])) as [D1Result<QueuedDelivery>, D1Result]
  const [test] = inserted.results
  return test ? ok(test) : refuse('capacity_exhausted')
}

function mailStatements(db: D1Database, own: string, of: unknown[]): D1PreparedStatement[] {
  return [
    db
      .prepare(
        `${insertFirings('test')} from (${own}) where channel = 'email' and value is not null
           and (select count(*) from alert_firings where alert_id = ?3 and at > ?1 - ${DAY_MS}
             and kind = 'test' and notified_at is null) < ${OPEN_TESTS}
         on conflict (at, alert_id) do nothing`,
      )
      .bind(...of),
    db
      .prepare(`update alerts set mail_due_at = ?1 where id = ?2 and changes() = 1`)
      .bind(of[0], of[2]),
    // Two tests of the same millisecond count as one.
    db.prepare(`select 1 from alert_firings where at = ?1 and alert_id = ?2`).bind(of[0], of[2]),
  ]
}
