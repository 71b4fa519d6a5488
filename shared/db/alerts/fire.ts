/**
 * Fires the alerts that the values of a cycle meet, in the batch that writes the values. Five
 * statements, however many changes and alerts there are. A pair without an alert adds no row read;
 * the statements themselves read eleven.
 */
import { type Instant, startOfDay } from '../../argentine-time.ts'
import { MAIL_EVERY_MS } from '../../alerts/alert.ts'
import type { Pair } from '../../market/catalog.ts'
import { deliveryIdSql } from '../../webhooks/delivery-id.ts'
import { OUTSTANDING, reserveInserted } from '../deliveries/outstanding.ts'
import { INSERT, withDeliveryId } from '../deliveries/insert.ts'
import { alertPayloadSql } from './payload-sql.ts'
import { firesSql, IS_REARMED, watchedSql } from './watch-sql.ts'

/**
 * The alerts of the pairs in `?3`, and those that compare with one of them. A list of values reads
 * no row, unlike `json_each`.
 */
function watching(pairs: readonly Pair[]): string {
  const items = pairs.map((_, index) => `?3 ->> ${index}`)
  const changed = `(select column1 as pair from (values ${items.map((item) => `(${item})`).join(', ')})) c`
  const own = `${changed} cross join subscriptions w indexed by subscriptions_alerts
    on w.kind = 'alert' and w.pair = c.pair and w.state = 'active'`
  const other = `${changed} cross join alerts g indexed by alerts_other_pair on g.other_pair = c.pair
    cross join subscriptions w on w.id = g.id and w.state = 'active' and w.pair not in (${items.join(', ')})`
  return `${watchedSql(own, '?2')} union all ${watchedSql(other, '?2')}`
}

/**
 * The statements for the batch of a cycle, after those that write its values. Like the outbox they
 * need the fence of the batch. Repeating them changes nothing: a firing's key is its cycle and its
 * alert. An alert by webhook fires only while there is capacity, and stays armed otherwise. The
 * returned rows are deliveries to enqueue.
 */
export function fireStatements(
  db: D1Database,
  pairs: readonly Pair[],
  { at, capacity }: { at: Instant; capacity: number },
): D1PreparedStatement[] {
  if (pairs.length === 0) return []
  const changed = JSON.stringify(pairs.map(({ id }) => id))
  const watched = watching(pairs)
  const start = startOfDay(at)

  return [
    db
      .prepare(
        `${insertFirings('triggered')}
         from (select *, row_number() over (partition by channel) as place
           from (${watched}) where ${firesSql('?2')})
         where channel = 'email' or place <= ?4 - ${OUTSTANDING}
         on conflict (at, alert_id) do nothing`,
      )
      .bind(at, start, changed, capacity),
    db
      .prepare(
        `${INSERT}
         select f.delivery_id, f.alert_id, w.account_id, w.revision, w.pair, w.destination,
           'automatic', 'pending', 0, 0, f.body, f.at, f.at
         from alert_firings f join subscriptions w on w.id = f.alert_id
         where f.at = ?1 and f.kind = 'triggered' and w.channel = 'https'
           and not exists (
             select 1 from deliveries d where ${withDeliveryId('f.alert_id', 'f.at', 'f.delivery_id')})
         returning id`,
      )
      .bind(at),
    reserveInserted(db),
    db
      .prepare(
        `update alerts set phase = iif(repeats, 'waiting', 'done'), phase_at = ?1, fired_at = ?1,
           mail_due_at = ${MAIL_DUE}
         where id in (select alert_id from alert_firings where at = ?1 and kind = 'triggered')
           and fired_at is not ?1`,
      )
      .bind(at),
    db
      .prepare(
        `update alerts set phase = 'armed', phase_at = ?1
         where id in (select id from (${watched}) where ${IS_REARMED})`,
      )
      .bind(at, start, changed),
  ]
}

/**
 * The beginning of an insertion of deliveries for watched rows that fire, or are tested, at `?1`.
 */
export function insertFirings(kind: 'triggered' | 'test'): string {
  return `insert into alert_firings (at, alert_id, kind, delivery_id, pair, side, condition,
      threshold, value, value_at, other_pair, other_side, base, other_at, body, notified_at)
    select ?1, id, '${kind}', ${deliveryIdSql('?1')}, pair, side, condition, threshold, value,
      value_at, other_pair, other_side, base, other_at, ${alertPayloadSql(kind, '?1')},
      iif(channel = 'email', null, ?1)`
}

/**
 * When the e-mail of an alert that fires at `?1` may be sent: an hour after the last one, or
 * earlier with an e-mail that is already due. An alert by webhook may still owe the e-mail of a
 * test.
 */
export const MAIL_DUE = `iif((select channel from subscriptions where id = alerts.id) = 'email',
  coalesce(mail_due_at, max(?1, coalesce(mailed_at + ${MAIL_EVERY_MS}, 0))), mail_due_at)`
