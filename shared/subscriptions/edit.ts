import type { Keyring } from '../crypto/keyring.ts'
import { cancelWaiting } from '../db/deliveries/settle.ts'
import { OPEN } from '../db/deliveries/open.ts'
import { isShown } from '../db/is-shown.ts'
import { ok, refuse, type Result } from '../result.ts'
import { maskDestination } from '../webhooks/destination/destination.ts'
import { planEdit } from '../webhooks/webhook.ts'
import type { SubscriptionContext } from './context.ts'
import type { Kind, NewSubscription, Own, Switch } from './kind.ts'
import { findSubscription, selectOne } from './read.ts'
import type { SubscriptionRefusal } from './refusal.ts'
import type { SealedFields, StoredSubscription } from './row.ts'
import { type ClearFields, openField, resealFields } from './sealed-fields.ts'

export interface Edited<Stored> {
  subscription: Stored
  /** Whether it is owed a sync, which the next sweep makes. */
  owesSync: boolean
}

/**
 * Edits, pauses or activates a subscription. What is written follows from the subscription as it
 * was read, and is written only if it still has that version: of concurrent edits one succeeds. The
 * same batch cancels the waiting deliveries of the prior revision.
 */
export async function editSubscription<
  Stored extends StoredSubscription,
  New extends NewSubscription,
  Edit extends Switch,
>(
  context: SubscriptionContext,
  kind: Kind<Stored, New, Edit>,
  { accountId, id }: Own,
  edit: Edit | Switch,
): Promise<Result<Edited<Stored>, SubscriptionRefusal>> {
  const { db, admitted, now } = context
  const { version } = edit
  const stored = await findSubscription(db, kind, { accountId, id }, now)
  if (!stored) return refuse('not_found')
  if (stored.version !== version) return refuse('version_changed')

  const checked = kind.checkEdit(context, stored, edit)
  if (!checked.ok) return checked
  const { pair, url, authorization, beginsAgain } = checked.value
  const target = await changeTarget(context.keyring, stored, { url, authorization })
  const changes = target.changes || checked.value.changes
  const plan = planEdit(stored, { changes, enabled: edit.enabled })
  if ((plan.activates || beginsAgain) && !admitted) return refuse('admission_closed')

  const { before, after } = checked.value.statements(plan)
  const results = await db.batch([
    ...before,
    db
      .prepare(
        `update subscriptions set pair = ?4, destination = ?5, url_sealed = ?6,
           channel = iif(?6 is null, 'email', 'https'), authorization_sealed = ?7,
           secret_sealed = ?8, enabled = ?9, state = ?10,
           needs_sync = iif(kind = 'alert', 0, coalesce(?11, needs_sync)), version = version + 1,
           revision = revision + ?12, episode = episode + ?13,
           consecutive_failures = iif(?13, 0, consecutive_failures)
         where id = ?1 and account_id = ?2 and version = ?3 and (not ?13 or (
           select count(*) from subscriptions
           where account_id = ?2 and enabled = 1 and ${isShown(kind.name)}) < ${kind.limit})
         returning id`,
      )
      .bind(
        id,
        accountId,
        version,
        pair.id,
        target.destination,
        target.sealed.url,
        target.sealed.authorization,
        target.sealed.secret,
        Number(plan.enabled),
        plan.state,
        plan.needsSync === null ? null : Number(plan.needsSync),
        Number(plan.startsRevision),
        Number(plan.activates),
      ),
    ...after,
    ...(plan.startsRevision ? [...cancelWaiting(db, id, now), moveRedeliveries(db, id)] : []),
    selectOne(db, kind, { accountId, id }, now),
  ])

  const row = results.at(-1)!.results[0]
  if (row === undefined) return refuse('not_found')
  const subscription = kind.read(row)
  if (results[before.length]!.results.length === 0)
    return refuse(subscription.version === version ? 'limit_reached' : 'version_changed')
  return ok({ subscription, owesSync: kind.name === 'webhook' && plan.needsSync === true })
}

/** The destination of a subscription, and its credential. */
interface Target {
  destination: string | null
  sealed: SealedFields
  /** Whether it differs from the stored one. */
  changes: boolean
}

/** The target after an edit: undefined leaves a field, null removes it. */
async function changeTarget(
  keyring: Keyring,
  { id, destination, sealed }: StoredSubscription,
  wanted: { [Field in 'url' | 'authorization']?: string | null | undefined },
): Promise<Target> {
  const changed: Partial<ClearFields> = {}
  for (const field of ['url', 'authorization'] as const) {
    const text = wanted[field]
    if (text === undefined) continue
    // A field that cannot be opened differs from any text.
    const isSame =
      text === null
        ? sealed[field] === null
        : text === (await openField(keyring, id, field, sealed[field]))
    if (!isSame) changed[field] = text
  }

  const { url } = changed
  return {
    destination: url === undefined ? destination : url && maskDestination(url),
    sealed: await resealFields(keyring, id, sealed, changed),
    changes: Object.keys(changed).length > 0,
  }
}

/** Redeliveries go to the subscription's new destination. */
function moveRedeliveries(db: D1Database, id: string): D1PreparedStatement {
  return db
    .prepare(
      `update deliveries set destination = (select w.destination from subscriptions w where w.id = ?1)
       where subscription_id = ?1 and redelivery is not null and ${OPEN}
         and status in ('pending', 'failed')`,
    )
    .bind(id)
}
