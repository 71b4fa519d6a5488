import type { Instant } from '../../argentine-time.ts'
import { pairById } from '../../market/catalog.ts'
import type { Webhook } from '../../webhooks/webhook.ts'
import { pairIdOf } from '../kind.ts'
import type { webhooks } from '../schema.ts'

/** The head of every insertion of webhooks. */
export const INSERT = `insert into webhooks (id, account_id, operation_id, pair, destination,
  url_sealed, authorization_sealed, secret_sealed, enabled, state, source, version, revision,
  episode, consecutive_failures, needs_sync, created_at)`

/** The columns that make a `StoredWebhook`, under the names of the schema. */
export const COLUMNS = `id, account_id as accountId, operation_id as operationId, pair, destination,
  url_sealed as urlSealed, authorization_sealed as authorizationSealed,
  secret_sealed as secretSealed, enabled, state, source, version, needs_sync as needsSync,
  created_at as createdAt`

type Table = typeof webhooks.$inferSelect

/** A row as D1 gives it. */
export type WebhookRow = Pick<
  Table,
  | 'id'
  | 'accountId'
  | 'operationId'
  | 'pair'
  | 'destination'
  | 'urlSealed'
  | 'authorizationSealed'
  | 'secretSealed'
  | 'state'
  | 'source'
  | 'version'
  | 'createdAt'
> & { enabled: 0 | 1; needsSync: 0 | 1 }

/** A webhook with its sealed fields. */
export interface StoredWebhook extends Webhook {
  sealed: SealedFields
}

export interface SealedFields {
  url: string
  authorization: string | null
  secret: string
}

/** A webhook ready to be inserted. */
export interface InsertedWebhook {
  id: string
  accountId: string
  operationId: string
  pair: number
  /** Masked. */
  destination: string
  sealed: SealedFields
  createdAt: Instant
}

export function toWebhook(row: WebhookRow): StoredWebhook {
  return {
    id: row.id,
    operationId: row.operationId,
    pair: pairById(pairIdOf(row.pair))!,
    destination: row.destination,
    enabled: row.enabled === 1,
    receiverAuthorizationConfigured: row.authorizationSealed !== null,
    state: row.state,
    source: row.source,
    version: row.version,
    needsSync: row.needsSync === 1,
    createdAt: row.createdAt,
    sealed: {
      url: row.urlSealed,
      authorization: row.authorizationSealed,
      secret: row.secretSealed,
    },
  }
}
