import type { Phase } from '../../../shared/alerts/alert.ts'
import { formatArgentine, type Instant } from '../../../shared/argentine-time.ts'
import {
  type AlertEvent,
  conditionWords,
  signedPercentWords,
  valueWords,
  watchedWords,
} from '../../../shared/alerts/alert-words.ts'
import { claimMail, type ClaimedAlert, type DueMail, returnMail } from '../db/alert-mails.ts'
import { log, logFailure } from '../../../shared/log.ts'
import type { SendMail } from './notices.ts'

interface MailDeps {
  db: D1Database
  now: () => Instant
  /** Where people find their account; null where none is configured. */
  publicOrigin: string | null
}

/** Sends the e-mails of alerts. Whoever claims one first sends it, once. */
export async function sendAlertMails(
  { db, now, publicOrigin }: MailDeps,
  sendMail: SendMail,
  mails: readonly DueMail[],
): Promise<void> {
  for (const { accountId, email } of mails) {
    const claimed = await claimMail(db, accountId, now())
    const { alerts } = claimed
    if (alerts.length === 0) continue
    const ids = alerts.map(({ id }) => id)
    try {
      await sendMail({ to: email, ...alertMail(alerts, publicOrigin) })
      log('alert_mailed', { alerts: ids, events: alerts.flatMap(({ firings }) => firings).length })
    } catch (error) {
      await returnMail(db, claimed)
      logFailure('alert_mail_failed', error, { alerts: ids })
    }
  }
}

/** Of each alert it has all that happened since the last e-mail, oldest first. */
export function alertMail(
  alerts: readonly Pick<ClaimedAlert, 'id' | 'phase' | 'firings'>[],
  publicOrigin: string | null,
) {
  const parts = alerts.map((alert) => {
    const events = alert.firings.map(({ body }) => JSON.parse(body) as AlertEvent)
    return { ...alert, events, last: events.at(-1)! }
  })
  const { last } = parts[0]!
  const others = parts.length > 1 ? ` y ${parts.length - 1} más` : ''

  return {
    subject: `${titleOf(last)}: ${watchedWords(last)}${others}`,
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
  return `Tu alerta avisa cuando ${watchedWords(last)} ${conditionWords(last)}.

${events.map(lineOf).join('\n')}

${endOf(phase, last)} ${
    publicOrigin === null
      ? 'entrá a tu cuenta, en Alertas.'
      : `${publicOrigin}/cuenta/alertas/${id}`
  }

Alerta: ${id}`
}

/** What comes after, as the beginning of a sentence that says where. */
function endOf(phase: Phase, { event, repeat }: AlertEvent): string {
  if (phase === 'done') return 'Era para una sola vez y ya terminó. Para activarla de nuevo:'
  const change = 'Para cambiarla, pausarla o borrarla:'
  if (event === 'alert.test' || !repeat) return change
  return `Si vuelve a pasar dentro de la próxima hora te lo contamos todo junto, en un solo correo. ${change}`
}

function titleOf({ event }: AlertEvent): string {
  return event === 'alert.test' ? 'Prueba de alerta' : 'Alerta'
}

function lineOf(event: AlertEvent): string {
  const { value, base, percent, against, updatedAt } = event
  const other =
    against && base !== null ? ` y ${watchedWords(against)} a ${valueWords(against, base)}` : ''
  const distance = percent === null ? '' : ` (${signedPercentWords(percent)})`
  const prefix = event.event === 'alert.test' ? 'Prueba: ' : ''

  return `- ${prefix}${timeOf(updatedAt)}: ${watchedWords(event)} a ${valueWords(event, value)}${other}${distance}.`
}

/** `2/3/2026, 12:00` in Argentine time. */
function timeOf(instant: string): string {
  const [day = '', time = ''] = formatArgentine(Date.parse(instant)).split('T')
  const [year, month, date] = day.split('-')
  return `${Number(date)}/${Number(month)}/${year}, ${time.slice(0, 5)}`
}
