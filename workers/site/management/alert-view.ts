import { formatUtc } from '../../../shared/argentine-time.ts'
import type { Alert } from '../../../shared/alerts/alert.ts'
import { wantedOf } from '../../../shared/alerts/watch.ts'
import type { Delivery } from '../../../shared/db/deliveries/list.ts'
import { percentChange, priceToNumber } from '../../../shared/market/price.ts'
import { deliveryView } from './webhook-view.ts'

/** An alert as answers print it: field by field, so that nothing sealed slips through. */
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
