import type { Instant } from '../../argentine-time.ts'
import { findPair } from '../../market/catalog.ts'
import { ok, refuse, type Result } from '../../result.ts'
import { checkDestination, maskDestination } from '../../webhooks/destination/destination.ts'
import { type EditPlan, planEdit, WEBHOOK_LIMIT } from '../../webhooks/webhook.ts'
import { releaseCancelled } from '../deliveries/capacity.ts'
import { endedUpTo, OPEN } from '../deliveries/open.ts'
import { makeOwedSync } from '../deliveries/owed-syncs.ts'
import { inCatalogue } from '../in-catalogue.ts'
import type { RefusedDestination, WebhookContext } from './context.ts'
import { findWebhook } from './read.ts'
import {
  COLUMNS,
  type SealedFields,
  type StoredWebhook,
  toWebhook,
  type WebhookRow,
} from './row.ts'
import { openField, resealFields } from './sealed-fields.ts'

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

type WriteRefusal = 'not_found' | 'version_changed' | 'limit_reached'

export type EditRefusal = WriteRefusal | 'unknown_pair' | 'admission_closed' | RefusedDestination

export interface EditedWebhook {
  webhook: StoredWebhook
  /** Deliveries to enqueue. */
  due: { id: number }[]
}

/**
 * Edits, pauses or activates a webhook. The plan follows from the webhook as it was read; it is
 * written only if the webhook still has that version.
 */
export async function editWebhook(
  context: WebhookContext,
  accountId: string,
  id: string,
  edit: WebhookEdit,
): Promise<Result<EditedWebhook, EditRefusal>> {
  const { db, keyring, ownHosts, admitted } = context

  const webhook = await findWebhook(db, accountId, id)
  if (!webhook) return refuse('not_found')
  if (webhook.version !== edit.version) return refuse('version_changed')

  const { pair: current, sealed } = webhook
  const pair = findPair(edit.currency ?? current.currency, edit.origin ?? current.origin)
  if (!pair) return refuse('unknown_pair')
  const destination = edit.url === undefined ? null : checkDestination(edit.url, ownHosts)
  if (destination && !destination.ok)
    return refuse({ refusedDestination: destination.refusal.reason })

  const url = destination?.value.url
  const authorization = edit.receiverAuthorization
  const changesUrl = url !== undefined && url !== (await openField(keyring, id, 'url', sealed.url))
  const changesAuthorization =
    authorization !== undefined && authorization !== (await openAuthorization(keyring, webhook))

  const changes = changesUrl || changesAuthorization || pair !== current
  const plan = planEdit(webhook, { changes, enabled: edit.enabled })
  if (plan.activates && !admitted) return refuse('admission_closed')

  return writeEdit(context, {
    id,
    accountId,
    version: edit.version,
    plan,
    pair: pair.id,
    destination: changesUrl ? maskDestination(url) : webhook.destination,
    sealed: await resealFields(keyring, id, sealed, {
      ...(changesUrl && { url }),
      ...(changesAuthorization && { authorization }),
    }),
  })
}

/** Undefined when it cannot be opened: no wanted value equals that. */
async function openAuthorization(
  keyring: WebhookContext['keyring'],
  { id, sealed }: StoredWebhook,
): Promise<string | null | undefined> {
  if (sealed.authorization === null) return null
  return (await openField(keyring, id, 'authorization', sealed.authorization)) ?? undefined
}

interface PlannedEdit {
  id: string
  accountId: string
  /** The version that `plan` follows from. */
  version: number
  plan: EditPlan
  pair: number
  destination: string
  sealed: SealedFields
}

/**
 * Writes an edit if the webhook still has the version it was planned from: of concurrent edits one
 * succeeds. The same batch cancels the waiting deliveries of the prior revision and makes the sync.
 */
async function writeEdit(
  { db, now, capacity, admitted }: WebhookContext,
  edit: PlannedEdit,
): Promise<Result<EditedWebhook, WriteRefusal>> {
  const { id, accountId, version, plan } = edit
  const cancels = plan.startsRevision ? cancelWaiting(db, id, now) : []
  const syncs = plan.wantsSync && admitted ? makeOwedSync(db, { webhookId: id, now, capacity }) : []

  const results = await db.batch<WebhookRow>([
    updateStatement(db, edit),
    ...cancels,
    ...syncs,
    db
      .prepare(`select ${COLUMNS} from webhooks where id = ?1 and account_id = ?2`)
      .bind(id, accountId),
  ])

  const row = results.at(-1)!.results[0]
  if (!row) return refuse('not_found')
  if (results[0]!.results.length === 0)
    return refuse(row.version === version ? 'limit_reached' : 'version_changed')

  const made = syncs.length > 0 ? results[1 + cancels.length]!.results : []
  return ok({
    webhook: toWebhook(row),
    due: (made as unknown as { id: number }[]).map(({ id }) => ({ id })),
  })
}

function updateStatement(
  db: D1Database,
  { id, accountId, version, plan, pair, destination, sealed }: PlannedEdit,
): D1PreparedStatement {
  return db
    .prepare(
      `update webhooks set pair = ?4, destination = ?5, url_sealed = ?6,
         authorization_sealed = ?7, secret_sealed = ?8, enabled = ?9, state = ?10,
         needs_sync = coalesce(?11, needs_sync), version = version + 1, revision = revision + ?12,
         episode = episode + ?13,
         consecutive_failures = case when ?13 then 0 else consecutive_failures end
       where id = ?1 and account_id = ?2 and version = ?3 and (not ?13 or (
         select count(*) from webhooks where account_id = ?2 and enabled = 1 and ${inCatalogue('pair')}) < ${WEBHOOK_LIMIT})
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
      plan.needsSync === null ? null : Number(plan.needsSync),
      Number(plan.startsRevision),
      Number(plan.activates),
    )
}

/** Cancels what waits, if the statement before changed the webhook. Tests go on (decision 43). */
export function cancelWaiting(db: D1Database, id: string, now: Instant): D1PreparedStatement[] {
  return [
    db
      .prepare(
        `update deliveries set status = 'cancelled', resolved_at = ?2
         where changes() = 1 and webhook_id = ?1 and type in ('automatic', 'sync')
           and id > ${endedUpTo('?1')} and ${OPEN} and status in ('pending', 'failed')`,
      )
      .bind(id, now),
    releaseCancelled(db),
  ]
}
