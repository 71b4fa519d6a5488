/** Rows of webhooks and alerts: the common columns. */
import type { Instant } from '../argentine-time.ts'
import { type Pair, pairById } from '../market/catalog.ts'
import { isEnabled, type SubscriptionKind } from '../webhooks/webhook.ts'
import type { Statement } from './named-batch.ts'
import type { subscriptions } from './schema.ts'

type Table = typeof subscriptions.$inferSelect
type Plain = Pick<Table, 'id' | 'operationId' | 'destination' | 'state' | 'version' | 'createdAt'>

/** A row as D1 returns it. */
export type SubscriptionRow = Plain &
  Pick<Table, 'pair' | 'urlSealed' | 'authorizationSealed' | 'secretSealed'>

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
    enabled: isEnabled(state),
    receiverAuthorizationConfigured: sealed.authorization !== null,
    sealed,
  }
}

/** A subscription of an account. */
export interface Own {
  accountId: string
  id: string
}

/** Selects subscriptions of an account: all, one by its id, or one by its operation id. */
export interface Which {
  accountId: string
  id?: string
  operationId?: string
}

/** The indexed column that finds these subscriptions, and its value. */
export function keyOf({ accountId, id, operationId }: Which): [column: string, value: string] {
  if (id !== undefined) return ['id', id]
  return operationId !== undefined ? ['operation_id', operationId] : ['account_id', accountId]
}

export type WebhookRow = SubscriptionRow & Pick<Table, 'source'> & { needsSync: 0 | 1 }

/** The statement that reads webhooks, oldest first. */
export function selectWebhooks(db: D1Database, which: Which): Statement<WebhookRow> {
  const [column, value] = keyOf(which)
  return db
    .prepare(
      `select id, operation_id as operationId, pair, destination, url_sealed as urlSealed,
         authorization_sealed as authorizationSealed, secret_sealed as secretSealed, state,
         version, created_at as createdAt, source, sync is not null as needsSync
       from subscriptions
       where account_id = ?1 and ${column} = ?2 and kind = 'webhook'
       order by created_at, id`,
    )
    .bind(which.accountId, value)
}

/** A subscription to insert. */
export interface NewRow {
  id: string
  accountId: string
  operationId: string
  kind: SubscriptionKind
  /** The maximum of subscriptions of this kind in the account. */
  limit: number
  pair: number
  destination: string | null
  sealed: SealedFields
  enabled: boolean
  now: Instant
}

/**
 * The statement that inserts a subscription, once per operation id. It counts the account's
 * subscriptions, so that concurrent requests cannot exceed the limit, and requires that the account
 * still exists.
 */
export function insertSubscription(db: D1Database, row: NewRow): Statement<{ id: string }> {
  return db
    .prepare(
      `insert into subscriptions (id, account_id, operation_id, kind, pair, destination,
         url_sealed, authorization_sealed, secret_sealed, state, source, version, revision,
         consecutive_failures, created_at)
       select ?1 ->> 'id', ?1 ->> 'accountId', ?1 ->> 'operationId', ?1 ->> 'kind',
         ?1 ->> 'pair', ?1 ->> 'destination',
         ?1 ->> '$.sealed.url', ?1 ->> '$.sealed.authorization', ?1 ->> '$.sealed.secret',
         iif(?1 ->> 'enabled', 'active', 'manual'), 'v2', 1, 1, 0, ?1 ->> 'now'
       where (select count(*) from subscriptions
           where account_id = ?1 ->> 'accountId' and kind = ?1 ->> 'kind') < ?1 ->> 'limit'
         and exists (select 1 from accounts where id = ?1 ->> 'accountId')
       on conflict (account_id, operation_id) do nothing
       returning id`,
    )
    .bind(JSON.stringify(row))
}

/** The statement that finds whether either kind already uses an operation id of an account. */
export function findOperation(db: D1Database, accountId: string, operationId: string): Statement {
  return db
    .prepare(`select 1 from subscriptions where account_id = ?1 and operation_id = ?2`)
    .bind(accountId, operationId)
}
