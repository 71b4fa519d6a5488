import type { Instant } from '../../argentine-time.ts'

/** A failure notice to send by e-mail. */
export interface Notice {
  webhookId: string
  episode: number
  email: string
  pair: number
  /** Masked. */
  destination: string
}

/** An older notice stays unsent. */
const MAX_AGE_MS = 24 * 60 * 60 * 1000

/** The wait after the first refusal; each further one waits four times as long, up to `MAX_WAIT_MS`. */
const WAIT_MS = 5 * 60 * 1000
const MAX_WAIT_MS = 6 * 60 * 60 * 1000

/** The statement that finds notices that are due and not too old, those never refused first. */
export function findUnsent(db: D1Database, now: Instant, limit: number): D1PreparedStatement {
  return db
    .prepare(
      `select n.webhook_id as webhookId, n.episode, a.email, w.pair, w.destination
       from (select webhook_id, episode from notices
           where sent_at is null and created_at > ?1 and due_at <= ?3
           order by due_at, created_at limit ?2) n
         join webhooks w on w.id = n.webhook_id join accounts a on a.id = w.account_id`,
    )
    .bind(now - MAX_AGE_MS, limit, now)
}

/**
 * Marks a notice as sent before it is, so that one of concurrent sweeps sends it. A crash in between
 * loses the e-mail rather than repeating it; the API shows the state all the same.
 */
export async function claimNotice(
  db: D1Database,
  { webhookId, episode }: Pick<Notice, 'webhookId' | 'episode'>,
  now: Instant,
): Promise<boolean> {
  const { meta } = await db
    .prepare(
      `update notices set sent_at = ?3 where webhook_id = ?1 and episode = ?2 and sent_at is null`,
    )
    .bind(webhookId, episode, now)
    .run()
  return meta.changes === 1
}

/** Returns a refused notice. It is due again after a growing wait, behind the others. */
export async function returnNotice(
  db: D1Database,
  { webhookId, episode }: Pick<Notice, 'webhookId' | 'episode'>,
  now: Instant,
): Promise<void> {
  await db
    .prepare(
      `update notices set sent_at = null, failures = failures + 1,
         due_at = ?3 + min(${MAX_WAIT_MS}, ${WAIT_MS} << min(2 * failures, 20))
       where webhook_id = ?1 and episode = ?2`,
    )
    .bind(webhookId, episode, now)
    .run()
}
