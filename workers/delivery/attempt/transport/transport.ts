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
  /** Whether more deliveries to the same host wait, so that the connection may be kept for them. */
  isFollowed?: boolean
}

/**
 * Sends the request once and resolves with the head of the final response, whose body is never
 * told. Rejects with `TransportFailure`, or with the signal's reason when that aborts, and then the
 * connection is closed.
 */
export type Transport = (request: DeliveryRequest, signal: AbortSignal) => Promise<ResponseHead>

/**
 * No response head: refused, reset, TLS, not HTTP (`network`), a host it may not reach, or a runtime
 * that did not try (`interrupted`), which is no fault of the receiver's.
 */
export class TransportFailure extends Error {
  readonly errorType: 'network' | 'destination' | 'interrupted'

  constructor(errorType: TransportFailure['errorType'], message: string) {
    super(message)
    this.errorType = errorType
  }
}

/** What the runtime says of a connection that failed; TLS and names are internal errors to it. */
const OF_THE_CONNECTION = /^(?:Network connection lost|internal error|proxy request failed)/

/**
 * Whether the receiver is at fault for an error of `fetch` or `connect`. What is not known to be its
 * fault is ours: too many subrequests, an invocation that is over, a limit of the platform.
 */
export function isOfTheConnection(error: unknown): boolean {
  return error instanceof Error && OF_THE_CONNECTION.test(error.message)
}
