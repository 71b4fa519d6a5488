/** The client of the public API: typed, one file, for browsers, Workers, Deno, Bun and Node ≥ 18. */
export type * from './api.ts'
export {
  type AsOfOptions,
  type Client,
  type ClientOptions,
  createClient,
  type RangeOptions,
} from './client.ts'
export { ApiError, CotizacionesError, NetworkError, RequestTimeoutError } from './request.ts'
export type { StreamOptions } from './stream.ts'
export type * from './types.ts'
export { standardSecret, type Verification, verifyWebhook } from './verify-webhook.ts'
