/** What the operations and events of alerts show as examples. */
import * as examples from '../examples.ts'

export const { secret, operationId, url } = examples

export const alert = {
  id: '3c1f7a52-90de-4b7c-8a4e-6d2f1b0c9e8a',
  operationId,
  currency: 'USD',
  origin: 'BLUE',
  side: 'sell',
  condition: 'above',
  threshold: 1500,
  hysteresis: 10,
  against: null,
  repeat: true,
  channel: 'webhook',
  destination: 'https://receptor.example/***',
  receiverAuthorizationConfigured: false,
  enabled: true,
  state: 'active',
  phase: 'armed',
  isMet: false,
  value: 1430,
  percent: null,
  version: 1,
  firedAt: null,
  createdAt: '2026-03-02T15:00:00.000Z',
}

const { webhookId: _, ...sent } = examples.delivery
export const delivery = { ...sent, alertId: alert.id }

const { id: alertId, currency, origin, side, condition, threshold, hysteresis, repeat } = alert
export const triggered = {
  event: 'alert.triggered',
  alertId,
  currency,
  origin,
  side,
  condition,
  threshold,
  hysteresis,
  repeat,
  value: 1505,
  buy: 1485,
  sell: 1505,
  valueType: 'money',
  base: null,
  percent: null,
  against: null,
  updatedAt: '2026-03-02T15:05:02.000Z',
  timestamp: '2026-03-02T15:05:02.000Z',
}
