import { connect } from 'cloudflare:sockets'
import type { Claim } from '../../../shared/db/delivery/claim.ts'
import { openKeyring } from '../../../shared/keyring.ts'
import { ok } from '../../../shared/result.ts'
import { seal } from '../../../shared/sealed-box.ts'
import { attempt } from '../../../workers/delivery/attempt.ts'
import { limitConnections } from '../../../workers/delivery/connections.ts'
import { createFetchTransport } from '../../../workers/delivery/transport/fetch.ts'
import { createPinnedTransport } from '../../../workers/delivery/transport/pinned.ts'
import type { Endpoint } from '../../../workers/delivery/transport/transport.ts'

/** One attempt as the test asks for it. */
export interface AttemptOrder {
  transport: 'pinned' | 'fetch'
  url: string
  endpoints: Endpoint[]
  body: string
  secret: string
  authorization: string | null
  deadlineMs: number
}

const keyring = openKeyring(`test:${btoa('k'.repeat(32))}`)

/** Makes attempts with the product's code, over workerd's own sockets and fetch. */
export default {
  async fetch(request) {
    const order = (await request.json()) as AttemptOrder
    const startedAt = Date.now()
    const outcome = await attempt(
      {
        now: () => Date.now(),
        resolve: async () => ok(order.endpoints),
        transport:
          order.transport === 'pinned'
            ? createPinnedTransport({ connect })
            : createFetchTransport({ fetch: (...call) => fetch(...call) }),
        keyring: () => keyring,
        systemUrl: undefined,
        ownHosts: [],
        deadlineMs: order.deadlineMs,
      },
      await claimOf(order),
      limitConnections(),
    )
    return Response.json({ outcome, ms: Date.now() - startedAt })
  },
} satisfies ExportedHandler

async function claimOf({ url, secret, authorization, body }: AttemptOrder): Promise<Claim> {
  const id = '00000000-0000-4000-8000-000000000001'
  const sealed = (column: string, text: string) =>
    seal(keyring, { table: 'webhooks', column, id }, text)

  return {
    id: 1,
    token: 'token',
    deliveryId: '019a0000-0000-7000-8000-000000000001',
    webhookId: id,
    type: 'automatic',
    attempts: 1,
    releases: 0,
    body,
    origin: new URL(url).origin,
    claimedAt: Date.now(),
    sealed: {
      url: await sealed('url_sealed', url),
      secret: await sealed('secret_sealed', secret),
      authorization:
        authorization === null ? null : await sealed('authorization_sealed', authorization),
    },
  }
}
