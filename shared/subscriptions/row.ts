import { pairById } from '../market/catalog.ts'
import type { Subscription } from '../webhooks/webhook.ts'
import type { subscriptions } from '../db/schema.ts'

/** The beginning of every insertion of subscriptions. */
export const INSERT = `insert into subscriptions (id, account_id, operation_id, kind, channel, pair,
  destination, url_sealed, authorization_sealed, secret_sealed, enabled, state, source, version,
  revision, episode, consecutive_failures, needs_sync, created_at)`

/** The columns that make a `StoredSubscription`, under the names of the schema. */
export const COLUMNS = `id, operation_id as operationId, pair, destination,
  url_sealed as urlSealed, authorization_sealed as authorizationSealed,
  secret_sealed as secretSealed, enabled, state, version, created_at as createdAt`

type Table = typeof subscriptions.$inferSelect

/** A row as D1 gives it. */
export type SubscriptionRow = Pick<
  Table,
  | 'id'
  | 'operationId'
  | 'pair'
  | 'destination'
  | 'urlSealed'
  | 'authorizationSealed'
  | 'secretSealed'
  | 'state'
  | 'version'
  | 'createdAt'
> & { enabled: 0 | 1 }

export interface SealedFields {
  /** Null for an alert by e-mail. */
  url: string | null
  authorization: string | null
  secret: string
}

/** A subscription with its sealed fields. */
export interface StoredSubscription extends Subscription {
  sealed: SealedFields
}

export function toSubscription(row: SubscriptionRow): StoredSubscription {
  return {
    id: row.id,
    operationId: row.operationId,
    pair: pairById(row.pair)!,
    destination: row.destination,
    enabled: row.enabled === 1,
    receiverAuthorizationConfigured: row.authorizationSealed !== null,
    state: row.state,
    version: row.version,
    createdAt: row.createdAt,
    sealed: {
      url: row.urlSealed,
      authorization: row.authorizationSealed,
      secret: row.secretSealed,
    },
  }
}
