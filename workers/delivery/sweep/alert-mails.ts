/** E-mails of alerts, at most ten per hour and account. Each e-mail reports all due events. */
import type { Phase } from '../../../shared/alerts/alert.ts'
import {
  type AlertEvent,
  conditionText,
  alertValueText,
  sideText,
} from '../../../shared/alerts/event.ts'
import type { Instant } from '../../../shared/argentine-time.ts'
import { log, logFailure } from '../../../shared/log.ts'
import type { SendMail } from '../../../shared/mail.ts'
import {
  claimAlertMail,
  type DueMail,
  type Firing,
  MAILS_AT_ONCE,
  returnAlertMail,
} from '../db/mails.ts'
import { embedPercentText, momentText } from '../../../shared/market/spanish-text.ts'

export interface MailDeps {
  db: D1Database
  now: () => Instant
  /** The origin of the account pages and the API. Null when none is configured. */
  publicOrigin: string | null
}

/**
 * Claims and sends the e-mails of alerts. Returns whether another sweep must follow at once. After
 * a refusal it must not, because the mail service may have a limit.
 */
export async function sendAlertMails(
  { db, now, publicOrigin }: MailDeps,
  sendMail: SendMail,
  due: readonly DueMail[],
): Promise<boolean> {
  let refused = 0
  const addresses = new Map(due.map(({ accountId, email }) => [accountId, email]))
  for (const [account, to] of addresses) {
    const mail = await claimAlertMail(db, account, now())
    const { firings, dropped } = mail
    if (dropped.length > 0) {
      const events = dropped.map(({ alertId, at }) => ({ alertId, at }))
      log('alert_mail_dropped', { account, events })
    }
    if (firings.length === 0) continue
    const alerts = [...new Set(firings.map(({ alertId }) => alertId))]
    try {
      await sendMail({ to, ...alertMail(firings, publicOrigin) })
      log('alert_mailed', { alerts, events: firings.length })
    } catch (error) {
      refused += 1
      await returnAlertMail(db, mail)
      logFailure('alert_mail_failed', error, { alerts })
    }
  }
  return due.length === MAILS_AT_ONCE && refused === 0
}

/** The e-mail lists, for each alert, every event since its last e-mail. */
function alertMail(firings: readonly Firing[], publicOrigin: string | null) {
  const alerts = [...Map.groupBy(firings, ({ alertId }) => alertId).values()]
  const last = eventOf(alerts[0]!.at(-1)!)
  const others = alerts.length > 1 ? ` y ${alerts.length - 1} más` : ''
  const title = last.event === 'alert.test' ? 'Prueba de alerta' : 'Alerta'

  return {
    subject: `${title}: ${sideText(last)}${others}`,
    text: `Hola:

${alerts.map((own) => textOf(own, publicOrigin)).join('\n\n')}
`,
  }
}

const eventOf = ({ body }: Firing) => JSON.parse(body) as AlertEvent

/** The text about one alert. */
function textOf(firings: readonly Firing[], publicOrigin: string | null): string {
  const { alertId, phase } = firings[0]!
  const events = firings.map(eventOf)
  const last = events.at(-1)!
  const where =
    publicOrigin === null
      ? 'entrá a tu cuenta, en Alertas.'
      : `${publicOrigin}/cuenta/alertas/${alertId}`

  return `Tu alerta avisa cuando ${sideText(last)} ${conditionText(last)}.

${events.map(lineOf).join('\n')}

${endOf(phase, last)} ${where}

Alerta: ${alertId}`
}

/** What happens next with the alert, as the start of a sentence. */
function endOf(phase: Phase, { event, repeat }: AlertEvent): string {
  if (phase === 'done') return 'Era para una sola vez y ya terminó. Para activarla de nuevo:'
  const change = 'Para cambiarla, pausarla o borrarla:'
  if (event === 'alert.test' || !repeat) return change
  return `Si vuelve a pasar dentro de la próxima hora te lo contamos todo junto, en un solo correo. ${change}`
}

function lineOf(event: AlertEvent): string {
  const { value, base, percent, against, updatedAt } = event
  const prefix = event.event === 'alert.test' ? 'Prueba: ' : ''
  const other =
    against && base !== null ? ` y ${sideText(against)} a ${alertValueText(against, base)}` : ''
  const distance = percent === null ? '' : ` (${embedPercentText(percent)})`

  return `- ${prefix}${momentText(Date.parse(updatedAt))}: ${sideText(event)} a ${alertValueText(event, value)}${other}${distance}.`
}
