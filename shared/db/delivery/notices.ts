import type { Instant } from '../../argentine-time.ts'

/** A notice that is ours to send: nobody else gets it. */
export interface Notice {
  webhookId: string
  episode: number
  email: string
  pair: number
  /** Masked. */
  destination: string
}

/** After this a notice is old news and stays unsent. */
const NEWS_MS = 24 * 60 * 60 * 1000

/** The statement that finds unsent notices that are still news. */
export function findUnsent(db: D1Database, now: Instant, limit: number): D1PreparedStatement {
  return db
    .prepare(
      `select n.webhook_id as webhookId, n.episode, a.email, w.pair, w.destination
       from (select webhook_id, episode from notices
           where sent_at is null and created_at > ?1 order by created_at limit ?2) n
         join webhooks w on w.id = n.webhook_id join accounts a on a.id = w.account_id`,
    )
    .bind(now - NEWS_MS, limit)
}

/**
 * Marks a notice as sent, before it is: of any number of sweeps one may send it. A crash in
 * between loses the e-mail rather than repeating it; the state is in the API all the same.
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

/** Gives a notice back that could not be sent. */
export async function returnNotice(
  db: D1Database,
  { webhookId, episode }: Pick<Notice, 'webhookId' | 'episode'>,
): Promise<void> {
  await db
    .prepare(`update notices set sent_at = null where webhook_id = ?1 and episode = ?2`)
    .bind(webhookId, episode)
    .run()
}
