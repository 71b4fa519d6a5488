import type { Claim } from '../../shared/db/deliveries/claim.ts'
import { openKeyring } from '../../shared/crypto/sealed-box.ts'
import { ok } from '../../shared/result.ts'
import { sealFields } from '../../shared/subscriptions/sealed-fields.ts'
import { type Outcome, runAttempt } from '../../workers/delivery/attempt/attempt.ts'
import { hostEgress, platformEgress } from '../../workers/delivery/attempt/egress.ts'
import type { Endpoint } from '../../tools/operate/start/egress.ts'

/** An attempt that a test requests. */
export interface WantedAttempt {
  /** Through the host's client, or through the runtime's fetch as on the platform. */
  by: 'host' | 'platform'
  url: string
  /** The host connects to these; the platform's fetch to the first one's port on `localhost`. */
  endpoints: Endpoint[]
  body: string
  secret: string
  authorization: string | null
  deadlineMs: number
  /** How long the invocation lasts after the attempt. Its end closes open connections. */
  lingerMs: number
}

export interface AttemptReport {
  outcome: Outcome
  ms: number
}

const keyring = openKeyring(`test:${btoa('k'.repeat(32))}`)

/** Makes attempts with the production code, one after the other. */
export default {
  async fetch(request, { EGRESS }) {
    const reports: AttemptReport[] = []
    for (const wanted of (await request.json()) as WantedAttempt[])
      reports.push(await make(wanted, EGRESS))
    return Response.json(reports)
  },
} satisfies ExportedHandler<{ EGRESS: Fetcher }>

async function make(wanted: WantedAttempt, host: Fetcher): Promise<AttemptReport> {
  const startedAt = Date.now()
  const outcome = await runAttempt(
    {
      now: () => Date.now(),
      resolve: async () => ok(wanted.endpoints.map(({ address, port }) => `${address}/${port}`)),
      egress:
        wanted.by === 'host'
          ? hostEgress(host)
          : platformEgress(loopbackFetch(wanted.endpoints[0]!.port)),
      keyring: () => keyring,
      systemUrl: undefined,
      ownHosts: [],
      publicOrigin: null,
      deadlineMs: wanted.deadlineMs,
    },
    await claimOf(wanted),
  )
  const ms = Date.now() - startedAt
  // Not even a turn of the event loop, unless the test requests a wait.
  if (wanted.lingerMs > 0) await scheduler.wait(wanted.lingerMs)
  return { outcome, ms }
}

/**
 * The platform's fetch, with `localhost` instead of the name: the only name that resolves to
 * loopback on every machine. The rest of the request is unchanged.
 */
function loopbackFetch(port: number): typeof fetch {
  return (input, init) => {
    const { pathname, search } = new URL(input instanceof Request ? input.url : input)
    return fetch(`https://localhost:${port}${pathname}${search}`, init)
  }
}

async function claimOf(wanted: WantedAttempt): Promise<Claim> {
  const { url, secret, authorization, body } = wanted
  const id = '00000000-0000-4000-8000-000000000001'
  const sealed = await sealFields(keyring, id, { url, secret, authorization })
  return {
    id: 1,
    token: 'token',
    deliveryId: '019a0000-0000-7000-8000-000000000001',
    subscriptionId: id,
    type: 'automatic',
    redelivered: false,
    attempts: 1,
    releases: 0,
    body,
    host: new URL(url).origin,
    createdAt: Date.now(),
    claimedAt: Date.now(),
    sealed: { ...sealed, url: sealed.url! },
    clears: false,
  }
}
