/** E-mails of alerts: at most ten an hour and account. One e-mail has all that the account's alerts owe. */
import { DAY_MS, HOUR_MS, type Instant, MINUTE_MS } from '../../../shared/argentine-time.ts'
import { MAILS_AN_HOUR, type Phase } from '../../../shared/alerts/alert.ts'

/** An account with an e-mail that may be sent. */
export interface DueMail {
  accountId: string
  email: string
}

/** An e-mail that one sweep sends. */
export interface ClaimedMail {
  claimedAt: Instant
  /** Those whose firings it has. */
  alerts: ClaimedAlert[]
}

/** An alert of an e-mail, as it was before the claim. */
export interface ClaimedAlert {
  id: string
  /** An edit or a pause makes another. */
  revision: number
  phase: Phase
  mailedAt: Instant | null
  /** How often its e-mail was refused. */
  failures: number
  /** Oldest first. */
  firings: OwedFiring[]
}

/** One event of an e-mail. */
export interface OwedFiring {
  /** The body that a webhook would have got. */
  body: string
}

/** An older event is not sent any more. */
const MAX_AGE_MS = DAY_MS

const IS_YOUNG = `at > ?2 - ${MAX_AGE_MS}`

/** The wait after the first refusal; each further one waits four times as long, up to `MAX_WAIT_MS`. */
const WAIT_MS = 5 * MINUTE_MS
const MAX_WAIT_MS = 6 * HOUR_MS

/** The statement that finds the accounts of the `limit` alerts whose e-mail is due longest. */
export function findDueMails(db: D1Database, now: Instant, limit: number): D1PreparedStatement {
  return db
    .prepare(
      `select c.id as accountId, c.email
       from (select id, mail_due_at from alerts where mail_due_at <= ?1
           order by mail_due_at limit ?2) a
         join subscriptions w on w.id = a.id join accounts c on c.id = w.account_id
       group by c.id order by min(a.mail_due_at)`,
    )
    .bind(now, limit)
}

/** The alerts of account `?1` whose e-mail is due at `?2`. */
const DUE = `(select a.id from subscriptions w join alerts a on a.id = w.id
  where w.account_id = ?1 and a.mail_due_at <= ?2)`

const TRIED = `(select count(*) from alert_mails where account_id = ?1)`

/**
 * Claims the e-mail of an account before it is sent, so that one of concurrent sweeps sends it, and
 * returns its content. An account that had its e-mails of the hour is put off until it may get
 * another. What is too old is not sent, and does not count.
 */
export async function claimMail(
  db: D1Database,
  accountId: string,
  now: Instant,
): Promise<ClaimedMail> {
  const of = [accountId, now]
  const results = await db.batch(
    [
      `delete from alert_mails where account_id = ?1 and tried_at <= ?2 - ${HOUR_MS}`,
      `update alerts set mail_due_at = ${HOUR_MS} +
           (select min(tried_at) from alert_mails where account_id = ?1)
         where id in ${DUE} and ${TRIED} >= ${MAILS_AN_HOUR}`,
      // The statement before leaves nothing due at the limit.
      `insert into alert_mails (account_id, tried_at) select ?1, ?2 where exists (
           select 1 from alert_firings where alert_id in ${DUE} and notified_at is null and ${IS_YOUNG})`,
      `select a.id, w.revision, a.phase, a.mailed_at as mailedAt, a.mail_failures as failures
         from alerts a join subscriptions w on w.id = a.id where a.id in ${DUE}`,
      `update alert_firings set notified_at = ?2 where alert_id in ${DUE} and notified_at is null
         returning at, alert_id as alertId, body, ${IS_YOUNG} as isYoung`,
      `update alerts set mail_due_at = null, mail_failures = 0,
           mailed_at = iif(exists (select 1 from alert_firings where alert_id = alerts.id
             and notified_at = ?2 and kind = 'triggered' and ${IS_YOUNG}), ?2, mailed_at)
         where id in ${DUE}`,
    ].map((sql) => db.prepare(sql).bind(...of)),
  )
  const alerts = results[3]!.results as Omit<ClaimedAlert, 'firings'>[]
  const firings = results[4]!.results as FiringRow[]
  const young = firings.filter(({ isYoung }) => isYoung === 1).toSorted((a, b) => a.at - b.at)

  return {
    claimedAt: now,
    alerts: alerts
      .map((alert) => ({ ...alert, firings: young.filter(({ alertId }) => alertId === alert.id) }))
      .filter(({ firings }) => firings.length > 0),
  }
}

interface FiringRow extends OwedFiring {
  at: Instant
  alertId: string
  isYoung: 0 | 1
}

/**
 * Gives a refused e-mail back. It is due again after a growing wait. Of an alert that was edited or
 * paused since the claim only a test is given back: the rest was cancelled. The try still counts.
 */
export async function returnMail(
  db: D1Database,
  { claimedAt, alerts }: ClaimedMail,
): Promise<void> {
  const claimed = JSON.stringify(
    alerts.map(({ id, revision, mailedAt, failures }) => ({ id, revision, mailedAt, failures })),
  )
  await db.batch(
    [
      `update alert_firings set notified_at = null from json_each(?1) c
         where alert_id = c.value ->> 'id' and notified_at = ?2 and (kind = 'test' or exists (
           select 1 from subscriptions where id = alert_id and revision = c.value ->> 'revision'))`,
      `update alerts set mailed_at = c.value ->> 'mailedAt',
           mail_failures = (c.value ->> 'failures') + 1,
           mail_due_at = iif(exists (select 1 from alert_firings
               where alert_id = alerts.id and notified_at is null),
             ?2 + min(${MAX_WAIT_MS}, ${WAIT_MS} << min(2 * (c.value ->> 'failures'), 20)), null)
         from json_each(?1) c where alerts.id = c.value ->> 'id'`,
    ].map((sql) => db.prepare(sql).bind(claimed, claimedAt)),
  )
}
