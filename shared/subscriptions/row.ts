import { type Pair, pairById } from '../market/catalog.ts'
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
type Plain = Pick<Table, 'id' | 'operationId' | 'destination' | 'state' | 'version' | 'createdAt'>

/** A row as D1 gives it. */
export type SubscriptionRow = Plain &
  Pick<Table, 'pair' | 'urlSealed' | 'authorizationSealed' | 'secretSealed'> & { enabled: 0 | 1 }

export interface SealedFields {
  /** Null for an alert by e-mail. */
  url: string | null
  authorization: string | null
  secret: string
}

/** What webhooks and alerts have in common, with their sealed fields. */
export interface StoredSubscription extends Plain {
  pair: Pair
  enabled: boolean
  receiverAuthorizationConfigured: boolean
  sealed: SealedFields
}

export function toSubscription(row: SubscriptionRow): StoredSubscription {
  const { id, operationId, destination, state, version, createdAt } = row
  const sealed = {
    url: row.urlSealed,
    authorization: row.authorizationSealed,
    secret: row.secretSealed,
  }
  return {
    id,
    operationId,
    destination,
    state,
    version,
    createdAt,
    pair: pairById(row.pair)!,
    enabled: row.enabled === 1,
    receiverAuthorizationConfigured: sealed.authorization !== null,
    sealed,
  }
}
