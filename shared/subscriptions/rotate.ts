import { toHex } from '../encoding.ts'
import { namedBatch } from '../db/named-batch.ts'
import { replaceSecret } from '../db/change-subscription.ts'
import type { Own, StoredSubscription } from '../db/subscriptions.ts'
import { ok, refuse, type Result } from '../result.ts'
import { SECRET_BYTES } from '../webhooks/webhook.ts'
import type { SubscriptionContext } from './context.ts'
import { findSubscription, type Reader } from './kind.ts'
import type { SubscriptionRefusal } from './refusal.ts'
import { resealFields } from './sealed-fields.ts'

/**
 * Gives a subscription a new secret, unless an attempt signed with the old secret is in flight. The
 * old secret stops working at once; waiting deliveries are signed with the new one.
 */
export async function rotateSecret<Stored extends StoredSubscription>(
  { db, keyring, now, random }: SubscriptionContext,
  kind: Reader<Stored>,
  { id, accountId, version }: Own & { version: number },
): Promise<Result<{ subscription: Stored; secret: string }, SubscriptionRefusal>> {
  const own = { accountId, id }
  const found = await findSubscription(db, kind, own, now)
  if (!found) return refuse('not_found')
  if (found.version !== version) return refuse('version_changed')

  const secret = toHex(random(SECRET_BYTES))
  const sealed = await resealFields(keyring, id, found.sealed, { secret })
  const { updated, stored } = await namedBatch(db, {
    updated: replaceSecret(db, { ...own, version, sealed, now }),
    stored: kind.select(db, own, now),
  })

  const [row] = stored.results
  if (row === undefined) return refuse('not_found')
  const subscription = kind.read(row)
  if (updated.results.length === 0)
    return refuse(subscription.version === version ? 'send_in_flight' : 'version_changed')
  return ok({ subscription, secret })
}
