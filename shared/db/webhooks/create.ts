import { toHex } from '../../crypto/hex.ts'
import { randomUuid } from '../../crypto/random.ts'
import { findPair } from '../../market/catalog.ts'
import { ok, refuse, type Result } from '../../result.ts'
import { checkDestination, maskDestination } from '../../webhooks/destination/destination.ts'
import { SECRET_BYTES, WEBHOOK_LIMIT } from '../../webhooks/webhook.ts'
import { inCatalogue } from '../in-catalogue.ts'
import type { RefusedDestination, WebhookContext } from './context.ts'
import { findByOperation } from './read.ts'
import {
  COLUMNS,
  INSERT,
  type InsertedWebhook,
  type StoredWebhook,
  toWebhook,
  type WebhookRow,
} from './row.ts'
import { sealFields } from './sealed-fields.ts'

export interface NewWebhook {
  operationId: string
  url: string
  currency: string
  origin: string
  enabled: boolean
  receiverAuthorization?: string | undefined
}

/** `operation_taken`: the operation made something of the other kind, or of a pair that is gone. */
export type InsertRefusal = 'limit_reached' | 'operation_taken'

export type CreateRefusal = 'unknown_pair' | 'admission_closed' | InsertRefusal | RefusedDestination

/** `secret` is null when an earlier request made the webhook: a secret is shown only once. */
export type CreatedWebhook = { webhook: StoredWebhook; secret: string | null }

/** Creates a webhook once per operation id, whatever a repeated request says. */
export async function createWebhook(
  context: WebhookContext,
  accountId: string,
  wanted: NewWebhook,
): Promise<Result<CreatedWebhook, CreateRefusal>> {
  const { db, keyring, ownHosts, admitted, now, random } = context

  const pair = findPair(wanted.currency, wanted.origin)
  if (!pair) return refuse('unknown_pair')
  const destination = checkDestination(wanted.url, ownHosts)
  if (!destination.ok) return refuse({ refusedDestination: destination.refusal.reason })

  if (!admitted) {
    const made = await findByOperation(db, accountId, wanted.operationId)
    return made ? ok({ webhook: made, secret: null }) : refuse('admission_closed')
  }

  const { url } = destination.value
  const id = randomUuid(random)
  const secret = toHex(random(SECRET_BYTES))
  const { receiverAuthorization: authorization = null } = wanted
  const created = await insertWebhook(db, {
    id,
    accountId,
    operationId: wanted.operationId,
    pair: pair.id,
    destination: maskDestination(url),
    sealed: await sealFields(keyring, id, { url, authorization, secret }),
    enabled: wanted.enabled,
    createdAt: now,
  })
  if (!created.ok) return created

  const { webhook, isNew } = created.value
  return ok({ webhook, secret: isNew ? secret : null })
}

/**
 * Inserts a webhook, or returns the one that the same operation inserted before. The insertion
 * itself counts the webhooks, so concurrent requests never pass the limit. It also requires the
 * account, which may have been deleted meanwhile.
 */
async function insertWebhook(
  db: D1Database,
  webhook: InsertedWebhook & { enabled: boolean },
): Promise<Result<{ webhook: StoredWebhook; isNew: boolean }, InsertRefusal>> {
  const { accountId, operationId } = webhook

  const [inserted, stored, taken] = (await db.batch([
    insertWithin(db, webhook, { counted: inCatalogue('pair'), limit: WEBHOOK_LIMIT }),
    db
      .prepare(
        `select ${COLUMNS} from webhooks where account_id = ?1 and operation_id = ?2 and ${inCatalogue('pair')}`,
      )
      .bind(accountId, operationId),
    selectOperation(db, { accountId, operationId }),
  ])) as [D1Result, D1Result<WebhookRow>, D1Result]

  const row = stored.results[0]
  if (!row) return refuse(taken.results.length > 0 ? 'operation_taken' : 'limit_reached')
  return ok({ webhook: toWebhook(row), isNew: inserted.results.length === 1 })
}

/** The statement that finds what an operation made, of whatever kind. */
export function selectOperation(
  db: D1Database,
  { accountId, operationId }: { accountId: string; operationId: string },
): D1PreparedStatement {
  return db
    .prepare(`select 1 from webhooks where account_id = ?1 and operation_id = ?2`)
    .bind(accountId, operationId)
}

/**
 * The statement that inserts a receiver once per operation id, while the account exists and has
 * fewer than `limit` rows that meet the condition `counted`. It returns the id when it inserted.
 */
export function insertWithin(
  db: D1Database,
  receiver: InsertedWebhook & { enabled: boolean },
  { counted, limit }: { counted: string; limit: number },
): D1PreparedStatement {
  const { id, accountId, operationId, pair, destination, sealed, enabled, createdAt } = receiver
  return db
    .prepare(
      `${INSERT}
       select ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, 'v2', 1, 1, 1, 0, 0, ?11
       where (select count(*) from webhooks where account_id = ?2 and ${counted}) < ${limit}
         and exists (select 1 from accounts where id = ?2)
       on conflict (account_id, operation_id) do nothing
       returning id`,
    )
    .bind(
      id,
      accountId,
      operationId,
      pair,
      destination,
      sealed.url,
      sealed.authorization,
      sealed.secret,
      Number(enabled),
      enabled ? 'active' : 'manual',
      createdAt,
    )
}
