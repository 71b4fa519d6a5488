import type { Instant } from '../../../shared/argentine-time.ts'
import { pairById } from '../../../shared/market/catalog.ts'
import { claimNotice, type Notice, returnNotice } from '../db/notices.ts'
import { log, logFailure } from '../../../shared/log.ts'

/** Hands one e-mail over; rejects when it was not taken. */
export type SendMail = (mail: { to: string; subject: string; text: string }) => Promise<unknown>

/** Sends the notices of failure episodes. Whoever claims one first sends it, once. */
export async function sendNotices(
  { db, now }: { db: D1Database; now: () => Instant },
  sendMail: SendMail,
  notices: readonly Notice[],
): Promise<void> {
  for (const notice of notices) {
    if (!(await claimNotice(db, notice, now()))) continue
    try {
      await sendMail({ to: notice.email, ...noticeMail(notice) })
      log('notice_sent', { webhook: notice.subscriptionId, episode: notice.episode })
    } catch (error) {
      await returnNotice(db, notice, now())
      logFailure('notice_failed', error, { webhook: notice.subscriptionId })
    }
  }
}

/** It holds no link that activates: receiving an e-mail is not a decision. */
export function noticeMail({
  kind,
  pair,
  destination,
  subscriptionId,
}: Omit<Notice, 'email' | 'episode'>) {
  const name = pairById(pair)?.name ?? 'tu cotización'
  if (kind === 'alert') return alertNotice({ name, destination, alertId: subscriptionId })

  return {
    subject: `Pausamos tu webhook de ${name}`,
    text: `Hola:

Diez intentos de entrega seguidos a tu webhook de ${name} fallaron, así que lo pausamos.

  Destino: ${destination}
  Webhook: ${subscriptionId}

Mientras esté pausado no se generan entregas nuevas, y las que esperaban se cancelaron. Cuando el receptor vuelva a responder con un código 2xx, activalo desde la API:

  PATCH /api/v2/webhooks/${subscriptionId}
  {"version": <versión actual>, "enabled": true}

La versión actual se lee con GET /api/v2/webhooks/${subscriptionId}. Al activarlo se envía una entrega de sincronización con el valor vigente. Lo que no llegó se pide con POST /api/v2/webhooks/${subscriptionId}/redeliver y {"since": "…"}.

Este aviso se envía una sola vez por cada serie de fallas.
`,
  }
}

function alertNotice(alert: { name: string; destination: string; alertId: string }) {
  const { name, destination, alertId } = alert

  return {
    subject: `Pausamos tu alerta de ${name}`,
    text: `Hola:

Diez intentos de entrega seguidos de tu alerta de ${name} fallaron, así que la pausamos.

  Destino: ${destination}
  Alerta: ${alertId}

Mientras esté pausada no avisa de nada. Cuando el receptor vuelva a responder con un código 2xx, activala desde tu cuenta o desde la API:

  PATCH /api/v2/alerts/${alertId}
  {"version": <versión actual>, "enabled": true}

La versión actual se lee con GET /api/v2/alerts/${alertId}.

Este aviso se envía una sola vez por cada serie de fallas.
`,
  }
}
