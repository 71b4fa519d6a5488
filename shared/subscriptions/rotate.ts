import { toHex } from '../crypto/hex.ts'
import { ok, refuse, type Result } from '../result.ts'
import { SECRET_BYTES } from '../webhooks/webhook.ts'
import { OPEN } from '../db/deliveries/open.ts'
import type { SubscriptionContext } from './context.ts'
import { findSubscription, selectOne } from './read.ts'
import type { SubscriptionRefusal } from './refusal.ts'
import type { StoredSubscription } from './row.ts'
import type { Kind, Own } from './kind.ts'
import { resealFields } from './sealed-fields.ts'

const IS_SENT = `d.${OPEN} and d.status = 'sending' and d.lease_until > ?7`

/**
 * Gives a subscription a new secret, unless an attempt is in progress, which would be signed with the
 * old secret. The old one stops working at once; waiting deliveries go out under the new.
 */
export async function rotateSecret<Stored extends StoredSubscription>(
  { db, keyring, now, random }: SubscriptionContext,
  kind: Kind<Stored>,
  { id, accountId, version }: Own & { version: number },
): Promise<Result<{ subscription: Stored; secret: string }, SubscriptionRefusal>> {
  const found = await findSubscription(db, kind, { accountId, id }, now)
  if (!found) return refuse('not_found')
  if (found.version !== version) return refuse('version_changed')

  const secret = toHex(random(SECRET_BYTES))
  const sealed = await resealFields(keyring, id, found.sealed, { secret })
  const [updated, stored] = await db.batch([
    db
      .prepare(
        `update subscriptions set url_sealed = ?4, authorization_sealed = ?5, secret_sealed = ?6,
           version = version + 1
         where id = ?1 and account_id = ?2 and version = ?3
           and not exists (select 1 from deliveries d where d.subscription_id = ?1 and ${IS_SENT})
         returning id`,
      )
      .bind(id, accountId, version, sealed.url, sealed.authorization, sealed.secret, now),
    selectOne(db, kind, { accountId, id }, now),
  ])

  const row = stored!.results[0]
  if (row === undefined) return refuse('not_found')
  const subscription = kind.read(row)
  if (updated!.results.length === 0)
    return refuse(subscription.version === version ? 'send_in_flight' : 'version_changed')
  return ok({ subscription, secret })
}
