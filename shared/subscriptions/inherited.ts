import type { Instant } from '../argentine-time.ts'
import { INSERT, type SealedFields } from './row.ts'

/** A webhook of the predecessor, ready to be stored. */
export interface InheritedWebhook {
  id: string
  accountId: string
  operationId: string
  /** Its id in the predecessor, which its mark keeps. */
  reference: string
  pair: number
  /** Masked. */
  destination: string
  sealed: SealedFields
  createdAt: Instant
}

/**
 * Stores webhooks of the predecessor in one batch, paused until their owners activate them and
 * without a limit per account (decision 22: states of a webhook). Marks make a second import do
 * nothing, even after a deletion. Within one call no account may have a reference twice. Returns
 * the ids stored.
 */
export async function importInheritedWebhooks(
  db: D1Database,
  webhooks: readonly InheritedWebhook[],
  now: Instant,
): Promise<string[]> {
  const rows = webhooks.map(({ sealed, ...webhook }) => ({
    ...webhook,
    url: sealed.url,
    secret: sealed.secret,
  }))
  const marks = webhooks.map(({ accountId, reference }) => [accountId, reference])

  const [stored] = await db.batch<{ id: string }>([
    db
      .prepare(
        `${INSERT}
         select value ->> 'id', value ->> 'accountId', value ->> 'operationId', 'webhook', 'https', value ->> 'pair',
           value ->> 'destination', value ->> 'url', null, value ->> 'secret', 0, 'inherited',
           'v1', 1, 1, 1, 0, 0, value ->> 'createdAt'
         from json_each(?1)
         where not exists (select 1 from import_marks where account_id = value ->> 'accountId'
           and kind = 'webhook' and reference = value ->> 'reference')
         returning id`,
      )
      .bind(JSON.stringify(rows)),
    db
      .prepare(
        `insert into import_marks (account_id, kind, reference, created_at)
         select value ->> 0, 'webhook', value ->> 1, ?2 from json_each(?1) where true
         on conflict do nothing`,
      )
      .bind(JSON.stringify(marks), now),
  ])
  return stored!.results.map(({ id }) => id)
}
