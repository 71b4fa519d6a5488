/** E-mails of alerts: at most ten per hour and account. Each reports every event that is due. */
import type { Phase } from '../../../shared/alerts/alert.ts'
import {
  type AlertEvent,
  conditionText,
  alertValueText,
  sideText,
} from '../../../shared/alerts/event.ts'
import { formatArgentine, type Instant } from '../../../shared/argentine-time.ts'
import { log, logFailure } from '../../../shared/log.ts'
import type { SendMail } from '../../../shared/mail.ts'
import {
  claimAlertMail,
  type ClaimedAlert,
  type DueMail,
  MAILS_AT_ONCE,
  returnAlertMail,
} from '../db/mails.ts'
import { embedPercentText } from '../../../shared/market/spanish-text.ts'

export interface MailDeps {
  db: D1Database
  now: () => Instant
  /** The origin of the account pages and the API; null where none is configured. */
  publicOrigin: string | null
}

/**
 * Sends the e-mails of alerts. The sweep that claims an e-mail sends it. Returns whether another
 * sweep must follow at once: not after a refusal, which may be the provider's limit.
 */
export async function sendAlertMails(
  { db, now, publicOrigin }: MailDeps,
  sendMail: SendMail,
  mails: readonly DueMail[],
): Promise<boolean> {
  let refused = 0
  for (const { accountId, email } of mails) {
    const mail = await claimAlertMail(db, accountId, now())
    const { alerts, dropped } = mail
    if (dropped.length > 0) log('alert_mail_dropped', { account: accountId, events: dropped })
    if (alerts.length === 0) continue
    const ids = alerts.map(({ id }) => id)
    try {
      await sendMail({ to: email, ...alertMail(alerts, publicOrigin) })
      log('alert_mailed', { alerts: ids, events: alerts.flatMap(({ bodies }) => bodies).length })
    } catch (error) {
      refused += 1
      await returnAlertMail(db, mail)
      logFailure('alert_mail_failed', error, { alerts: ids })
    }
  }
  const due = mails.reduce((total, { alerts }) => total + alerts, 0)
  return due === MAILS_AT_ONCE && refused === 0
}

/** The e-mail lists, for each alert, every event since its last e-mail. */
function alertMail(alerts: readonly ClaimedAlert[], publicOrigin: string | null) {
  const parts = alerts.map(({ bodies, ...alert }) => {
    const events = bodies.map((body) => JSON.parse(body) as AlertEvent)
    return { ...alert, events, last: events.at(-1)! }
  })
  const { last } = parts[0]!
  const others = parts.length > 1 ? ` y ${parts.length - 1} más` : ''
  const title = last.event === 'alert.test' ? 'Prueba de alerta' : 'Alerta'

  return {
    subject: `${title}: ${sideText(last)}${others}`,
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

  return `Tu alerta avisa cuando ${sideText(last)} ${conditionText(last)}.

${events.map(lineOf).join('\n')}

${endOf(phase, last)} ${where}

Alerta: ${id}`
}

/** What happens next with the alert, as the beginning of a sentence. */
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
    against && base !== null ? ` y ${sideText(against)} a ${alertValueText(against, base)}` : ''
  const distance = percent === null ? '' : ` (${embedPercentText(percent)})`

  return `- ${prefix}${day}/${month}/${year}, ${time}: ${sideText(event)} a ${alertValueText(event, value)}${other}${distance}.`
}
