/** E-mails of alerts: at most ten an hour and account. One e-mail has all that the account's alerts owe. */
import { MAILS_AN_HOUR, type Phase } from '../../../shared/alerts/alert.ts'
import {
  type AlertEvent,
  conditionWords,
  signedPercentWords,
  valueWords,
  watchedWords,
} from '../../../shared/alerts/alert-words.ts'
import { DAY_MS, formatArgentine, HOUR_MS, type Instant } from '../../../shared/argentine-time.ts'
import { MAY_DELIVER } from '../../../shared/db/installation.ts'
import { log, logFailure } from '../../../shared/log.ts'
import { mailWait, type SendMail } from './notices.ts'

/** An account with an e-mail that may be sent. */
export interface DueMail {
  accountId: string
  email: string
}

/** An alert of an e-mail, as it was before the claim. */
interface ClaimedAlert {
  id: string
  /** An edit or a pause makes another. */
  revision: number
  phase: Phase
  mailedAt: Instant | null
  /** How often its e-mail was refused. */
  failures: number
  /** The bodies that a webhook would have got since the last e-mail, oldest first. */
  bodies: string[]
}

interface MailDeps {
  db: D1Database
  now: () => Instant
  /** Where people find their account; null where none is configured. */
  publicOrigin: string | null
}

/** Alerts whose e-mails one sweep sends. */
const AT_ONCE = 20

/** An older event is not sent any more. */
const IS_YOUNG = `at > ?2 - ${DAY_MS}`

/** The alerts of account `?1` whose e-mail is due at `?2`. */
const DUE = `(select a.id from subscriptions w join alerts a on a.id = w.id
  where w.account_id = ?1 and a.mail_due_at <= ?2)`

/** The statement that finds the accounts of the alerts whose e-mail is due longest. */
export function findDueMails(db: D1Database, now: Instant): D1PreparedStatement {
  return db
    .prepare(
      `select c.id as accountId, c.email
       from (select id, mail_due_at from alerts where mail_due_at <= ?1 and ${MAY_DELIVER}
           order by mail_due_at limit ${AT_ONCE}) due
         join subscriptions w on w.id = due.id join accounts c on c.id = w.account_id
       group by c.id order by min(due.mail_due_at)`,
    )
    .bind(now)
}

/** Sends the e-mails of alerts. Whoever claims one first sends it, once. */
export async function sendAlertMails(
  { db, now, publicOrigin }: MailDeps,
  sendMail: SendMail,
  mails: readonly DueMail[],
): Promise<void> {
  for (const { accountId, email } of mails) {
    const at = now()
    const alerts = await claimMail(db, accountId, at)
    if (alerts.length === 0) continue
    const ids = alerts.map(({ id }) => id)
    try {
      await sendMail({ to: email, ...alertMail(alerts, publicOrigin) })
      log('alert_mailed', { alerts: ids, events: alerts.flatMap(({ bodies }) => bodies).length })
    } catch (error) {
      await returnMail(db, alerts, at)
      logFailure('alert_mail_failed', error, { alerts: ids })
    }
  }
}

/**
 * Claims the e-mail of an account before it is sent, so that one of concurrent sweeps sends it, and
 * returns its content. An account that had its e-mails of the hour is put off until it may get
 * another. What is too old is not sent, and does not count.
 */
async function claimMail(db: D1Database, accountId: string, now: Instant): Promise<ClaimedAlert[]> {
  const results = await db.batch(
    [
      `delete from alert_mails where account_id = ?1 and tried_at <= ?2 - ${HOUR_MS}`,
      `update alerts set mail_due_at = ${HOUR_MS} +
           (select min(tried_at) from alert_mails where account_id = ?1)
         where id in ${DUE}
           and (select count(*) from alert_mails where account_id = ?1) >= ${MAILS_AN_HOUR}`,
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
    ].map((sql) => db.prepare(sql).bind(accountId, now)),
  )
  const alerts = results[3]!.results as Omit<ClaimedAlert, 'bodies'>[]
  const firings = results[4]!.results as {
    at: Instant
    alertId: string
    body: string
    isYoung: 0 | 1
  }[]
  const young = firings.filter(({ isYoung }) => isYoung).toSorted((a, b) => a.at - b.at)
  const bodiesOf = (id: string) => young.flatMap((one) => (one.alertId === id ? [one.body] : []))

  return alerts
    .map((alert) => ({ ...alert, bodies: bodiesOf(alert.id) }))
    .filter(({ bodies }) => bodies.length > 0)
}

