import type { Keyring } from '../crypto/keyring.ts'
import { findPair } from '../market/catalog.ts'
import { ok, refuse, type Result } from '../result.ts'
import { checkDestination, maskDestination } from '../webhooks/destination/destination.ts'
import { type EditPlan, planEdit } from '../webhooks/webhook.ts'
import { cancelWaiting } from '../db/deliveries/cancel-waiting.ts'
import { OPEN } from '../db/deliveries/open.ts'
import { makeOwedSync } from '../db/deliveries/owed-syncs.ts'
import { isShown } from '../db/is-shown.ts'
import type { SubscriptionContext } from './context.ts'
import { findSubscription, selectOne } from './read.ts'
import type { SubscriptionRefusal } from './refusal.ts'
import {
  type Rows,
  type SealedFields,
  type StoredSubscription,
  type StoredWebhook,
  webhookRows,
} from './row.ts'
import { type ClearFields, openField, resealFields } from './sealed-fields.ts'

/** A field that is left out stays as it is. */
export interface WebhookEdit {
  version: number
  url?: string | undefined
  currency?: string | undefined
  origin?: string | undefined
  enabled?: boolean | undefined
  /** Null removes it. */
  receiverAuthorization?: string | null | undefined
}

export interface Edited<Stored> {
  subscription: Stored
  /** Deliveries to enqueue. */
  due: { id: number }[]
}

/**
 * Edits, pauses or activates a webhook. The plan follows from the webhook as it was read; it is
 * written only if the webhook still has that version.
 */
export async function editWebhook(
  context: SubscriptionContext,
  accountId: string,
  id: string,
  edit: WebhookEdit,
): Promise<Result<Edited<StoredWebhook>, SubscriptionRefusal>> {
  const { db, ownHosts, admitted, now, capacity } = context

  const webhook = await findSubscription(db, webhookRows, { accountId, id }, now)
  if (!webhook) return refuse('not_found')
  if (webhook.version !== edit.version) return refuse('version_changed')

  const { pair: current } = webhook
  const pair = findPair(edit.currency ?? current.currency, edit.origin ?? current.origin)
  if (!pair) return refuse('unknown_pair')
  const destination = edit.url === undefined ? null : checkDestination(edit.url, ownHosts)
  if (destination && !destination.ok) return refuse({ reason: destination.refusal.reason })

  const target = await changeTarget(context.keyring, webhook, {
    url: destination?.value.url,
    authorization: edit.receiverAuthorization,
  })
  const changes = target.changes || pair !== current
  const plan = planEdit(webhook, { changes, enabled: edit.enabled })
  if (plan.activates && !admitted) return refuse('admission_closed')

  const planned = { ...target, id, accountId, version: edit.version, plan, pair: pair.id }
  return writeEdit(context, webhookRows, planned, {
    syncs:
      plan.wantsSync && admitted ? makeOwedSync(db, { subscriptionId: id, now, capacity }) : [],
  })
}

/** The destination of a subscription, and its credential. */
export interface Target {
  destination: string | null
  sealed: SealedFields
  /** Whether it differs from the stored one. */
  changes: boolean
}

/** The target after an edit: undefined leaves a field, null removes it. */
export async function changeTarget(
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

export interface PlannedEdit extends Omit<Target, 'changes'> {
  id: string
  accountId: string
  /** The version that `plan` follows from. */
  version: number
  plan: EditPlan
  pair: number
}

/** Statements of the same batch. */
interface MoreOfEdit {
  /** Before the version goes up. */
  before?: readonly D1PreparedStatement[]
  /** After the subscription is written: each carries `changes() = 1`. */
  after?: readonly D1PreparedStatement[]
  /** They make the sync; the first returns it. */
  syncs?: readonly D1PreparedStatement[]
}

/**
 * Writes an edit if the subscription still has the version it was planned from: of concurrent edits one
 * succeeds. The same batch cancels the waiting deliveries of the prior revision.
 */
export async function writeEdit<Stored extends StoredSubscription>(
  { db, now }: SubscriptionContext,
  rows: Rows<Stored>,
  edit: PlannedEdit,
  { before = [], after = [], syncs = [] }: MoreOfEdit,
): Promise<Result<Edited<Stored>, SubscriptionRefusal>> {
  const { id, version, plan } = edit
  const own = [
    ...before,
    updateStatement(db, rows, edit),
    ...after,
    ...(plan.startsRevision ? [...cancelWaiting(db, id, now), moveRedeliveries(db, id)] : []),
  ]
  const results = await db.batch([...own, ...syncs, selectOne(db, rows, edit, now)])

  const row = results.at(-1)!.results[0]
  if (row === undefined) return refuse('not_found')
  const subscription = rows.read(row)
  if (results[before.length]!.results.length === 0)
    return refuse(subscription.version === version ? 'limit_reached' : 'version_changed')

  const made = syncs.length > 0 ? results[own.length]!.results : []
  return ok({ subscription, due: (made as { id: number }[]).map(({ id }) => ({ id })) })
}

function updateStatement(
  db: D1Database,
  { kind, limit }: Rows<StoredSubscription>,
  { id, accountId, version, plan, pair, destination, sealed }: PlannedEdit,
): D1PreparedStatement {
  return db
    .prepare(
      `update subscriptions set pair = ?4, destination = ?5, url_sealed = ?6,
         channel = iif(?6 is null, 'email', 'https'), authorization_sealed = ?7,
         secret_sealed = ?8, enabled = ?9, state = ?10,
         needs_sync = coalesce(?11, needs_sync), version = version + 1, revision = revision + ?12,
         episode = episode + ?13,
         consecutive_failures = case when ?13 then 0 else consecutive_failures end
       where id = ?1 and account_id = ?2 and version = ?3 and (not ?13 or (select count(*)
         from subscriptions where account_id = ?2 and enabled = 1 and ${isShown(kind)}) < ${limit})
       returning id`,
    )
    .bind(
      id,
      accountId,
      version,
      pair,
      destination,
      sealed.url,
      sealed.authorization,
      sealed.secret,
      Number(plan.enabled),
      plan.state,
      // An alert is owed no sync.
      kind === 'alert' || plan.needsSync === null ? null : Number(plan.needsSync),
      Number(plan.startsRevision),
      Number(plan.activates),
    )
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
