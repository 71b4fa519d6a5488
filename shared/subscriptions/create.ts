import { toHex } from '../crypto/hex.ts'
import { randomUuid } from '../crypto/random.ts'
import { isShown } from '../db/is-shown.ts'
import { ok, refuse, type Result } from '../result.ts'
import { maskDestination } from '../webhooks/destination/destination.ts'
import { SECRET_BYTES } from '../webhooks/webhook.ts'
import type { SubscriptionContext } from './context.ts'
import type { Kind, NewSubscription } from './kind.ts'
import { selectByOperation } from './read.ts'
import type { SubscriptionRefusal } from './refusal.ts'
import { INSERT, type StoredSubscription } from './row.ts'
import { sealFields } from './sealed-fields.ts'

/**
 * `secret` is null for e-mail, and when an earlier request created the subscription: it is shown
 * only once.
 */
export interface Created<Stored> {
  subscription: Stored
  isNew: boolean
  secret: string | null
}

/**
 * Creates a subscription once per operation id, even if a repeated request differs: then it is the
 * one that the first created. The insertion itself counts the account's subscriptions, so
 * concurrent requests never pass the limit. It also requires the account, which may have been
 * deleted meanwhile.
 */
export async function createSubscription<
  Stored extends StoredSubscription,
  New extends NewSubscription,
>(
  context: SubscriptionContext,
  kind: Kind<Stored, New>,
  accountId: string,
  wanted: New,
): Promise<Result<Created<Stored>, SubscriptionRefusal>> {
  const { db, keyring, admitted, now, random } = context
  const { operationId, enabled, receiverAuthorization: authorization = null } = wanted
  const checked = kind.checkNew(context, wanted)
  if (!checked.ok) return checked
  const { pair, url, inserts } = checked.value

  const stored = selectByOperation(db, kind, { accountId, operationId }, now)
  if (!admitted) {
    const row = await stored.first()
    return row
      ? ok({ subscription: kind.read(row), isNew: false, secret: null })
      : refuse('admission_closed')
  }

  const id = randomUuid(random)
  const secret = toHex(random(SECRET_BYTES))
  const sealed = await sealFields(keyring, id, { url, authorization, secret })
  const [inserted, ...others] = await db.batch([
    db
      .prepare(
        `${INSERT}
         select ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, 'v2', 1, 1, 1, 0, 0, ?13
         where (select count(*) from subscriptions
             where account_id = ?2 and ${isShown(kind.name)}) < ${kind.limit}
           and exists (select 1 from accounts where id = ?2)
         on conflict (account_id, operation_id) do nothing
         returning id`,
      )
      .bind(
        id,
        accountId,
        operationId,
        kind.name,
        url === null ? 'email' : 'https',
        pair.id,
        url && maskDestination(url),
        sealed.url,
        sealed.authorization,
        sealed.secret,
        Number(enabled),
        enabled ? 'active' : 'manual',
        now,
      ),
    ...inserts(id),
    stored,
    db
      .prepare(`select 1 from subscriptions where account_id = ?1 and operation_id = ?2`)
      .bind(accountId, operationId),
  ])

  const [found, taken] = others.slice(-2)
  const row = found!.results[0]
  if (row === undefined)
    return refuse(taken!.results.length > 0 ? 'operation_taken' : 'limit_reached')
  const isNew = inserted!.results.length === 1
  return ok({ subscription: kind.read(row), isNew, secret: isNew && url !== null ? secret : null })
}
