/** Notices of failure episodes, by e-mail. */
import { DAY_MS, HOUR_MS, type Instant, MINUTE_MS } from '../../../shared/argentine-time.ts'
import { MAY_DELIVER } from '../../../shared/db/installation.ts'
import { log, logFailure } from '../../../shared/log.ts'
import { pairById } from '../../../shared/market/catalog.ts'
import type { SubscriptionKind } from '../../../shared/webhooks/webhook.ts'

/** Hands one e-mail over; rejects when it was not taken. */
export type SendMail = (mail: { to: string; subject: string; text: string }) => Promise<unknown>

/** A failure notice to send by e-mail. */
export interface Notice {
  subscriptionId: string
  episode: number
  email: string
  kind: SubscriptionKind
  pair: number
  /** Masked. */
  destination: string
}

/** Notices of one sweep. Mail providers dislike bursts. */
const AT_ONCE = 5

/** SQL of the wait after a refusal: five minutes, then four times as long, up to six hours. */
export const mailWait = (failures: string) =>
  `min(${6 * HOUR_MS}, ${5 * MINUTE_MS} << min(2 * ${failures}, 20))`

/** The webhook of a notice `n` is still paused by the failures that the notice tells of. */
const IS_TRUE = `w.id = n.subscription_id and w.episode = n.episode and w.state = 'failure'`

/** The statement that finds notices that are due and not a day old, those never refused first. */
export function findUnsent(db: D1Database, now: Instant): D1PreparedStatement {
  return db
    .prepare(
      `select n.subscription_id as subscriptionId, n.episode, a.email, w.kind, w.pair, w.destination
       from notices n join subscriptions w on ${IS_TRUE} join accounts a on a.id = w.account_id
       where n.sent_at is null and n.created_at > ?1 - ${DAY_MS} and n.due_at <= ?1
         and ${MAY_DELIVER}
       order by n.due_at, n.created_at limit ${AT_ONCE}`,
    )
    .bind(now)
}

/**
 * Sends notices. Each is marked as sent before it is, so that one of concurrent sweeps sends it: a
 * crash in between loses the e-mail rather than repeating it. It stays where the webhook was activated
 * meanwhile. A refused one is due again after a growing wait, behind the others.
 */
export async function sendNotices(
  { db, now }: { db: D1Database; now: () => Instant },
  sendMail: SendMail,
  notices: readonly Notice[],
): Promise<void> {
  for (const notice of notices) {
    const { subscriptionId, episode } = notice
    const write = (sql: string) => db.prepare(sql).bind(subscriptionId, episode, now()).run()
    const { meta } = await write(
      `update notices as n set sent_at = ?3 where subscription_id = ?1 and episode = ?2
         and sent_at is null and exists (select 1 from subscriptions w where ${IS_TRUE})`,
    )
    if (meta.changes === 0) continue
    try {
      await sendMail({ to: notice.email, ...noticeMail(notice) })
      log('notice_sent', { webhook: subscriptionId, episode })
    } catch (error) {
      await write(
        `update notices set sent_at = null, failures = failures + 1,
           due_at = ?3 + ${mailWait('failures')} where subscription_id = ?1 and episode = ?2`,
      )
      logFailure('notice_failed', error, { webhook: subscriptionId })
    }
  }
}

const WORDS = {
  webhook: {
    path: 'webhooks',
    subject: 'Pausamos tu webhook',
    failed: 'a tu webhook',
    paused: 'lo pausamos',
    label: 'Webhook',
    meanwhile:
      'no se generan entregas nuevas, y las que esperaban se cancelaron. Cuando el receptor vuelva a responder con un código 2xx, activalo desde la API',
    after: (path: string) =>
      ` Al activarlo se envía una entrega de sincronización con el valor vigente. Lo que no llegó se pide con POST ${path}/redeliver y {"since": "…"}.`,
  },
  alert: {
    path: 'alerts',
    subject: 'Pausamos tu alerta',
    failed: 'de tu alerta',
    paused: 'la pausamos',
    label: 'Alerta',
    meanwhile:
      'no avisa de nada. Cuando el receptor vuelva a responder con un código 2xx, activala desde tu cuenta o desde la API',
    after: () => '',
  },
} as const

/** It holds no link that activates: receiving an e-mail is not a decision. */
function noticeMail({ kind, pair, destination, subscriptionId }: Notice) {
  const name = pairById(pair)?.name ?? 'tu cotización'
  const words = WORDS[kind]
  const path = `/api/v2/${words.path}/${subscriptionId}`
  const isPaused = kind === 'webhook' ? 'esté pausado' : 'esté pausada'

  return {
    subject: `${words.subject} de ${name}`,
    text: `Hola:

Diez intentos de entrega seguidos ${words.failed} de ${name} fallaron, así que ${words.paused}.

  Destino: ${destination}
  ${words.label}: ${subscriptionId}

Mientras ${isPaused} ${words.meanwhile}:

  PATCH ${path}
  {"version": <versión actual>, "enabled": true}

La versión actual se lee con GET ${path}.${words.after(path)}

Este aviso se envía una sola vez por cada serie de fallas.
`,
  }
}
