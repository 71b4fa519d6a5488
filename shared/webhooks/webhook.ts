/** A webhook's states and what an edit does to them. Pure. */
import type { Instant } from '../argentine-time.ts'
import type { Pair } from '../market/catalog.ts'

/**
 * `active`: events are made. `manual`: paused by its owner. `failure`: paused after ten failed
 * automatic attempts. `capacity`: on, but events are suspended until there is room. `inherited`:
 * came from v1 and waits for its owner (decision 22).
 */
export const WEBHOOK_STATES = ['active', 'manual', 'failure', 'capacity', 'inherited'] as const
export type WebhookState = (typeof WEBHOOK_STATES)[number]

/** Webhooks that an account may create, and that it may have on at a time. */
export const WEBHOOK_LIMIT = 5

export interface Webhook {
  /** UUID, lower case. */
  id: string
  operationId: string
  pair: Pair
  /** Masked. */
  destination: string
  enabled: boolean
  receiverAuthorizationConfigured: boolean
  state: WebhookState
  source: 'v1' | 'v2'
  version: number
  needsSync: boolean
  createdAt: Instant
}

/** What an edit changes, worked out from the webhook as it was read. */
export interface EditPlan {
  state: WebhookState
  enabled: boolean
  /** Null: as it is when the edit is written. A sync may be delivered until then. */
  needsSync: boolean | null
  /** Waiting automatic and sync deliveries belong to the past: they are cancelled. */
  startsRevision: boolean
  /** A sync is to be made now, if there is room and admission is open. */
  wantsSync: boolean
  /** From paused to on: failures start at zero, in a new episode. */
  activates: boolean
}

/**
 * What becomes of a webhook that is edited (decisions 22, 24, 40): `changes` says whether pair,
 * URL or receiver authorization become others, `enabled` is what its owner asks for, if anything.
 */
export function planEdit(
  webhook: Pick<Webhook, 'state' | 'enabled'>,
  { changes, enabled = webhook.enabled }: { changes: boolean; enabled?: boolean | undefined },
): EditPlan {
  const activates = enabled && !webhook.enabled
  const pauses = !enabled && webhook.enabled
  const startsRevision = changes || activates || pauses
  const owesSync = enabled && (changes || activates)

  const state = activates ? 'active' : pauses ? 'manual' : webhook.state
  return {
    state,
    enabled,
    needsSync: owesSync ? true : enabled ? null : false,
    startsRevision,
    wantsSync: owesSync && state === 'active',
    activates,
  }
}
