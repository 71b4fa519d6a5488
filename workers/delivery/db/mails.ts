/** Rows for e-mails: notices of pauses, and firings of alerts by e-mail. */
import { MAILS_AN_HOUR, type Phase } from '../../../shared/alerts/alert.ts'
import { DAY_MS, HOUR_MS, type Instant, MINUTE_MS } from '../../../shared/argentine-time.ts'
import { MAY_DELIVER } from '../../../shared/db/installation.ts'
import { namedBatch, type Statement } from '../../../shared/db/named-batch.ts'
import type { DELIVERY_ERRORS } from '../../../shared/webhooks/delivery.ts'
import type { SubscriptionKind } from '../../../shared/webhooks/webhook.ts'

/** At most this many notices, and alerts with a due e-mail, per sweep. */
export const MAILS_AT_ONCE = 20

/** A refused e-mail is retried after this time. */
const RETRY_MS = 30 * MINUTE_MS

/** A notice to send by e-mail. */
export interface Notice {
  subscriptionId: string
  createdAt: Instant
  /** The status code of the attempt that paused the subscription. */
  code: number | null
  errorType: (typeof DELIVERY_ERRORS)[number] | null
  email: string
  kind: SubscriptionKind
  pair: number
  /** Masked. */
  destination: string
}

/**
 * Finds notices that are due and less than a day old, new notices before refused notices. The
 * subscription must still be paused by failures.
 */
export function findNotices(db: D1Database, now: Instant): Statement<Notice> {
  return db
    .prepare(
      `select n.subscription_id as subscriptionId, n.created_at as createdAt, n.code,
         n.error_type as errorType, a.email, w.kind, w.pair, w.destination
       from notices n join subscriptions w on w.id = n.subscription_id and w.state = 'failure'
         join accounts a on a.id = w.account_id
       where n.created_at > ?1 - ${DAY_MS} and n.due_at <= ?1 and ${MAY_DELIVER}
       order by n.due_at, n.created_at limit ${MAILS_AT_ONCE}`,
    )
    .bind(now)
}

/** Deletes due notices that the mail service has refused for a day, and returns them. */
export function dropNotices(db: D1Database, now: Instant): Statement<{ subscriptionId: string }> {
  return db
    .prepare(
      `delete from notices where due_at <= ?1 and created_at <= ?1 - ${DAY_MS} and ${MAY_DELIVER}
       returning subscription_id as subscriptionId`,
    )
    .bind(now)
}

/**
 * Deletes a notice before it is sent. If sweeps run concurrently, only one gets true. All get false
 * if the subscription was activated meanwhile.
 */
export async function claimNotice(
  db: D1Database,
  { subscriptionId, createdAt }: Notice,
): Promise<boolean> {
  const { meta } = await db
    .prepare(
      `delete from notices where subscription_id = ?1 and created_at = ?2
         and exists (select 1 from subscriptions where id = ?1 and state = 'failure')`,
    )
    .bind(subscriptionId, createdAt)
    .run()
  return meta.changes > 0
}

/** Stores a refused notice again for a later retry, unless a newer notice is stored. */
export async function returnNotice(db: D1Database, notice: Notice, now: Instant): Promise<void> {
  await db
    .prepare(
      `insert or ignore into notices (subscription_id, created_at, code, error_type, due_at)
       select id, ?1 ->> 'createdAt', ?1 ->> 'code', ?1 ->> 'errorType', ?2 + ${RETRY_MS}
       from subscriptions where id = ?1 ->> 'subscriptionId'`,
    )
    .bind(JSON.stringify(notice), now)
    .run()
}

/** The account of an alert whose e-mail is due, and the account's address. */
export interface DueMail {
  accountId: string
  email: string
}

/** Finds alerts whose e-mail is due, the longest overdue first. */
export function findDueMails(db: D1Database, now: Instant): Statement<DueMail> {
  return db
    .prepare(
      `select c.id as accountId, c.email
       from alerts a join subscriptions w on w.id = a.id join accounts c on c.id = w.account_id
       where a.mail_due_at <= ?1 and ${MAY_DELIVER}
       order by a.mail_due_at limit ${MAILS_AT_ONCE}`,
    )
    .bind(now)
}

/** An event of a claimed e-mail. */
export interface Firing {
  alertId: string
  /** The alert's revision and phase at the claim. An edit or a pause changes the revision. */
  revision: number
  phase: Phase
  at: Instant
  kind: 'triggered' | 'test'
  /** The body of the event, as for a webhook. */
  body: string
}

