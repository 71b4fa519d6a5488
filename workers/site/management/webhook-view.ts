import { formatUtc } from '../../../shared/argentine-time.ts'
import type { Delivery } from '../../../shared/db/deliveries/list.ts'
import type { Webhook } from '../../../shared/webhooks/webhook.ts'

/** A webhook as answers print it: field by field, so that nothing sealed slips through. */
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
    webhookId: delivery.webhookId,
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
