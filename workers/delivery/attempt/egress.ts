import { addressBytes } from '../../../shared/ip-address.ts'

/** One POST, complete but for what the connection itself needs. */
export interface DeliveryRequest {
  /** Normalised HTTPS URL. */
  url: URL
  /** IPv4 and IPv6 addresses validated for this attempt, in order of preference. */
  addresses: readonly string[]
  headers: Readonly<Record<string, string>>
  body: string
}

/** The head of a response. Nothing else of a response is read. */
export interface ResponseHead {
  /** 100 to 599. */
  code: number
  retryAfter: string | null
}

/**
 * Sends the request once and resolves with the head of the final response; the body is not read.
 * Rejects with an `EgressFailure`, or with anything once the signal aborts.
 */
export type Egress = (request: DeliveryRequest, signal: AbortSignal) => Promise<ResponseHead>

/**
 * Why there is no response head. `network`: refused, reset, TLS, not HTTP. `destination`: a host
 * that must not be reached. Faults of our side: `unsent` when the request certainly never left,
 * `interrupted` when it may have reached the receiver.
 */
export class EgressFailure extends Error {
  readonly errorType: 'network' | 'destination' | 'unsent' | 'interrupted'

  constructor(errorType: EgressFailure['errorType']) {
    super(`no response: ${errorType}`)
    this.errorType = errorType
  }
}

/** Header of a request to `EGRESS` with the validated addresses. The receiver does not get it. */
export const ADDRESSES_HEADER = 'X-Egress-Addresses'

/** The body of an answer of `EGRESS`. */
export type EgressAnswer = ResponseHead | { failure: EgressFailure['errorType'] }

/**
 * Sends by the platform's `fetch`. We validated the addresses just before, but the platform
 * resolves the name again. A DNS rebinding in between reaches only the public internet, as its
 * egress does. It refuses bare addresses.
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

/** Used where we run workerd: its host connects to exactly the validated addresses. */
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
    // Workers do not implement 'error'. With 'manual' a 3xx is returned and not followed.
    return await fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal })
  } catch (error) {
    // A header that cannot be written.
    if (error instanceof TypeError) throw error
    throw new EgressFailure(failureOf(error))
  }
}

function checkHead(head: ResponseHead): ResponseHead {
  // The platform accepts any three digits; the contract's `code` is 100 to 599.
  if (head.code < 100 || head.code > 599) throw new EgressFailure('network')
  return head
}

/** Messages of the runtime for a failed connection. TLS and DNS failures are its internal errors. */
const OF_THE_CONNECTION = /^(?:Network connection lost|internal error|proxy request failed)/

/** The message of the runtime when it refuses to begin a request. */
const OF_A_LIMIT = /^Too many subrequests/

/**
 * The runtime does not tell a refused or reset connection from an unknown name or a TLS failure. An
 * error with an unknown message may come after the request left.
 */
function platformFailure(error: unknown): EgressFailure['errorType'] {
  const message = error instanceof Error ? error.message : ''
  if (OF_THE_CONNECTION.test(message)) return 'network'
  return OF_A_LIMIT.test(message) ? 'unsent' : 'interrupted'
}
