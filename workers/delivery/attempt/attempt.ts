import type { Instant } from '../../../shared/argentine-time.ts'
import type { Claim } from '../../../shared/db/deliveries/claim.ts'
import { checkDestination } from '../../../shared/webhooks/destination/destination.ts'
import type { Keyring } from '../../../shared/crypto/keyring.ts'
import { chatEmbed, isChatWebhook } from './chat-embed.ts'
import type { Connections } from './connections.ts'
import { DEADLINE_MS, DeadlinePassed, withDeadline } from './deadline.ts'
import { deliveryHeaders } from './headers.ts'
import { openClaim, type OpenedClaim } from './open-claim.ts'
import { failed, judgeResponse, type Outcome, released } from './outcome.ts'
import type { Resolve } from './resolver.ts'
import { type Endpoint, type Transport, TransportFailure } from './transport/transport.ts'

/** What an attempt needs of the world and of the configuration. */
export interface AttemptDeps {
  now: () => Instant
  resolve: Resolve
  transport: Transport
  keyring: () => Keyring
  systemUrl: string | undefined
  /** The service's own hosts, which no delivery may go to. */
  ownHosts: readonly string[]
  /** Milliseconds; shorter only in tests. */
  deadlineMs?: number
}

/**
 * One signed POST, at most, of a claimed delivery: the destination is checked again, its name
 * resolved anew, the request sent once, and the status line decides.
 */
export async function attempt(
  deps: AttemptDeps,
  claim: Claim,
  connections: Connections,
): Promise<Outcome> {
  const opened = await openClaim(claim, deps)
  if (!opened.ok) return released(opened.refusal)

  try {
    return await withDeadline(deps.deadlineMs ?? DEADLINE_MS, (signal) =>
      send(deps, claim, opened.value, connections, signal),
    )
  } catch (error) {
    if (error instanceof DeadlinePassed) return failed('timeout')
    if (error instanceof TransportFailure)
      return error.errorType === 'interrupted' ? released('interrupted') : failed(error.errorType)
    // A header that cannot be written: what is stored is not what was checked at creation.
    if (error instanceof TypeError) return released('configuration')
    throw error
  }
}

async function send(
  { now, resolve, transport, ownHosts }: AttemptDeps,
  claim: Claim,
  { url: text, secret, authorization }: OpenedClaim,
  connections: Connections,
  signal: AbortSignal,
): Promise<Outcome> {
  const destination = checkDestination(text, ownHosts)
  if (!destination.ok) return failed('destination')

  const { url, host, isAddress } = destination.value
  const resolved = isAddress
    ? { ok: true as const, value: [addressEndpoint(host)] }
    : await resolve(host, signal, connections)
  if (!resolved.ok)
    return resolved.refusal === 'resolver' ? released('interrupted') : failed(resolved.refusal)

  return connections(signal, async () => {
    const body = isChatWebhook(url) ? chatEmbed(claim.body) : claim.body
    const headers = await deliveryHeaders({ ...claim, secret, authorization }, body, now())
    const request = { url: new URL(url), endpoints: resolved.value, headers, body }

    return judgeResponse(await transport(request, signal), now())
  })
}

function addressEndpoint(address: string): Endpoint {
  return { address, port: 443 }
}
