/** Where an alert goes. One by e-mail goes to its account's address, and makes no delivery. */
import type { Channel } from '../../alerts/alert.ts'
import { ok, refuse, type Result } from '../../result.ts'
import { checkDestination } from '../../webhooks/destination/destination.ts'
import type { RefusedDestination } from '../webhooks/context.ts'

/** What is stored as the URL of an alert by e-mail: of a host that cannot be (RFC 6761, 6.4). */
export const NO_RECEIVER = 'https://correo.invalid/'

export type ReceiverRefusal = RefusedDestination | 'url_missing' | 'url_unwanted'

interface WantedReceiver {
  channel: Channel
  url?: string | undefined
  receiverAuthorization?: string | null | undefined
}

/** The normalised URL to store; null for the one that is stored already. */
export function checkReceiver(
  { ownHosts }: { ownHosts: readonly string[] },
  { channel, url, receiverAuthorization }: WantedReceiver,
  stored: Channel | null,
): Result<string | null, ReceiverRefusal> {
  if (channel === 'email') {
    if (url !== undefined || typeof receiverAuthorization === 'string')
      return refuse('url_unwanted')
    return ok(stored === 'email' ? null : NO_RECEIVER)
  }
  if (url === undefined) return stored === 'webhook' ? ok(null) : refuse('url_missing')

  const destination = checkDestination(url, ownHosts)
  return destination.ok
    ? ok(destination.value.url)
    : refuse({ refusedDestination: destination.refusal.reason })
}
