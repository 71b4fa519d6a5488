import { findPair } from '../../market/catalog.ts'
import { checkDestination, maskDestination } from '../../webhooks/destination/destination.ts'
import { refuse, type Result } from '../../result.ts'
import { planEdit } from '../../webhooks/webhook.ts'
import { type EditRefusal, editWebhook } from './edit.ts'
import { findWebhook } from './read.ts'
import type { StoredWebhook } from './row.ts'
import type { Management, RefusedDestination } from './context.ts'
import { openField, resealFields } from './sealed-fields.ts'

/** What is left out stays as it is. */
export interface SubscriptionEdit {
  version: number
  url?: string | undefined
  currency?: string | undefined
  origin?: string | undefined
  enabled?: boolean | undefined
  /** Null removes it. */
  receiverAuthorization?: string | null | undefined
}

export type EditSubscriptionRefusal =
  | EditRefusal
  | 'unknown_pair'
  | 'admission_closed'
  | RefusedDestination

/**
 * Edits, pauses or activates a webhook. It is planned from the webhook as it is read and written
 * only while its version is the one that was read. `announce` lists deliveries to announce.
 */
export async function editSubscription(
  management: Management,
  accountId: string,
  id: string,
  edit: SubscriptionEdit,
): Promise<Result<{ webhook: StoredWebhook; announce: number[] }, EditSubscriptionRefusal>> {
  const { db, keyring, ownHosts, admitted, capacity, now } = management

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

  return editWebhook(
    db,
    {
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
    },
    { now, capacity, admitted },
  )
}

/** Undefined when it does not open, which no wanted value equals. */
async function openAuthorization(
  keyring: Management['keyring'],
  { id, sealed }: StoredWebhook,
): Promise<string | null | undefined> {
  if (sealed.authorization === null) return null
  return (await openField(keyring, id, 'authorization', sealed.authorization)) ?? undefined
}
