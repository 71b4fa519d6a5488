/**
 * The DNS vectors at an attempt: the real resolver client before an invented resolver, and a
 * way out that notes what it was given.
 */
import { BODY } from '../../../tools/prove/harness/delivery-body.ts'
import { expect, it } from 'vitest'
import { seal } from '../../../shared/crypto/sealed-box.ts'
import { type Outcome, runAttempt } from '../../../workers/delivery/attempt/attempt.ts'
import { createResolver } from '../../../workers/delivery/attempt/resolver.ts'
import { keyring, NOW } from '../../support/delivery-seeds.ts'
import { type Dns, type Vector, VECTORS } from '../../support/destination-vectors.ts'

const vectors = VECTORS.flatMap(({ dns, ...vector }) => (dns ? [{ ...vector, dns }] : []))
const RCODES: Record<string, number> = { NOERROR: 0, SERVFAIL: 2, NXDOMAIN: 3, REFUSED: 5 }
const TYPES = { A: 1, AAAA: 28 } as const

// All at once: those whose resolver does not answer wait for two seconds.
it('an attempt at a refused DNS vector connects to nothing, at an allowed one once, to an address of the answer', () =>
  Promise.all(vectors.map(expectVerdict)))

async function expectVerdict({ url, verdict, reason, dns }: Vector & { dns: Dns }): Promise<void> {
  const { outcome, dialled } = await attemptOn(url, dns)
  const which = `${url}, ${reason}`
  if (verdict === 'refused') {
    expect(dialled, which).toEqual([])
    const errorType: unknown = expect.stringMatching(/^(destination|network)$/)
    expect(outcome, which).toMatchObject({ status: 'failed', errorType })
    return
  }
  expect(outcome, which).toEqual({ status: 'delivered', code: 204 })
  expect(dialled, which).toHaveLength(1)
  expect([...dns.A, ...dns.AAAA], which).toEqual(expect.arrayContaining(dialled[0]!))
}

async function attemptOn(
  url: string,
  dns: Dns,
): Promise<{ outcome: Outcome; dialled: string[][] }> {
  const dialled: string[][] = []
  const outcome = await runAttempt(
    {
      now: () => NOW,
      resolve: createResolver({ fetch: resolverOf(dns), url: 'https://dns.example.com/dns-query' }),
      egress: async ({ addresses }) => {
        dialled.push([...addresses])
        return { code: 204, retryAfter: null }
      },
      keyring,
      systemUrl: undefined,
      ownHosts: [],
      publicOrigin: null,
      deadlineMs: 3000,
    },
    await claimOf(url),
  )
  return { outcome, dialled }
}

function resolverOf({ A, AAAA, rcode = 'NOERROR' }: Dns): typeof fetch {
  const rcodes = typeof rcode === 'string' ? { A: rcode, AAAA: rcode } : rcode

  return async (input, init) => {
    const type = new URL(input as URL).searchParams.get('type') as 'A' | 'AAAA'
    if (rcodes[type] === 'TIMEOUT') return never(init!.signal!)
    return Response.json({
      Status: RCODES[rcodes[type]] ?? 4,
      Answer: { A, AAAA }[type].map((data) => ({ type: TYPES[type], data })),
    })
  }
}

function never(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) =>
    signal.addEventListener('abort', () => reject(signal.reason as Error)),
  )
}

async function claimOf(url: string) {
  const id = 'webhook'
  const sealed = (column: string, text: string) =>
    seal(keyring(), { table: 'subscriptions', column, id }, text)

  return {
    id: 1,
    token: 'token',
    deliveryId: 'delivery',
    subscriptionId: id,
    accountId: 'account',
    type: 'automatic' as const,
    redelivery: null,
    attempts: 1,
    releases: 0,
    createdAt: 0,
    body: BODY,
    host: 'https://origin.example.com',
    claimedAt: NOW,
    sealed: {
      url: await sealed('url_sealed', url),
      secret: await sealed('secret_sealed', 'ab'.repeat(32)),
      authorization: null,
    },
    clears: false,
  }
}
