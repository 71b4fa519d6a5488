import type { Instant } from '../../../shared/argentine-time.ts'
import type { Keyring } from '../../../shared/crypto/keyring.ts'
import { unseal } from '../../../shared/crypto/sealed-box.ts'
import type { Claim } from '../../../shared/db/deliveries/claim.ts'
import { logFailure } from '../../../shared/log.ts'
import { ok, refuse, type Result } from '../../../shared/result.ts'
import { checkDestination } from '../../../shared/webhooks/destination/destination.ts'
import { chatEmbed, isChatWebhook } from './chat-embed.ts'
import { DeadlinePassed, withDeadline } from './deadline.ts'
import { type Egress, EgressFailure } from './egress.ts'
import { deliveryHeaders } from './headers.ts'
import { failed, outcomeOfResponse, type Outcome, released } from './outcome.ts'
import type { Resolve } from './resolver.ts'

/**
 * One deadline per attempt, over look-up, connection, TLS, request and head (decision 32: one POST,
 * ten seconds).
 */
export const DEADLINE_MS = 10_000

/** What an attempt needs of the platform and of the configuration. */
export interface AttemptDeps {
  now: () => Instant
  resolve: Resolve
  egress: Egress
  keyring: () => Keyring
  systemUrl: string | undefined
  /** The service's own hosts, which no delivery may go to. */
  ownHosts: readonly string[]
  /** The first of them, to which embeds lead; null where none is configured. */
  publicOrigin: string | null
  /** Milliseconds; shorter only in tests. */
  deadlineMs?: number
}

/** An attempt that is over, and not yet written. */
export interface CompletedAttempt {
  claim: Claim
  outcome: Outcome
  startedAt: Instant
  endedAt: Instant
}

/** What of a webhook's configuration an attempt uses, in clear. */
interface OpenedClaim {
  url: string
  authorization: string | null
  secret: string | null
}

/** Makes the attempt of a claim; writing its outcome is the caller's. Never rejects. */
export async function runAttempt(deps: AttemptDeps, claim: Claim): Promise<CompletedAttempt> {
  const { now } = deps
  const startedAt = now()
  try {
    const outcome = await attempt(deps, claim)
    return { claim, outcome, startedAt, endedAt: now() }
  } catch (error) {
    // Unforeseen, so not the receiver's fault. Bounded like every fault of our own.
    logFailure('attempt_broke', error, { delivery: claim.deliveryId })
    return { claim, outcome: released('interrupted'), startedAt, endedAt: now() }
  }
}

/**
 * At most one signed POST of a claimed delivery. The destination is checked again, its name resolved
 * anew, the request sent once, and the status line decides.
 */
export async function attempt(deps: AttemptDeps, claim: Claim): Promise<Outcome> {
  const opened = await openClaim(claim, deps)
  if (!opened.ok) return released(opened.refusal)

  try {
    return await withDeadline(deps.deadlineMs ?? DEADLINE_MS, (signal) =>
      send(deps, claim, opened.value, signal),
    )
  } catch (error) {
    if (error instanceof DeadlinePassed) return failed('timeout')
    if (error instanceof EgressFailure)
      return error.errorType === 'interrupted' ? released('interrupted') : failed(error.errorType)
    // A header that cannot be written: what is stored is not what was checked at creation.
    if (error instanceof TypeError) return released('configuration')
    throw error
  }
}

async function send(
  { now, resolve, egress, ownHosts, publicOrigin }: AttemptDeps,
  claim: Claim,
  { url: text, secret, authorization }: OpenedClaim,
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
  const { accountId } = claim
  const request = { url: new URL(url), addresses: resolved.value, accountId, headers, body }
  return outcomeOfResponse(await egress(request, signal), now())
}

/**
 * The configuration of a claim in clear, or `configuration` when a field does not open or the
 * system destination is not configured any more (decision 44: whose fault it is).
 */
async function openClaim(
  { subscriptionId, sealed }: Pick<Claim, 'subscriptionId' | 'sealed'>,
  { keyring, systemUrl }: { keyring: () => Keyring; systemUrl: string | undefined },
): Promise<Result<OpenedClaim, 'configuration'>> {
  if (!sealed)
    return systemUrl === undefined
      ? refuse('configuration')
      : ok({ url: systemUrl, authorization: null, secret: null })

  try {
    const keys = keyring()
    const open = (column: string, text: string) =>
      unseal(keys, { table: 'subscriptions', column, id: subscriptionId }, text)
    const [url, secret, authorization] = await Promise.all([
      open('url_sealed', sealed.url),
      open('secret_sealed', sealed.secret),
      sealed.authorization === null ? ok(null) : open('authorization_sealed', sealed.authorization),
    ])
    if (!url.ok || !secret.ok || !authorization.ok) return refuse('configuration')
    return ok({ url: url.value, secret: secret.value, authorization: authorization.value })
  } catch {
    // KEY_ENCRYPTION_KEYS is missing or malformed.
    return refuse('configuration')
  }
}
