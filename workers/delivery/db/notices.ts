import type { Instant } from '../../../shared/argentine-time.ts'
import type { SubscriptionKind } from '../../../shared/webhooks/webhook.ts'

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

/** An older notice stays unsent. */
const MAX_AGE_MS = 24 * 60 * 60 * 1000

/** The wait after the first refusal; each further one waits four times as long, up to `MAX_WAIT_MS`. */
const WAIT_MS = 5 * 60 * 1000
const MAX_WAIT_MS = 6 * 60 * 60 * 1000

/** The webhook of a notice `n` is still paused by the failures that the notice tells of. */
const IS_TRUE = `w.id = n.subscription_id and w.episode = n.episode and w.state = 'failure'`

/** The statement that finds notices that are due and not too old, those never refused first. */
export function findUnsent(db: D1Database, now: Instant, limit: number): D1PreparedStatement {
  return db
    .prepare(
      `select n.subscription_id as subscriptionId, n.episode, a.email, w.kind, w.pair, w.destination
       from notices n join subscriptions w on ${IS_TRUE} join accounts a on a.id = w.account_id
       where n.sent_at is null and n.created_at > ?1 and n.due_at <= ?3
       order by n.due_at, n.created_at limit ?2`,
    )
    .bind(now - MAX_AGE_MS, limit, now)
}

/**
 * Marks a notice as sent before it is, so that one of concurrent sweeps sends it. A crash in between
 * loses the e-mail rather than repeating it; the API shows the state all the same. False too when
 * the webhook was activated since it was found.
 */
export async function claimNotice(
  db: D1Database,
  { subscriptionId, episode }: Pick<Notice, 'subscriptionId' | 'episode'>,
  now: Instant,
): Promise<boolean> {
  const { meta } = await db
    .prepare(
      `update notices as n set sent_at = ?3 where subscription_id = ?1 and episode = ?2
         and sent_at is null and exists (select 1 from subscriptions w where ${IS_TRUE})`,
    )
    .bind(subscriptionId, episode, now)
    .run()
  return meta.changes === 1
}

/** Returns a refused notice. It is due again after a growing wait, behind the others. */
export async function returnNotice(
  db: D1Database,
  { subscriptionId, episode }: Pick<Notice, 'subscriptionId' | 'episode'>,
  now: Instant,
): Promise<void> {
  await db
    .prepare(
      `update notices set sent_at = null, failures = failures + 1,
         due_at = ?3 + min(${MAX_WAIT_MS}, ${WAIT_MS} << min(2 * failures, 20))
       where subscription_id = ?1 and episode = ?2`,
    )
    .bind(subscriptionId, episode, now)
    .run()
}
