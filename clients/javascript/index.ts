/** The client of the public API: typed, one file, for browsers, Workers, Deno, Bun and Node ≥ 18. */
export type * from './alert-types.ts'
export {
  type AsOfOptions,
  type Client,
  type ClientOptions,
  createClient,
  type RangeOptions,
} from './client.ts'
export type * from './extension-types.ts'
export { ApiError } from './request.ts'
export type { StreamOptions } from './stream.ts'
export type * from './types.ts'
export {
  standardSecret,
  type Verification,
  verifyWebhook,
  type WebhookEvent,
} from './verify-webhook.ts'
export type * from './webhook-types.ts'
