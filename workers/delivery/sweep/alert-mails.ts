import { formatArgentine, type Instant } from '../../../shared/argentine-time.ts'
import {
  type AlertEvent,
  conditionWords,
  signedPercentWords,
  valueWords,
  watchedWords,
} from '../../../shared/alerts/alert-words.ts'
import {
  claimMail,
  type DueMail,
  returnMail,
  type ToldFiring,
} from '../../../shared/db/alerts/mails.ts'
import { log, nameOf } from '../../../shared/log.ts'
import type { SendMail } from './notices.ts'

/** Sends the e-mails of alerts. Whoever claims one first sends it, once. */
export async function sendAlertMails(
  { db, now }: { db: D1Database; now: () => Instant },
  sendMail: SendMail,
  mails: readonly DueMail[],
): Promise<void> {
  for (const mail of mails) {
    const claimed = await claimMail(db, mail, now())
    if (claimed === null || claimed.told.length === 0) continue
    const { told } = claimed
    try {
      await sendMail({ to: mail.email, ...alertMail(mail.alertId, told) })
      log('alert_mailed', { alert: mail.alertId, events: told.length })
    } catch (error) {
      await returnMail(db, mail, claimed)
      log('alert_mail_failed', { alert: mail.alertId, error: nameOf(error) })
    }
  }
}

/** It tells all that happened since the last one, oldest first. */
export function alertMail(alertId: string, told: readonly ToldFiring[]) {
  const events = told.map(({ body, withdrawn }) => ({
    ...(JSON.parse(body) as AlertEvent),
    isWithdrawn: withdrawn === 1,
  }))
  const last = events.at(-1)!

  return {
    subject: `${titleOf(last)}: ${watchedWords(last)}`,
    text: `Hola:

Tu alerta avisa cuando ${watchedWords(last)} ${conditionWords(last)}.

${events.map(lineOf).join('\n')}

Si vuelve a pasar dentro de la próxima hora te lo contamos todo junto, en un solo correo. Para cambiarla, pausarla o borrarla entrá a tu cuenta, en Alertas.

Alerta: ${alertId}
`,
  }
}

type Told = AlertEvent & { isWithdrawn: boolean }

function titleOf({ event, isWithdrawn }: Told): string {
  if (event === 'alert.test') return 'Prueba de alerta'
  return isWithdrawn ? 'Alerta retirada' : 'Alerta'
}

function lineOf(event: Told): string {
  const { value, base, percent, against, updatedAt, isWithdrawn } = event
  const other =
    against && base !== null ? ` y ${watchedWords(against)} a ${valueWords(against, base)}` : ''
  const distance = percent === null ? '' : ` (${signedPercentWords(percent)})`
  // The value itself, or the close that it was measured from: the body does not tell.
  const what = event.condition === 'change' ? 'un valor que la disparó' : 'el valor'
  const end = isWithdrawn ? `. Retirada: ${what} era erróneo y se corrigió` : ''
  const prefix = event.event === 'alert.test' ? 'Prueba: ' : ''

  return `- ${prefix}${timeOf(updatedAt)}: ${watchedWords(event)} a ${valueWords(event, value)}${other}${distance}${end}.`
}

/** `2/3/2026, 12:00` in Argentine time. */
function timeOf(instant: string): string {
  const [day = '', time = ''] = formatArgentine(Date.parse(instant)).split('T')
  const [year, month, date] = day.split('-')
  return `${Number(date)}/${Number(month)}/${year}, ${time.slice(0, 5)}`
}
