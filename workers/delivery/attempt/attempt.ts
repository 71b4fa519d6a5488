import type { Instant } from '../../../shared/argentine-time.ts'
import type { Keyring } from '../../../shared/crypto/sealed-box.ts'
import type { Claim } from '../../../shared/db/deliveries/claim.ts'
import { logFailure } from '../../../shared/log.ts'
import { checkDestination } from '../../../shared/webhooks/destination/destination.ts'
import { openFields } from '../../../shared/subscriptions/sealed-fields.ts'
import { parseRetryAfter } from '../../../shared/webhooks/retry.ts'
import { chatEmbed, isChatWebhook } from './chat-embed.ts'
import { DeadlinePassed, withDeadline } from '../../../shared/deadline.ts'
import { type Egress, EgressFailure } from './egress.ts'
import { deliveryHeaders } from './headers.ts'
import type { Resolve } from './resolver.ts'

/** One deadline for DNS, connection, TLS, request and response head (decision 32: ten seconds). */
export const DEADLINE_MS = 10_000

/** The parts of the platform and of the configuration that an attempt uses. */
export interface AttemptDeps {
  now: () => Instant
  resolve: Resolve
  egress: Egress
  keyring: () => Keyring
  systemUrl: string | undefined
  /** The service's own hosts, to which no delivery may go. */
  ownHosts: readonly string[]
  /** Embeds link to this origin. Null when none is configured. */
  publicOrigin: string | null
  /** Milliseconds; shorter only in tests. */
  deadlineMs?: number
}

/** How a claim ended. A receiver that is down is a normal answer, not an exception. */
export type Outcome =
  | { status: 'delivered'; code: number }
  | {
      status: 'failed'
      code: number | null
      errorType: 'http' | 'redirect' | 'timeout' | 'network' | 'destination' | 'interrupted'
      retryAfterSeconds: number | null
    }
  /** Nothing was sent: by a fault of ours (decision 44), or null if no connection was free. */
  | { status: 'released'; errorType: 'interrupted' | 'configuration' | null }

type AttemptError = Extract<Outcome, { status: 'failed' }>['errorType']

/** The sealed fields of a subscription, in clear text. */
interface Opened {
  url: string
  authorization: string | null
  secret: string | null
}

/**
 * Sends at most one signed POST for a claimed delivery. Checks the destination again, resolves its
 * name again and sends the request once. The response's status decides the outcome. Never rejects.
 */
export async function runAttempt(deps: AttemptDeps, claim: Claim): Promise<Outcome> {
  try {
    const opened = await open(claim, deps)
    if (!opened) return released('configuration')
    return await withDeadline(deps.deadlineMs ?? DEADLINE_MS, (signal) =>
      send(deps, claim, opened, signal),
    )
  } catch (error) {
    if (error instanceof DeadlinePassed) return failed('timeout')
    if (error instanceof EgressFailure)
      return error.errorType === 'unsent' ? released('interrupted') : failed(error.errorType)
    // A header has an invalid value, which the creation of the webhook would have refused.
    if (error instanceof TypeError) return released('configuration')
    // An egress throws no other errors, so the request was not sent.
    logFailure('attempt_broke', error, { delivery: claim.deliveryId })
    return released('interrupted')
  }
}

async function send(
  { now, resolve, egress, ownHosts, publicOrigin }: AttemptDeps,
  claim: Claim,
  { url: text, secret, authorization }: Opened,
  signal: AbortSignal,
): Promise<Outcome> {
  const destination = checkDestination(text, ownHosts)
  if (!destination.ok) return failed('destination')

  const { url, host, isAddress } = destination.value
  const resolved = isAddress ? { ok: true as const, value: [host] } : await resolve(host, signal)
  if (!resolved.ok)
    return resolved.refusal === 'resolver' ? released('interrupted') : failed(resolved.refusal)

  const body = isChatWebhook(url) ? chatEmbed(claim.body, publicOrigin) : claim.body
  const headers = await deliveryHeaders({ ...claim, secret, authorization }, body, now())
  const request = { url: new URL(url), addresses: resolved.value, headers, body }
  const { code, retryAfter } = await egress(request, signal)

  if (code >= 200 && code < 300) return { status: 'delivered', code }
  const errorType = code >= 300 && code < 400 ? 'redirect' : 'http'
  return { ...failed(errorType), code, retryAfterSeconds: parseRetryAfter(retryAfter, now()) }
}

/** Null when a field cannot be opened, or when the system destination is no longer configured. */
async function open(
  { subscriptionId, sealed }: Pick<Claim, 'subscriptionId' | 'sealed'>,
  { keyring, systemUrl }: Pick<AttemptDeps, 'keyring' | 'systemUrl'>,
): Promise<Opened | null> {
  if (!sealed)
    return systemUrl === undefined ? null : { url: systemUrl, authorization: null, secret: null }

  try {
    const opened = await openFields(keyring(), subscriptionId, sealed)
    return opened?.url ? { ...opened, url: opened.url } : null
  } catch {
    // KEY_ENCRYPTION_KEYS is missing or malformed.
    return null
  }
}

function failed(errorType: AttemptError) {
  return { status: 'failed', code: null, errorType, retryAfterSeconds: null } as const
}

function released(errorType: 'interrupted' | 'configuration'): Outcome {
  return { status: 'released', errorType }
}
