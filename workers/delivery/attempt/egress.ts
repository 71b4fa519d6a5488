import { addressBytes } from '../../../shared/ip-address.ts'

/** One POST, without the headers that the connection adds (`Host`, `Content-Length`). */
export interface DeliveryRequest {
  /** Normalised HTTPS URL. */
  url: URL
  /** IPv4 and IPv6 addresses validated for this attempt, in order of preference. */
  addresses: readonly string[]
  headers: Readonly<Record<string, string>>
  body: string
}

/** The used part of a response's head. The body is not read. */
export interface ResponseHead {
  /** 100 to 599. */
  code: number
  retryAfter: string | null
}

/**
 * Sends the request once and resolves with the head of the response. Rejects with an
 * `EgressFailure`, or with any error after the signal aborts.
 */
export type Egress = (request: DeliveryRequest, signal: AbortSignal) => Promise<ResponseHead>

/**
 * Why there is no response head. `network`: connection refused or reset, TLS, not HTTP.
 * `destination`: a host to which we must not connect. Faults of ours: `unsent` if the request was
 * certainly not sent, `interrupted` if it may have reached the receiver.
 */
export class EgressFailure extends Error {
  readonly errorType: 'network' | 'destination' | 'unsent' | 'interrupted'

  constructor(errorType: EgressFailure['errorType']) {
    super(`no response: ${errorType}`)
    this.errorType = errorType
  }
}

/** Header with the validated addresses in a request to `EGRESS`. Not sent to the receiver. */
export const ADDRESSES_HEADER = 'X-Egress-Addresses'

/** The body of a response from `EGRESS`. */
export type EgressAnswer = ResponseHead | { failure: EgressFailure['errorType'] }

/**
 * Sends by the platform's `fetch`. We have just validated the addresses, but the platform resolves
 * the name again. DNS rebinding in between is harmless, because the platform's egress reaches only
 * the public internet. Refuses bare addresses.
 */
export function platformEgress(fetch: typeof globalThis.fetch): Egress {
  return async (request, signal) => {
    if (addressBytes(request.url.hostname.replace(/^\[|\]$/g, '')) !== null)
      throw new EgressFailure('destination')
    const response = await post(fetch, request, signal, platformFailure)
    // Not awaited: a receiver that sends its body slowly must not delay the outcome.
    response.body?.cancel().catch(() => {})
    return checkHead({ code: response.status, retryAfter: response.headers.get('Retry-After') })
  }
}

/** Sends through the process that runs workerd, which connects only to the validated addresses. */
export function hostEgress(host: Fetcher): Egress {
  return async (request, signal) => {
    const headers = { ...request.headers, [ADDRESSES_HEADER]: request.addresses.join(' ') }
    const fetch = host.fetch.bind(host) as typeof globalThis.fetch
    const response = await post(fetch, { ...request, headers }, signal, () => 'interrupted')
    const answer = await response.json<EgressAnswer>().catch(() => {
      throw new EgressFailure('interrupted')
    })
    if ('failure' in answer) throw new EgressFailure(answer.failure)
    return checkHead(answer)
  }
}

async function post(
  fetch: typeof globalThis.fetch,
  { url, headers, body }: DeliveryRequest,
  signal: AbortSignal,
  failureOf: (error: unknown) => EgressFailure['errorType'],
): Promise<Response> {
  try {
    // 'manual' returns a 3xx without following it. Workers do not implement 'error'.
    return await fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal })
  } catch (error) {
    // A header has an invalid value.
    if (error instanceof TypeError) throw error
    throw new EgressFailure(failureOf(error))
  }
}

function checkHead(head: ResponseHead): ResponseHead {
  // The platform accepts any three digits; the contract's `code` is 100 to 599.
  if (head.code < 100 || head.code > 599) throw new EgressFailure('network')
  return head
}

/** The runtime's messages for failed connections. TLS and DNS failures are `internal error`. */
const OF_THE_CONNECTION = /^(?:Network connection lost|internal error|proxy request failed)/

/** The runtime's message when it refuses to start a request. */
const OF_A_LIMIT = /^Too many subrequests/

/**
 * The runtime gives a refused or reset connection, an unknown name and a TLS failure the same
 * messages. After an error with an unknown message, the request may have been sent.
 */
function platformFailure(error: unknown): EgressFailure['errorType'] {
  const message = error instanceof Error ? error.message : ''
  if (OF_THE_CONNECTION.test(message)) return 'network'
  return OF_A_LIMIT.test(message) ? 'unsent' : 'interrupted'
}
