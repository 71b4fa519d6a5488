/** The states of a webhook, and how an edit changes them. Pure functions. */
/**
 * `active`: gets deliveries. `manual`: paused by its owner. `failure`: paused after ten failed
 * automatic attempts. `capacity`: enabled, but gets no deliveries until there is capacity.
 * `inherited`: imported from v1, and paused until its owner activates it (decision 22: states).
 */
export const WEBHOOK_STATES = ['active', 'manual', 'failure', 'capacity', 'inherited'] as const
export type WebhookState = (typeof WEBHOOK_STATES)[number]

/** Whether the subscription is enabled for its owner. */
export const isEnabled = (state: WebhookState) => state === 'active' || state === 'capacity'

/** The kind of a subscription. Webhooks and alerts share the code of deliveries. */
export const SUBSCRIPTION_KINDS = ['webhook', 'alert'] as const
export type SubscriptionKind = (typeof SUBSCRIPTION_KINDS)[number]

export const WEBHOOK_SOURCES = ['v1', 'v2'] as const

/** The maximum of webhooks that an account may create, and of its enabled webhooks. */
export const WEBHOOK_LIMIT = 5

export const SECRET_BYTES = 32

/** The form of a secret in Standard Webhooks libraries: base64 of the secret's text. */
export function standardSecret(secret: string): string {
  return `whsec_${btoa(secret)}`
}

/** What an edit changes, computed from the webhook as it was read. */
export interface EditPlan {
  state: WebhookState
  /** Whether waiting automatic and sync deliveries are cancelled. */
  startsRevision: boolean
  /** Whether a paused webhook becomes enabled, which resets the failure count. */
  activates: boolean
}

/**
 * What an edit does to a webhook (decisions 22, 24, 40: states, pauses and edits). `changes`:
 * whether the pair, the URL or the receiver authorization changes. `enabled`: the owner's request,
 * by default the present state.
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
