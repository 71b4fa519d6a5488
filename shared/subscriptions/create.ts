import { toHex } from '../crypto/hex.ts'
import { randomUuid } from '../crypto/random.ts'
import { findPair, type Pair } from '../market/catalog.ts'
import { ok, refuse, type Result } from '../result.ts'
import { checkDestination, maskDestination } from '../webhooks/destination/destination.ts'
import { SECRET_BYTES } from '../webhooks/webhook.ts'
import { isShown } from '../db/is-shown.ts'
import type { SubscriptionContext } from './context.ts'
import { findByOperation, selectByOperation } from './read.ts'
import type { SubscriptionRefusal } from './refusal.ts'
import {
  INSERT,
  type InsertedSubscription,
  type Rows,
  type StoredSubscription,
  type StoredWebhook,
  webhookRows,
} from './row.ts'
import { sealFields } from './sealed-fields.ts'

/**
 * `secret` is null for e-mail, and when an earlier request created the subscription: it is shown only
 * once.
 */
export interface Created<Stored> {
  subscription: Stored
  isNew: boolean
  secret: string | null
}

export interface NewWebhook {
  operationId: string
  url: string
  currency: string
  origin: string
  enabled: boolean
  receiverAuthorization?: string | undefined
}

/** Creates a webhook once per operation id, even if a repeated request differs. */
export async function createWebhook(
  context: SubscriptionContext,
  accountId: string,
  wanted: NewWebhook,
): Promise<Result<Created<StoredWebhook>, SubscriptionRefusal>> {
  const pair = findPair(wanted.currency, wanted.origin)
  if (!pair) return refuse('unknown_pair')
  const destination = checkDestination(wanted.url, context.ownHosts)
  if (!destination.ok) return refuse({ reason: destination.refusal.reason })

  const { url } = destination.value
  return createSubscription(context, webhookRows, accountId, { ...wanted, pair, url })
}

/** The validated fields of a new subscription. */
export interface NewSubscription {
  operationId: string
  pair: Pair
  /** Null: it goes by e-mail. */
  url: string | null
  receiverAuthorization?: string | undefined
  enabled: boolean
}

/**
 * Inserts a subscription and the rows of `more`, or returns the subscription that the same operation
 * inserted before. The insertion itself counts the account's subscriptions, so concurrent requests
 * never pass the limit. It also requires the account, which may have been deleted meanwhile. Each
 * statement of `more` carries `changes() = 1`.
 */
export async function createSubscription<Stored extends StoredSubscription>(
  { db, keyring, admitted, now, random }: SubscriptionContext,
  rows: Rows<Stored>,
  accountId: string,
  wanted: NewSubscription,
  more: (id: string) => D1PreparedStatement[] = () => [],
): Promise<Result<Created<Stored>, SubscriptionRefusal>> {
  const { operationId, pair, url, receiverAuthorization: authorization = null, enabled } = wanted
  const operation = { accountId, operationId }
  if (!admitted) {
    const made = await findByOperation(db, rows, operation, now)
    return made
      ? ok({ subscription: made, isNew: false, secret: null })
      : refuse('admission_closed')
  }

  const id = randomUuid(random)
  const secret = toHex(random(SECRET_BYTES))
  const subscription: InsertedSubscription = {
    id,
    accountId,
    operationId,
    kind: rows.kind,
    channel: url === null ? 'email' : 'https',
    pair: pair.id,
    destination: url && maskDestination(url),
    sealed: await sealFields(keyring, id, { url, authorization, secret }),
    enabled,
    createdAt: now,
  }
  const results = await db.batch([
    insertWithin(db, subscription, rows.limit),
    ...more(id),
    selectByOperation(db, rows, operation, now),
    db
      .prepare(`select 1 from subscriptions where account_id = ?1 and operation_id = ?2`)
      .bind(accountId, operationId),
  ])

  const [stored, taken] = results.slice(-2)
  const row = stored!.results[0]
  if (row === undefined)
    return refuse(taken!.results.length > 0 ? 'operation_taken' : 'limit_reached')
  const isNew = results[0]!.results.length === 1
  return ok({ subscription: rows.read(row), isNew, secret: isNew && url !== null ? secret : null })
}

/** Inserts a subscription once per operation id, while its account has fewer than `limit` of its kind. */
function insertWithin(
  db: D1Database,
  subscription: InsertedSubscription,
  limit: number,
): D1PreparedStatement {
  const { id, accountId, operationId, kind, channel, pair, destination, sealed } = subscription
  const { enabled, createdAt } = subscription
  return db
    .prepare(
      `${INSERT}
       select ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, 'v2', 1, 1, 1, 0, 0, ?13
       where (select count(*) from subscriptions where account_id = ?2 and ${isShown(kind)}) < ${limit}
         and exists (select 1 from accounts where id = ?2)
       on conflict (account_id, operation_id) do nothing
       returning id`,
    )
    .bind(
      id,
      accountId,
      operationId,
      kind,
      channel,
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
