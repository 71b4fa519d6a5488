import { toHex } from '../encoding.ts'
import { randomUuid } from '../crypto/random.ts'
import { insertRule } from '../db/alerts.ts'
import { namedBatch } from '../db/named-batch.ts'
import { findOperation, insertSubscription, type StoredSubscription } from '../db/subscriptions.ts'
import { ok, refuse, type Result } from '../result.ts'
import { maskDestination } from '../webhooks/destination/destination.ts'
import { SECRET_BYTES } from '../webhooks/webhook.ts'
import type { SubscriptionContext } from './context.ts'
import type { Kind, NewSubscription } from './kind.ts'
import { type SubscriptionRefusal, WORDS } from './refusal.ts'
import { sealFields } from './sealed-fields.ts'

/**
 * `secret` is shown once. Null if an earlier request created the subscription, and for e-mail.
 */
export interface Created<Stored> {
  subscription: Stored
  isNew: boolean
  secret: string | null
}

/**
 * Creates a subscription once per operation id. A repeated request returns the subscription of the
 * first request, even if the body differs.
 */
export async function createSubscription<
  Stored extends StoredSubscription,
  New extends NewSubscription,
>(
  context: SubscriptionContext,
  kind: Kind<Stored, New, never>,
  accountId: string,
  wanted: New,
): Promise<Result<Created<Stored>, SubscriptionRefusal>> {
  const { db, keyring, admitted, now, random } = context
  const { operationId, enabled, receiverAuthorization: authorization = null } = wanted
  const checked = kind.checkNew(context, wanted)
  if (!checked.ok) return checked
  const { pair, url, rule } = checked.value

  const stored = kind.select(db, { accountId, operationId }, now)
  if (!admitted) {
    const row = await stored.first()
    return row
      ? ok({ subscription: kind.read(row), isNew: false, secret: null })
      : refuse('admission_closed')
  }

  const id = randomUuid(random)
  const secret = toHex(random(SECRET_BYTES))
  const { inserted, found, taken } = await namedBatch(db, {
    inserted: insertSubscription(db, {
      id,
      accountId,
      operationId,
      enabled,
      now,
      kind: kind.name,
      limit: WORDS[kind.name].limit,
      pair: pair.id,
      destination: url && maskDestination(url),
      sealed: await sealFields(keyring, id, { url, authorization, secret }),
    }),
    rule: rule ? [insertRule(db, id, rule)] : [],
    found: stored,
    taken: findOperation(db, accountId, operationId),
  })

  const [row] = found.results
  if (row === undefined)
    return refuse(taken.results.length > 0 ? 'operation_taken' : 'limit_reached')
  const isNew = inserted.results.length === 1
  return ok({ subscription: kind.read(row), isNew, secret: isNew && url !== null ? secret : null })
}
