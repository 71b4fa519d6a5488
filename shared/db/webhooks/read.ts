import { inCatalogue } from '../in-catalogue.ts'
import { isOfKind, type Kind } from '../kind.ts'
import { COLUMNS, type StoredWebhook, toWebhook, type WebhookRow } from './row.ts'

/** An account's webhooks, oldest first. */
export async function listWebhooks(db: D1Database, accountId: string): Promise<StoredWebhook[]> {
  const { results } = await db
    .prepare(`select ${COLUMNS} from webhooks where account_id = ?1 and ${inCatalogue('pair')}
       order by created_at, id`)
    .bind(accountId)
    .all<WebhookRow>()

  return results.map(toWebhook)
}

/** One webhook of an account, or an alert's receiver. One of another account counts as absent. */
export async function findWebhook(
  db: D1Database,
  accountId: string,
  id: string,
  kind: Kind = 'webhook',
): Promise<StoredWebhook | null> {
  const row = await db
    .prepare(
      `select ${COLUMNS} from webhooks where id = ?1 and account_id = ?2 and ${isOfKind(kind, 'pair')}`,
    )
    .bind(id, accountId)
    .first<WebhookRow>()

  return row && toWebhook(row)
}

/** The webhook that an account created with an operation id, if any. */
export async function findByOperation(
  db: D1Database,
  accountId: string,
  operationId: string,
): Promise<StoredWebhook | null> {
  const row = await db
    .prepare(
      `select ${COLUMNS} from webhooks where account_id = ?1 and operation_id = ?2 and ${inCatalogue('pair')}`,
    )
    .bind(accountId, operationId)
    .first<WebhookRow>()

  return row && toWebhook(row)
}
