/** One example of each kind, used everywhere. Tests check them against the schemas. */

export const operationId = '5f0c1f0e-6f0a-4a4e-9d59-0d7c2a1b3c4d'
export const url = 'https://receptor.example/cotizaciones'

export const webhook = {
  id: '0b9d2c1e-8a55-4d6f-9a0e-3f1c2b4d5e6f',
  operationId,
  currency: 'USD',
  origin: 'BLUE',
  destination: 'https://receptor.example/***',
  enabled: true,
  receiverAuthorizationConfigured: false,
  state: 'active',
  source: 'v2',
  version: 1,
  needsSync: false,
  createdAt: '2026-03-02T15:00:00.000Z',
}

/** A new secret, as answers show it. */
export const secret = { secret: '0123456789abcdef'.repeat(4) }

export const delivery = {
  id: 42,
  deliveryId: '0195575e-1f00-7c3a-8a8b-1c2d3e4f5a6b',
  webhookId: webhook.id,
  currency: 'USD',
  origin: 'BLUE',
  destination: webhook.destination,
  type: 'automatic',
  status: 'delivered',
  attempts: 1,
  code: 200,
  errorType: null,
  createdAt: '2026-03-02T15:00:00.000Z',
  lastAttemptAt: '2026-03-02T15:00:01.250Z',
  resolvedAt: '2026-03-02T15:00:01.480Z',
}

export const event = {
  event: 'rate.updated',
  currency: 'USD',
  origin: 'BLUE',
  buy: 1410,
  sell: 1430,
  prevBuy: 1400,
  prevSell: 1420,
  changePct: 0.7,
  valueType: 'money',
  updatedAt: '2026-03-02T14:55:00.000Z',
  timestamp: '2026-03-02T14:55:02.000Z',
}
