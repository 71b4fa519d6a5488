import type { ResponseHead } from '../outcome.ts'

/** Where a connection may go: an address that was validated for this attempt. */
export interface Endpoint {
  /** An IPv4 or IPv6 address, without brackets. */
  address: string
  port: number
}

/** One POST, complete but for what the connection itself needs. */
export interface DeliveryRequest {
  /** Normalised HTTPS URL. */
  url: URL
  /** Validated for this attempt, in order of preference; never empty. */
  endpoints: readonly Endpoint[]
  headers: Readonly<Record<string, string>>
  body: string
}

/**
 * Sends the request once and resolves with the head of the final response, whose body is never
 * read. Rejects with `TransportFailure`, or with the signal's reason when that aborts; either way
 * the connection is closed.
 */
export type Transport = (request: DeliveryRequest, signal: AbortSignal) => Promise<ResponseHead>

/** No response head: refused, reset, TLS, not HTTP (`network`), or a host it may not reach. */
export class TransportFailure extends Error {
  readonly errorType: 'network' | 'destination'

  constructor(errorType: 'network' | 'destination', message: string) {
    super(message)
    this.errorType = errorType
  }
}
