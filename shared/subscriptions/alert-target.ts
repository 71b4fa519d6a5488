/** Where an alert goes. An alert by e-mail goes to its account's address, and makes no delivery. */
import type { Channel } from '../alerts/alert.ts'
import { ok, refuse, type Result } from '../result.ts'
import { checkDestination } from '../webhooks/destination/destination.ts'
import type { SubscriptionRefusal } from './refusal.ts'

interface WantedTarget {
  channel: Channel
  url?: string | undefined
  receiverAuthorization?: string | null | undefined
}

/** The normalised URL to store: null for e-mail, undefined to keep the stored one. */
export function checkTarget(
  { ownHosts }: { ownHosts: readonly string[] },
  { channel, url, receiverAuthorization }: WantedTarget,
  stored: Channel | null,
): Result<string | null | undefined, SubscriptionRefusal> {
  if (channel === 'email') {
    const isWanted = url !== undefined || typeof receiverAuthorization === 'string'
    return isWanted ? refuse('url_unwanted') : ok(null)
  }
  if (url === undefined) return stored === 'webhook' ? ok(undefined) : refuse('url_missing')

  const destination = checkDestination(url, ownHosts)
  return destination.ok ? ok(destination.value.url) : refuse({ reason: destination.refusal.reason })
}
