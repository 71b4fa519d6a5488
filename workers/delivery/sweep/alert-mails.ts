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
  type DueMail,
  type Firing,
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
    const { firings, dropped } = mail
    if (dropped.length > 0) log('alert_mail_dropped', { account: accountId, events: dropped })
    if (firings.length === 0) continue
    const alerts = [...new Set(firings.map(({ alertId }) => alertId))]
    try {
      await sendMail({ to: email, ...alertMail(firings, publicOrigin) })
      log('alert_mailed', { alerts, events: firings.length })
    } catch (error) {
      refused += 1
      await returnAlertMail(db, mail)
      logFailure('alert_mail_failed', error, { alerts })
    }
  }
  const due = mails.reduce((total, { alerts }) => total + alerts, 0)
  return due === MAILS_AT_ONCE && refused === 0
}

/** The e-mail lists, for each alert, every event since its last e-mail. */
function alertMail(firings: readonly Firing[], publicOrigin: string | null) {
  const byAlert = Map.groupBy(firings, ({ alertId }) => alertId)
  const parts = [...byAlert].map(([id, own]): Part => {
    const events = own.map(({ body }) => JSON.parse(body) as AlertEvent)
    return { id, phase: own[0]!.phase, events, last: events.at(-1)! }
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

interface Part {
  id: string
  phase: Phase
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
