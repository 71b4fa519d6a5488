import { addressBytes } from '../../../../shared/ip-address.ts'
import { isStatusCode } from '../outcome.ts'
import { isOfTheConnection, type Transport, TransportFailure } from './transport.ts'

/**
 * The platform's fetch. The addresses were validated just before, but the platform resolves the name
 * again. A rebinding in between reaches only what its egress reaches, the public internet. It adds
 * headers, and refuses bare addresses, which end as `destination`.
 */
export function createFetchTransport({ fetch }: { fetch: typeof globalThis.fetch }): Transport {
  return async ({ url, headers, body }, signal) => {
    if (addressBytes(url.hostname.replace(/^\[|\]$/g, '')) !== null)
      throw new TransportFailure('destination', 'the platform refuses bare addresses')

    const response = await fetch(url, {
      method: 'POST',
      headers,
      body,
      // 'error' is not implemented on Workers; 'manual' shows the 3xx and visits nothing.
      redirect: 'manual',
      signal,
    }).catch((error: unknown) => {
      signal.throwIfAborted()
      // A header that cannot be written.
      if (error instanceof TypeError) throw error
      // Refused, reset, unknown name and TLS cannot be told apart here.
      throw new TransportFailure(
        isOfTheConnection(error) ? 'network' : 'interrupted',
        'no response',
      )
    })
    // Not awaited: a receiver that drips must not hold up the outcome.
    response.body?.cancel().catch(() => {})
    // The platform lets any three digits through.
    if (!isStatusCode(response.status)) throw new TransportFailure('network', 'status out of range')

    return { code: response.status, retryAfter: response.headers.get('Retry-After') }
  }
}
