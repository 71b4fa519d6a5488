/** A webhook's states and what an edit does to them. Pure. */
/**
 * `active`: events are made. `manual`: paused by its owner. `failure`: paused after ten failed
 * automatic attempts. `capacity`: on, but events are suspended until there is capacity.
 * `inherited`: came from v1 and waits for its owner (decision 22: states of a webhook).
 */
export const WEBHOOK_STATES = ['active', 'manual', 'failure', 'capacity', 'inherited'] as const
export type WebhookState = (typeof WEBHOOK_STATES)[number]

/** Whether the owner has the subscription switched on. */
export const isEnabled = (state: WebhookState) => state === 'active' || state === 'capacity'

/** The kind of a subscription: a webhook, or an alert. One engine delivers for both. */
export const SUBSCRIPTION_KINDS = ['webhook', 'alert'] as const
export type SubscriptionKind = (typeof SUBSCRIPTION_KINDS)[number]

export const WEBHOOK_SOURCES = ['v1', 'v2'] as const

/** Webhooks that an account may create, and that it may have enabled at once. */
export const WEBHOOK_LIMIT = 5

export const SECRET_BYTES = 32

/** A secret as the libraries of Standard Webhooks take it: the base64 of the bytes of its text. */
export function standardSecret(secret: string): string {
  return `whsec_${btoa(secret)}`
}

/** What an edit changes, computed from the webhook as it was read. */
export interface EditPlan {
  state: WebhookState
  /** Whether waiting automatic and sync deliveries are cancelled. */
  startsRevision: boolean
  /** From paused to enabled: the failure count restarts. */
  activates: boolean
}

/**
 * What an edit does to a webhook (decisions 22, 24, 40: states, pauses and edits). `changes` says
 * whether the pair, the URL or the receiver authorization change; `enabled` is what the owner asks
 * for, if anything.
 */
export function planEdit(
  webhook: { state: WebhookState; enabled: boolean },
  { changes, enabled = webhook.enabled }: { changes: boolean; enabled?: boolean | undefined },
): EditPlan {
  const activates = enabled && !webhook.enabled
  const pauses = !enabled && webhook.enabled
  const startsRevision = changes || activates || pauses

  const state = activates ? 'active' : pauses ? 'manual' : webhook.state
  return { state, startsRevision, activates }
}
