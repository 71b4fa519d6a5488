import type { Keyring } from '../crypto/sealed-box.ts'
import { toHex } from '../encoding.ts'
import { namedBatch } from '../db/named-batch.ts'
import { editStatements, replaceSecret } from '../db/change-subscription.ts'
import type { Own, SealedFields, StoredSubscription } from '../db/subscriptions.ts'
import { ok, refuse, type Result } from '../result.ts'
import { maskDestination } from '../webhooks/destination/destination.ts'
import { isEnabled, planEdit, SECRET_BYTES } from '../webhooks/webhook.ts'
import type { SubscriptionContext } from './context.ts'
import { findSubscription, type Kind, type Reader, type Switch } from './kind.ts'
import { type SubscriptionRefusal, WORDS } from './refusal.ts'
import { type ClearFields, openField, sealFields } from './sealed-fields.ts'

export interface Edited<Stored> {
  subscription: Stored
  /** Whether the webhook is owed a sync, which the next sweep makes. */
  owesSync: boolean
}

/**
 * Edits, pauses or activates a subscription. The edit is computed from the subscription as read,
 * and written only if the version is still the same, so only one of concurrent edits succeeds. The
 * same batch cancels the waiting deliveries of the old revision.
 */
export async function editSubscription<Stored extends StoredSubscription, Edit extends Switch>(
  context: SubscriptionContext,
  kind: Kind<Stored, never, Edit>,
  own: Own,
  edit: Edit | Switch,
): Promise<Result<Edited<Stored>, SubscriptionRefusal>> {
  const { db, admitted, now } = context
  const { version } = edit
  const stored = await findSubscription(db, kind, own, now)
  if (!stored) return refuse('not_found')
  if (stored.version !== version) return refuse('version_changed')

  const checked = kind.checkEdit(context, stored, edit)
  if (!checked.ok) return checked
  const { pair, url, authorization, beginsAgain, rule } = checked.value
  const { changes, ...target } = await changeTarget(context.keyring, stored, { url, authorization })
  const plan = planEdit(stored, {
    changes: changes || checked.value.changes,
    enabled: edit.enabled,
  })
  if ((plan.activates || beginsAgain) && !admitted) return refuse('admission_closed')

  const row = {
    ...own,
    ...plan,
    ...target,
    version,
    now,
    kind: kind.name,
    limit: WORDS[kind.name].limit,
    pair: pair.id,
  }
  const restarts = checked.value.changes || plan.activates || beginsAgain
  const { written, after } = await namedBatch(db, {
    ...editStatements(db, row, rule && { rule, restarts }),
    after: kind.select(db, own, now),
  })

  const [found] = after.results
  if (found === undefined) return refuse('not_found')
  const subscription = kind.read(found)
  if (written.results.length === 0)
    return refuse(subscription.version === version ? 'limit_reached' : 'version_changed')
  return ok({
    subscription,
    owesSync: kind.name === 'webhook' && plan.startsRevision && isEnabled(plan.state),
  })
}

interface Target {
  destination: string | null
  /** The fields that change. */
  sealed: Partial<SealedFields>
  changes: boolean
}

/** The target after an edit. In `wanted`, undefined keeps a field and null removes it. */
async function changeTarget(
  keyring: Keyring,
  { id, destination, sealed }: StoredSubscription,
  wanted: { [Field in 'url' | 'authorization']?: string | null | undefined },
): Promise<Target> {
  const changed: Partial<ClearFields> = {}
  for (const field of ['url', 'authorization'] as const) {
    const text = wanted[field]
    if (text === undefined) continue
    // A field that cannot be opened counts as different from any text.
    const isSame =
      text === null
        ? sealed[field] === null
        : text === (await openField(keyring, id, field, sealed[field]))
    if (!isSame) changed[field] = text
  }

  const { url } = changed
  return {
    destination: url === undefined ? destination : url && maskDestination(url),
    sealed: await sealFields(keyring, id, changed),
    changes: Object.keys(changed).length > 0,
  }
}

/**
 * Gives a subscription a new secret, unless an attempt signed with the old secret is in flight.
 * Waiting deliveries are signed with the new secret.
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
  const sealed = await sealFields(keyring, id, { secret })
  const { updated, stored } = await namedBatch(db, {
    updated: replaceSecret(db, { ...own, version, secret: sealed.secret, now }),
    stored: kind.select(db, own, now),
  })

  const [row] = stored.results
  if (row === undefined) return refuse('not_found')
  const subscription = kind.read(row)
  if (updated.results.length === 0)
    return refuse(subscription.version === version ? 'send_in_flight' : 'version_changed')
  return ok({ subscription, secret })
}
