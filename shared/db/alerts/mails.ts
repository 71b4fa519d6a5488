/** E-mails of alerts: at most one an hour and alert, which tells what happened since the last. */
import { DAY_MS, HOUR_MS, type Instant, MINUTE_MS } from '../../argentine-time.ts'

/** An e-mail that may be sent. */
export interface DueMail {
  alertId: string
  email: string
  dueAt: Instant
  /** When the one before was sent. */
  mailedAt: Instant | null
  /** How often it was refused. */
  failures: number
}

/** An e-mail that one sweep sends. */
export interface ClaimedMail {
  claimedAt: Instant
  /** Of the alert: an edit or a pause makes another. */
  revision: number
  /** Oldest first. */
  told: ToldFiring[]
}

/** One thing that an e-mail tells. */
export interface ToldFiring {
  /** The body that a webhook would have got. */
  body: string
  withdrawn: 0 | 1
}

/** An older event is not told any more: one that fired or, of those withdrawn, was withdrawn before. */
const MAX_AGE_MS = DAY_MS

const IS_YOUNG = `coalesce(withdrawn_at, at) > ?2 - ${MAX_AGE_MS}`

/** The wait after the first refusal; each further one waits four times as long, up to `MAX_WAIT_MS`. */
const WAIT_MS = 5 * MINUTE_MS
const MAX_WAIT_MS = 6 * HOUR_MS

/** The statement that finds e-mails that may be sent. */
export function findDueMails(db: D1Database, now: Instant, limit: number): D1PreparedStatement {
  return db
    .prepare(
      `select a.id as alertId, a.mail_due_at as dueAt, a.mailed_at as mailedAt,
         a.mail_failures as failures, c.email
       from (select id, mail_due_at, mailed_at, mail_failures from alerts where mail_due_at <= ?1
           order by mail_due_at limit ?2) a
         join webhooks w on w.id = a.id join accounts c on c.id = w.account_id`,
    )
    .bind(now, limit)
}

/**
 * Marks an e-mail as sent before it is, so that one of concurrent sweeps sends it, and returns what
 * it tells. Null when another sweep has it. One that tells nothing is not sent, and does not hold up
 * the next for an hour.
 */
export async function claimMail(
  db: D1Database,
  { alertId, dueAt }: Pick<DueMail, 'alertId' | 'dueAt'>,
  now: Instant,
): Promise<ClaimedMail | null> {
  const [claimed, told] = (await db.batch([
    db
      .prepare(
        `update alerts set mail_due_at = null, mail_failures = 0,
           mailed_at = iif(exists (select 1 from alert_firings
             where alert_id = ?1 and told_at is null and ${IS_YOUNG}), ?2, mailed_at)
         where id = ?1 and mail_due_at = ?3
         returning (select revision from webhooks where id = ?1) as revision`,
      )
      .bind(alertId, now, dueAt),
    db
      .prepare(
        `update alert_firings set told_at = ?2
         where alert_id = ?1 and told_at is null and changes() = 1
         returning at, body, withdrawn_at is not null as withdrawn, ${IS_YOUNG} as isYoung`,
      )
      .bind(alertId, now),
  ])) as [D1Result<{ revision: number }>, D1Result<ToldFiring & { at: Instant; isYoung: 0 | 1 }>]
  const [alert] = claimed.results
  if (!alert) return null

  const young = told.results.filter(({ isYoung }) => isYoung === 1)
  return { claimedAt: now, ...alert, told: young.toSorted((a, b) => a.at - b.at) }
}

/**
 * Gives a refused e-mail back. It is due again after a growing wait. Of an alert that was edited or
 * paused since the claim only a test is given back: the rest was cancelled.
 */
export async function returnMail(
  db: D1Database,
  { alertId, mailedAt, failures }: DueMail,
  { claimedAt, revision }: ClaimedMail,
): Promise<void> {
  const wait = Math.min(MAX_WAIT_MS, WAIT_MS * 4 ** Math.min(failures, 10))
  await db.batch([
    db
      .prepare(
        `update alert_firings set told_at = null where alert_id = ?1 and told_at = ?2
           and (kind = 'test' or exists (select 1 from webhooks where id = ?1 and revision = ?3))`,
      )
      .bind(alertId, claimedAt, revision),
    db
      .prepare(
        `update alerts set mailed_at = ?2, mail_failures = ?4,
           mail_due_at = iif(exists (select 1 from alert_firings
             where alert_id = ?1 and told_at is null), ?3, null)
         where id = ?1`,
      )
      .bind(alertId, mailedAt, claimedAt + wait, failures + 1),
  ])
}
