import { formatUtc } from '../../../shared/argentine-time.ts'
import type { Alert } from '../../../shared/alerts/alert.ts'
import { wantedOf } from '../../../shared/alerts/watch.ts'
import type { Delivery } from '../../../shared/subscriptions/deliveries.ts'
import { percentChange, priceToNumber } from '../../../shared/market/price.ts'
import type { Webhook } from '../../../shared/webhooks/webhook.ts'

/** A webhook as responses print it: field by field, so that no sealed field is printed. */
export function webhookView(webhook: Webhook) {
  return {
    id: webhook.id,
    operationId: webhook.operationId,
    currency: webhook.pair.currency,
    origin: webhook.pair.origin,
    destination: webhook.destination,
    enabled: webhook.enabled,
    receiverAuthorizationConfigured: webhook.receiverAuthorizationConfigured,
    state: webhook.state,
    source: webhook.source,
    version: webhook.version,
    needsSync: webhook.needsSync,
    createdAt: formatUtc(webhook.createdAt),
  }
}

export function deliveryView(delivery: Delivery) {
  return {
    id: delivery.id,
    deliveryId: delivery.deliveryId,
    webhookId: delivery.subscriptionId,
    currency: delivery.pair.currency,
    origin: delivery.pair.origin,
    destination: delivery.destination,
    type: delivery.type,
    status: delivery.status,
    attempts: delivery.attempts,
    code: delivery.code,
    errorType: delivery.errorType,
    createdAt: formatUtc(delivery.createdAt),
    lastAttemptAt: delivery.lastAttemptAt === null ? null : formatUtc(delivery.lastAttemptAt),
    resolvedAt: delivery.resolvedAt === null ? null : formatUtc(delivery.resolvedAt),
  }
}

/** An alert as responses print it: field by field, so that no sealed field is printed. */
export function alertView(alert: Alert) {
  const { now } = alert
  return {
    id: alert.id,
    operationId: alert.operationId,
    ...wantedOf(alert),
    channel: alert.channel,
    destination: alert.destination,
    receiverAuthorizationConfigured: alert.receiverAuthorizationConfigured,
    enabled: alert.enabled,
    state: alert.state,
    phase: alert.phase,
    isMet: now?.isMet ?? null,
    value: now && priceToNumber(now.value),
    percent:
      now === null || now.base === null || now.base === 0
        ? null
        : percentChange(now.value, now.base),
    version: alert.version,
    firedAt: alert.firedAt === null ? null : formatUtc(alert.firedAt),
    createdAt: formatUtc(alert.createdAt),
  }
}

/** A delivery of an alert: as one of a webhook, by the alert's id. */
export function alertDeliveryView(delivery: Delivery) {
  const { webhookId: alertId, ...view } = deliveryView(delivery)
  return { ...view, alertId }
}
