/** What the routes of alerts take and answer, and what an alert sends. */
import type { Currency, Origin, Side, ValueType } from './types.ts'
import type { DeliveriesOptions, Delivery, Webhook } from './webhook-types.ts'

export type AlertCondition = 'above' | 'below' | 'change' | 'gap'
export type AlertChannel = 'webhook' | 'email'

/** The other pair of a `gap`. */
export interface AlertAgainst {
  currency: Currency
  origin: Origin
  side: Side
}

export interface Alert {
  id: string
  operationId: string
  currency: Currency
  origin: Origin
  side: Side
  condition: AlertCondition
  /** A price for `above` and `below`, percent for the others. */
  threshold: number
  /** How far the value has to go back before it may fire again. */
  hysteresis: number
  against: AlertAgainst | null
  /** Whether it arms itself again after firing. */
  repeat: boolean
  channel: AlertChannel
  /** The address, masked; null by e-mail. */
  destination: string | null
  receiverAuthorizationConfigured: boolean
  enabled: boolean
  state: Webhook['state']
  /** `waiting`: the condition is met already, and has to stop being met first. */
  phase: 'armed' | 'waiting' | 'done'
  isMet: boolean | null
  /** What it looks at, now. */
  value: number | null
  percent: number | null
  version: number
  firedAt: string | null
  createdAt: string
}

export interface OwnAlert extends Alert {
  url: string | null
}

export interface NewAlert {
  currency: Currency
  origin: Origin
  /** `sell` when left out. */
  side?: Side | undefined
  condition: AlertCondition
  threshold: number
  hysteresis?: number | undefined
  against?: { currency: Currency; origin: Origin; side?: Side | undefined } | null | undefined
  repeat?: boolean | undefined
  /** `webhook`, which needs `url`, when left out. */
  channel?: AlertChannel | undefined
  url?: string | undefined
  enabled?: boolean | undefined
  receiverAuthorization?: string | undefined
  operationId?: string | undefined
}

export interface AlertEdit extends Partial<
  Omit<NewAlert, 'operationId' | 'receiverAuthorization'>
> {
  version: number
  receiverAuthorization?: string | null | undefined
}

/** The secret is shown this once; an alert by e-mail has none. */
export interface IssuedAlert {
  alert: Alert
  secret?: string | undefined
  reconciled: false
}

export type ReconciledAlert = { alert: Alert; reconciled: true }

export type EditedAlert = { alert: Alert; reconciled: false }

export interface RotatedAlert {
  alert: Alert
  secret: string
  reconciled: false
}

export type AlertList = { alerts: Alert[]; limit: 20 }

/** By e-mail a test is no delivery, and has no ids. */
export interface QueuedAlertTest {
  id: number | null
  deliveryId: string | null
  status: 'pending'
}

export interface AlertDelivery extends Omit<Delivery, 'webhookId'> {
  alertId: string
}

export type AlertDeliveryPage = { deliveries: AlertDelivery[]; nextCursor: string | null }

export type AlertDeliveriesOptions = Omit<DeliveriesOptions, 'webhookId'> & {
  alertId?: string | undefined
}

export interface AlertAgainstQuote extends AlertAgainst {
  buy: number
  sell: number
  updatedAt: string
}

/** The body of a delivery of an alert: `verifyWebhook<AlertEvent>(…)`. */
export interface AlertEvent {
  event: 'alert.triggered' | 'alert.test'
  alertId: string
  currency: Currency
  origin: Origin
  side: Side
  condition: AlertCondition
  threshold: number
  hysteresis: number
  repeat: boolean
  value: number
  buy: number
  sell: number
  valueType: ValueType
  base: number | null
  percent: number | null
  against: AlertAgainstQuote | null
  updatedAt: string
  timestamp: string
  isManual?: true | undefined
}
