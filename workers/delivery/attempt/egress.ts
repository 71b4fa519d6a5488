import { addressBytes } from '../../../shared/ip-address.ts'

/** One POST, complete but for what the connection itself needs. */
export interface DeliveryRequest {
  /** Normalised HTTPS URL. */
  url: URL
  /** IPv4 and IPv6 addresses validated for this attempt, in order of preference. */
  addresses: readonly string[]
  /** Whose delivery it is: a kept connection carries none of another account. */
  accountId: string
  headers: Readonly<Record<string, string>>
  body: string
}

/** The head of a response: all that is ever read of one. */
interface ResponseHead {
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
 * No response head: refused, reset, TLS, not HTTP (`network`), a host it may not reach, or a runtime
 * that did not try (`interrupted`), which is no fault of the receiver's.
 */
export class EgressFailure extends Error {
  readonly errorType: 'network' | 'destination' | 'interrupted'

  constructor(errorType: EgressFailure['errorType']) {
    super(`no response: ${errorType}`)
    this.errorType = errorType
  }
}

/** Beside a request to `EGRESS`: the validated addresses, for the host and no receiver. */
export const ADDRESSES_HEADER = 'X-Egress-Addresses'

/** The same of the account. */
export const ACCOUNT_HEADER = 'X-Egress-Account'

/** In an answer of `EGRESS`: why there is no response. A receiver's header never comes through. */
export const FAILURE_HEADER = 'X-Egress-Failure'

/**
 * The platform's fetch. The addresses were validated just before, but the platform resolves the name
 * again. A rebinding in between reaches only what its egress reaches, the public internet. It
 * refuses bare addresses.
 */
export function platformEgress(fetch: typeof globalThis.fetch): Egress {
  return async (request, signal) => {
    if (addressBytes(request.url.hostname.replace(/^\[|\]$/g, '')) !== null)
      throw new EgressFailure('destination')
    return headOf(await post(fetch, request, signal, platformFailure))
  }
}

/** Where workerd is ours: its host connects to the very addresses that were validated. */
export function hostEgress(host: Fetcher): Egress {
  return async (request, signal) => {
    const headers = {
      ...request.headers,
      [ADDRESSES_HEADER]: request.addresses.join(' '),
      [ACCOUNT_HEADER]: request.accountId,
    }
    const fetch = host.fetch.bind(host) as typeof globalThis.fetch
    const response = await post(fetch, { ...request, headers }, signal, () => 'interrupted')
    const failure = response.headers.get(FAILURE_HEADER)
    if (failure !== null) throw new EgressFailure(failure as EgressFailure['errorType'])
    return headOf(response)
  }
}

async function post(
  fetch: typeof globalThis.fetch,
  { url, headers, body }: DeliveryRequest,
  signal: AbortSignal,
  failureOf: (error: unknown) => EgressFailure['errorType'],
): Promise<Response> {
  try {
    // 'error' is not implemented on Workers; 'manual' shows the 3xx and visits nothing.
    const response = await fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal })
    // Not awaited: a receiver that drips must not hold up the outcome.
    response.body?.cancel().catch(() => {})
    return response
  } catch (error) {
    // A header that cannot be written.
    if (error instanceof TypeError) throw error
    throw new EgressFailure(failureOf(error))
  }
}

function headOf({ status, headers }: Response): ResponseHead {
  // The platform lets any three digits through, and the contract's `code` is 100 to 599.
  if (status < 100 || status > 599) throw new EgressFailure('network')
  return { code: status, retryAfter: headers.get('Retry-After') }
}

/** What the runtime says of a connection that failed; TLS and names are internal errors to it. */
const OF_THE_CONNECTION = /^(?:Network connection lost|internal error|proxy request failed)/

/**
 * Refused, reset, unknown name and TLS cannot be told apart. What is not known to be the receiver's
 * fault is ours: too many subrequests, an invocation that is over, a limit of the platform.
 */
function platformFailure(error: unknown): 'network' | 'interrupted' {
  const isOfTheConnection = error instanceof Error && OF_THE_CONNECTION.test(error.message)
  return isOfTheConnection ? 'network' : 'interrupted'
}
