/** E-mails about webhooks and alerts that failures paused. */
import { log, logFailure } from '../../../shared/log.ts'
import type { SendMail } from '../../../shared/mail.ts'
import { pairById } from '../../../shared/market/catalog.ts'
import { WORDS } from '../../../shared/subscriptions/refusal.ts'
import { ERROR_WORDS } from '../../../shared/webhooks/delivery.ts'
import type { MailDeps } from './alert-mails.ts'
import { claimNotice, MAILS_AT_ONCE, type Notice, returnNotice } from '../db/mails.ts'

/**
 * Sends notices. Deletes each notice before it sends the e-mail, so that only one of concurrent
 * sweeps sends it; after a crash in between, the e-mail is lost and not repeated. A refused notice
 * is retried later, after the others. Returns the same as `sendAlertMails`.
 */
export async function sendNotices(
  { db, now, publicOrigin }: MailDeps,
  sendMail: SendMail,
  notices: readonly Notice[],
): Promise<boolean> {
  let refused = 0
  for (const notice of notices) {
    const { subscriptionId } = notice
    if (!(await claimNotice(db, notice))) continue
    try {
      await sendMail({ to: notice.email, ...noticeMail(notice, publicOrigin ?? '') })
      log('notice_sent', { webhook: subscriptionId })
    } catch (error) {
      refused += 1
      await returnNotice(db, notice, now())
      logFailure('notice_failed', error, { webhook: subscriptionId })
    }
  }
  return notices.length === MAILS_AT_ONCE && refused === 0
}

/** A paused webhook misses changes; an alert does not. */
const MISSED = (call: string, history: string) => `
Al activarlo se envía una entrega de sincronización con el valor vigente. Las entregas que fallaron o se cancelaron se piden de nuevo, y los cambios ocurridos durante la pausa, que no tienen entrega, se leen en el historial:

  POST ${call}/redeliver
  {"since": "…"}

  GET ${history}?from=AAAA-MM-DD
`

/** The e-mail has no link that activates, because opening a link must not change anything. */
function noticeMail(notice: Notice, origin: string) {
  const { destination, subscriptionId, code, errorType } = notice
  const pair = pairById(notice.pair)
  const kind = WORDS[notice.kind]
  const name = `tu ${kind.noun} de ${pair?.name ?? 'tu cotización'}`
  const call = `${origin}/api/v2/${kind.plural}/${subscriptionId}`
  const history = `${origin}/api/v2/${pair?.currency}/${pair?.origin}/history`.toLowerCase()
  const error = errorType && `${ERROR_WORDS[errorType]}${code === null ? '' : ` (HTTP ${code})`}`

  return {
    subject: `Pausamos ${name}`,
    text: `Hola:

Diez intentos de entrega seguidos de ${name} fallaron, y quedó en pausa.

  Destino: ${destination}
  Último error: ${error ?? 'desconocido'}
  Página: ${origin}/cuenta/${kind.many}/${subscriptionId}

Mientras esté en pausa no se generan entregas nuevas, y las que esperaban se cancelaron. Cuando el receptor vuelva a responder con un código 2xx, se puede activar en esa página o desde la API:

  PATCH ${call}
  {"version": <versión actual>, "enabled": true}

La versión actual se lee con GET ${call}.
${notice.kind === 'webhook' && pair ? MISSED(call, history) : ''}
Este aviso se envía una sola vez por cada serie de fallas.
`,
  }
}
