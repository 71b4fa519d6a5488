/** What the routes of webhooks take and answer, field by field as in the contract. */
import type { Currency, Origin } from './types.ts'

export interface Webhook {
  id: string
  operationId: string
  currency: Currency
  origin: Origin
  /** The address, masked: its path may be a credential. */
  destination: string
  enabled: boolean
  receiverAuthorizationConfigured: boolean
  state: 'active' | 'manual' | 'failure' | 'capacity' | 'inherited'
  source: 'v1' | 'v2'
  /** Grows with each change; every change asks for the current one. */
  version: number
  needsSync: boolean
  /** UTC. */
  createdAt: string
}

export interface OwnWebhook extends Webhook {
  /** The whole address; only a single read has it. */
  url: string
}

export interface NewWebhook {
  /** Public https. */
  url: string
  currency: Currency
  origin: Origin
  enabled?: boolean | undefined
  /** Sent to the receiver as it is, in `Authorization`. */
  receiverAuthorization?: string | undefined
  /** A UUID, made here when left out. The same one twice makes one webhook. */
  operationId?: string | undefined
}

export interface WebhookEdit {
  version: number
  url?: string | undefined
  currency?: Currency | undefined
  origin?: Origin | undefined
  /** True activates from any pause. */
  enabled?: boolean | undefined
  /** Null removes it. */
  receiverAuthorization?: string | null | undefined
}

/** The secret is shown this once. */
export interface IssuedWebhook {
  webhook: Webhook
  secret: string
  reconciled: false
}

/** The webhook was there already, made with the same `operationId`: its secret is not told again. */
export type ReconciledWebhook = { webhook: Webhook; reconciled: true }

export type EditedWebhook = { webhook: Webhook; reconciled: false }

export type WebhookList = { webhooks: Webhook[]; limit: 5 }

/** Accepted, not yet received: only `delivered` proves that. */
export interface QueuedTest {
  id: number
  deliveryId: string
  status: 'pending'
}

/** Deliveries that go out again, and how many since then are still to be asked for. */
export interface Redelivered {
  redelivered: number
  remaining: number
}

export type DeliveryStatus = 'pending' | 'sending' | 'failed' | 'delivered' | 'dead' | 'cancelled'

export interface Delivery {
  id: number
  /** The same in all attempts. */
  deliveryId: string
  webhookId: string
  currency: Currency
  origin: Origin
  destination: string
  type: 'automatic' | 'manual' | 'sync'
  status: DeliveryStatus
  /** Up to 4, and up to 4 more for each redelivery. */
  attempts: number
  /** The receiver's HTTP status. */
  code: number | null
  errorType:
    | 'http'
    | 'redirect'
    | 'timeout'
    | 'network'
    | 'destination'
    | 'interrupted'
    | 'configuration'
    | 'expired'
    | null
  createdAt: string
  lastAttemptAt: string | null
  resolvedAt: string | null
}

export interface DeliveryPage {
  deliveries: Delivery[]
  /** For `cursor` of the next page; null on the last. */
  nextCursor: string | null
}

export type DeliveriesOptions = {
  webhookId?: string | undefined
  deliveryId?: string | undefined
  status?: DeliveryStatus | undefined
  cursor?: string | undefined
  /** 1 to 50. */
  limit?: number | undefined
}