/**
 * Gives a refused e-mail back. It is due again after a growing wait. Of an alert that was edited or
 * paused since the claim only a test is given back: the rest was cancelled. The try still counts.
 */
async function returnMail(
  db: D1Database,
  alerts: readonly ClaimedAlert[],
  claimedAt: Instant,
): Promise<void> {
  const claimed = JSON.stringify(alerts)
  await db.batch(
    [
      `update alert_firings set notified_at = null from json_each(?1) c
         where alert_id = c.value ->> 'id' and notified_at = ?2 and (kind = 'test' or exists (
           select 1 from subscriptions where id = alert_id and revision = c.value ->> 'revision'))`,
      `update alerts set mailed_at = c.value ->> 'mailedAt',
           mail_failures = (c.value ->> 'failures') + 1,
           mail_due_at = iif(exists (select 1 from alert_firings
               where alert_id = alerts.id and notified_at is null),
             ?2 + ${mailWait(`(c.value ->> 'failures')`)}, null)
         from json_each(?1) c where alerts.id = c.value ->> 'id'`,
    ].map((sql) => db.prepare(sql).bind(claimed, claimedAt)),
  )
}

/** Of each alert it has all that happened since the last e-mail. */
function alertMail(alerts: readonly ClaimedAlert[], publicOrigin: string | null) {
  const parts = alerts.map(({ bodies, ...alert }) => {
    const events = bodies.map((body) => JSON.parse(body) as AlertEvent)
    return { ...alert, events, last: events.at(-1)! }
  })
  const { last } = parts[0]!
  const others = parts.length > 1 ? ` y ${parts.length - 1} más` : ''
  const title = last.event === 'alert.test' ? 'Prueba de alerta' : 'Alerta'

  return {
    subject: `${title}: ${watchedWords(last)}${others}`,
    text: `Hola:

${parts.map((part) => partOf(part, publicOrigin)).join('\n\n')}
`,
  }
}

interface Part extends Pick<ClaimedAlert, 'id' | 'phase'> {
  events: AlertEvent[]
  last: AlertEvent
}

function partOf({ id, phase, events, last }: Part, publicOrigin: string | null): string {
  const where =
    publicOrigin === null
      ? 'entrá a tu cuenta, en Alertas.'
      : `${publicOrigin}/cuenta/alertas/${id}`

  return `Tu alerta avisa cuando ${watchedWords(last)} ${conditionWords(last)}.

${events.map(lineOf).join('\n')}

${endOf(phase, last)} ${where}

Alerta: ${id}`
}

/** What comes after, as the beginning of a sentence that says where. */
function endOf(phase: Phase, { event, repeat }: AlertEvent): string {
  if (phase === 'done') return 'Era para una sola vez y ya terminó. Para activarla de nuevo:'
  const change = 'Para cambiarla, pausarla o borrarla:'
  if (event === 'alert.test' || !repeat) return change
  return `Si vuelve a pasar dentro de la próxima hora te lo contamos todo junto, en un solo correo. ${change}`
}

function lineOf(event: AlertEvent): string {
  const { value, base, percent, against, updatedAt } = event
  const prefix = event.event === 'alert.test' ? 'Prueba: ' : ''
  // `2026-03-02T12:00` in Argentine time.
  const [, year, month, day, time] = /^(\d+)-0?(\d+)-0?(\d+)T(\d+:\d+)/.exec(
    formatArgentine(Date.parse(updatedAt)),
  )!
  const other =
    against && base !== null ? ` y ${watchedWords(against)} a ${valueWords(against, base)}` : ''
  const distance = percent === null ? '' : ` (${signedPercentWords(percent)})`

  return `- ${prefix}${day}/${month}/${year}, ${time}: ${watchedWords(event)} a ${valueWords(event, value)}${other}${distance}.`
}
