import type { Instant } from '../argentine-time.ts'
import { pairById } from '../market/catalog.ts'
import {
  type SUBSCRIPTION_CHANNELS,
  type Subscription,
  type SubscriptionKind,
  type Webhook,
  WEBHOOK_LIMIT,
} from '../webhooks/webhook.ts'
import { isShown } from '../db/is-shown.ts'
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

export type StoredWebhook = Webhook & StoredSubscription

/** A subscription ready to be inserted. */
export interface InsertedSubscription {
  id: string
  accountId: string
  operationId: string
  kind: SubscriptionKind
  channel: (typeof SUBSCRIPTION_CHANNELS)[number]
  pair: number
  /** Masked. */
  destination: string | null
  sealed: SealedFields
  enabled: boolean
  createdAt: Instant
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

/** How the subscriptions of a kind are read. */
export interface Rows<Stored extends StoredSubscription> {
  kind: SubscriptionKind
  /** How many an account may have. */
  limit: number
  /** Selects the rows of `subscriptions` that meet a condition, oldest first. */
  select: (where: string, now: Instant) => string
  read: (row: unknown) => Stored
}

export const webhookRows: Rows<StoredWebhook> = {
  kind: 'webhook',
  limit: WEBHOOK_LIMIT,
  select: (where) => `select ${COLUMNS}, source, needs_sync as needsSync from subscriptions
    where ${isShown('webhook')} and ${where} order by created_at, id`,
  read(found) {
    const row = found as SubscriptionRow & Pick<Table, 'source'> & { needsSync: 0 | 1 }
    return { ...toSubscription(row), source: row.source, needsSync: row.needsSync === 1 }
  },
}
