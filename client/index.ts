/** The client of the public API: typed, without dependencies, for Workers, Node ≥ 20 and browsers. */
export { type Client, type ClientOptions, createClient } from './client.ts'
export { ApiError } from './request.ts'
export type {
  Candles,
  Change,
  Currency,
  CurrentQuote,
  HistoryPoint,
  Origin,
  Quote,
  QuoteAsOf,
  ValueType,
} from './types.ts'
export { verifyWebhook, type WebhookEvent } from './verify-webhook.ts'