/** An account's e-mail, which one sweep has claimed. */
export interface ClaimedMail {
  accountId: string
  claimedAt: Instant
  /** Oldest first; empty when there is nothing to send. */
  firings: Firing[]
  /** Events older than a day, which are not sent any more. */
  dropped: Firing[]
}

/**
 * Claims the e-mail of an account before it is sent, so that only one of concurrent sweeps sends
 * the e-mail, and returns its content. If the account has reached its hourly limit, postpones the
 * e-mail to the next hour. Drops events older than a day, which do not count as an e-mail.
 */
export async function claimAlertMail(
  db: D1Database,
  accountId: string,
  now: Instant,
): Promise<ClaimedMail> {
  const forIt = <Row>(sql: string): Statement<Row> => db.prepare(sql).bind(accountId, now)
  const { found } = await namedBatch(db, {
    putOff: forIt(
      `update alerts set mail_due_at = m.hour + ${HOUR_MS} from alert_mails m
       where m.account_id = ?1 and m.hour > ?2 - ${HOUR_MS} and m.mails >= ${MAILS_AN_HOUR}
         and mail_due_at <= ?2 and id in (select id from subscriptions where account_id = ?1)`,
    ),
    // At the limit, `putOff` leaves no alert due, so this finds nothing.
    found: forIt<Firing>(
      `select f.alert_id as alertId, w.revision, a.phase, f.at, f.kind, f.body
       from subscriptions w join alerts a on a.id = w.id and a.mail_due_at <= ?2
         join alert_firings f on f.alert_id = a.id
       where w.account_id = ?1 order by f.at`,
    ),
    counted: forIt(
      `insert into alert_mails (account_id, hour, mails)
       select ?1, ?2 - ?2 % ${HOUR_MS}, 1 where exists (
         select 1 from subscriptions w join alerts a on a.id = w.id and a.mail_due_at <= ?2
           join alert_firings f on f.alert_id = a.id and f.at > ?2 - ${DAY_MS}
         where w.account_id = ?1)
       on conflict (account_id) do update
         set mails = iif(hour = excluded.hour, mails + 1, 1), hour = excluded.hour`,
    ),
    settled: forIt(
      `update alerts set mail_due_at = null,
         mailed_at = iif(exists (select 1 from alert_firings where alert_id = alerts.id
           and kind = 'triggered' and at > ?2 - ${DAY_MS}), ?2, mailed_at),
         mail_dropped_at = iif(exists (select 1 from alert_firings where alert_id = alerts.id
           and at <= ?2 - ${DAY_MS}), ?2, mail_dropped_at)
       where mail_due_at <= ?2 and id in (select id from subscriptions where account_id = ?1)`,
    ),
    deleted: db
      .prepare(
        `delete from alert_firings where alert_id in (
           select a.id from subscriptions w join alerts a on a.id = w.id
           where w.account_id = ?1 and a.mail_due_at is null)`,
      )
      .bind(accountId),
  })
  const isYoung = ({ at }: Firing) => at > now - DAY_MS
  return {
    accountId,
    claimedAt: now,
    firings: found.results.filter(isYoung),
    dropped: found.results.filter((firing) => !isYoung(firing)),
  }
}

/**
 * Stores the events of a refused e-mail again for a later retry. The e-mail does not count for the
 * hourly limit. If an alert was edited or paused since the claim, stores only its tests, because
 * the edit or pause cancelled the other events.
 */
export async function returnAlertMail(
  db: D1Database,
  { accountId, firings, claimedAt }: ClaimedMail,
): Promise<void> {
  const list = JSON.stringify(firings)
  await namedBatch(db, {
    uncounted: db
      .prepare(
        `update alert_mails set mails = mails - 1 where account_id = ?1 and hour > ?2 - ${HOUR_MS}`,
      )
      .bind(accountId, claimedAt),
    stored: db
      .prepare(
        `insert or ignore into alert_firings (alert_id, at, kind, body)
         select w.id, f.value ->> 'at', f.value ->> 'kind', f.value ->> 'body'
         from json_each(?1) f join subscriptions w on w.id = f.value ->> 'alertId'
         where f.value ->> 'kind' = 'test' or w.revision = f.value ->> 'revision'`,
      )
      .bind(list),
    due: db
      .prepare(
        `update alerts set mailed_at = iif(mailed_at = ?2, null, mailed_at),
           mail_due_at = iif(
             exists (select 1 from alert_firings where alert_id = alerts.id), ?2 + ${RETRY_MS}, null)
         where id in (select value ->> 'alertId' from json_each(?1))`,
      )
      .bind(list, claimedAt),
  })
}
