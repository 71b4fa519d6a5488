/** One example of each kind, used everywhere. Tests check them against the schemas. */
import { standardSecret } from '../../../shared/subscriptions/standard-secret.ts'

export const quote = {
  currency: 'USD',
  name: 'Dólar Blue',
  origin: 'BLUE',
  buy: 1410,
  sell: 1430,
  updatedAt: '2026-03-02T11:55:00.000-03:00',
  lastScrapedAt: '2026-03-02T12:00:00.000-03:00',
  valueType: 'money',
}

export const currentQuote = {
  ...quote,
  change: { amount: 30, percent: 2.14, referenceValue: 1400 },
}

export const legacyQuote = {
  moneda: 'USD',
  nombre: 'Dólar Blue',
  origen: 'BLUE',
  compra: 1410,
  venta: 1430,
  actualizado: '2026-03-02T11:55:00.000-03:00',
}

export const datedQuote = {
  requestedAt: '2026-03-02T23:59:59.999-03:00',
  currency: 'USD',
  name: 'Dólar Blue',
  origin: 'BLUE',
  buy: 1410,
  sell: 1430,
  valueType: 'money',
  quotedAt: '2026-03-02T17:05:00.000-03:00',
  sameDay: true,
  daysStale: 0,
  ageSeconds: 24899,
}

export const datedCsv =
  'requestedAt,currency,name,origin,buy,sell,valueType,quotedAt,sameDay,daysStale,ageSeconds\r\n' +
  '2026-03-02T23:59:59.999-03:00,USD,Dólar Blue,BLUE,1410,1430,money,2026-03-02T17:05:00.000-03:00,true,0,24899\r\n'

export const historyPoint = { buy: 1410, sell: 1430, createdAt: '2026-03-02T11:55:00.000-03:00' }

export const historyCsv = 'buy,sell,createdAt\r\n1410,1430,2026-03-02T11:55:00.000-03:00\r\n'

export const candles = {
  currency: 'USD',
  name: 'Dólar Blue',
  origin: 'BLUE',
  valueType: 'money',
  interval: 'day',
  points: [{ date: '2026-03-02', open: 1400, high: 1435, low: 1400, close: 1430, buy: 1410 }],
}

export const candlesCsv = 'date,open,high,low,close,buy\r\n2026-03-02,1400,1435,1400,1430,1410\r\n'

export const status = {
  status: 'ok',
  reason: null,
  mode: 'live',
  generatedAt: '2026-03-02T12:00:00.000-03:00',
  pairs: [
    {
      currency: 'USD',
      origin: 'BLUE',
      updatedAt: '2026-03-02T11:55:00.000-03:00',
      lastScrapedAt: '2026-03-02T12:00:00.000-03:00',
      fresh: true,
      source: 'ambito-blue',
      held: false,
    },
  ],
  sources: [
    {
      name: 'ambito-blue',
      lastSuccessAt: '2026-03-02T12:00:00.000-03:00',
      lastError: null,
      everyMinutes: 5,
    },
  ],
  deliveries: {
    canSend: true,
    outstanding: 0,
    oldestWaitingAt: null,
    deliveredLastHour: 12,
    deadLastHour: 0,
  },
}

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

const SECRET = '0123456789abcdef'.repeat(4)

/** A new secret, as answers show it. */
export const secret = { secret: SECRET, standardSecret: standardSecret(SECRET) }

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
