import type { Instant } from '../argentine-time.ts'
import type { SealedFields } from './webhook/row.ts'

/** A webhook of v1, ready to be stored. */
export interface InheritedWebhook {
  id: string
  accountId: string
  operationId: string
  pair: number
  /** Masked. */
  destination: string
  sealed: SealedFields
  createdAt: Instant
  /** Its id in v1: what its mark remembers. */
  reference: string
}

/**
 * Stores a webhook of v1, paused until its owner activates it, however many the account has
 * (decision 22). The mark keeps a second import from doing anything, even after a deletion.
 * Returns whether it was stored.
 */
export async function importInheritedWebhook(
  db: D1Database,
  webhook: InheritedWebhook,
  now: Instant,
): Promise<boolean> {
  const { id, accountId, operationId, pair, destination, sealed, createdAt, reference } = webhook

  const [stored] = await db.batch([
    db
      .prepare(
        `insert into webhooks (id, account_id, operation_id, pair, destination, url_sealed,
           authorization_sealed, secret_sealed, enabled, state, source, version, revision, episode,
           consecutive_failures, needs_sync, created_at)
         select ?1, ?2, ?3, ?4, ?5, ?6, null, ?7, 0, 'inherited', 'v1', 1, 1, 1, 0, 0, ?8
         where not exists (select 1 from import_marks
           where account_id = ?2 and kind = 'webhook' and reference = ?9)
         returning id`,
      )
      .bind(
        id,
        accountId,
        operationId,
        pair,
        destination,
        sealed.url,
        sealed.secret,
        createdAt,
        reference,
      ),
    db
      .prepare(
        `insert into import_marks (account_id, kind, reference, created_at)
         values (?1, 'webhook', ?2, ?3) on conflict do nothing`,
      )
      .bind(accountId, reference, now),
  ])
  return stored!.results.length === 1
}
