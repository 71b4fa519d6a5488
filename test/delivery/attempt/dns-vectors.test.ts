/**
 * The DNS vectors at an attempt: the real resolver client before an invented resolver, and a
 * way out that notes what it was given.
 */
import { expect, it } from 'vitest'
import { createResolver } from '../../../workers/delivery/attempt/resolver.ts'
import { createFixture } from '../../support/delivery-fixture.ts'
import { deliveryRow, insertDelivery, seedWebhook } from '../../support/webhooks.ts'
import { type Dns, type Vector, VECTORS } from '../../support/destination-vectors.ts'

const vectors = VECTORS.flatMap(({ dns, ...vector }) => (dns ? [{ ...vector, dns }] : []))
const RCODES: Record<string, number> = { NOERROR: 0, SERVFAIL: 2, NXDOMAIN: 3, REFUSED: 5 }
const TYPES = { A: 1, AAAA: 28 } as const

// All at once: those whose resolver does not answer wait for two seconds.
it('an attempt at a refused DNS vector connects to nothing, at an allowed one once, to an address of the answer', () =>
  Promise.all(vectors.map(expectVerdict)))

async function expectVerdict({ url, verdict, reason, dns }: Vector & { dns: Dns }): Promise<void> {
  const which = `${url}, ${reason}`
  const dialled: string[][] = []
  const id = await insertDelivery(await seedWebhook({ url }))
  const fixture = createFixture(
    (_, { addresses }) => {
      dialled.push([...addresses])
      return 204
    },
    {
      resolve: createResolver(resolverOf(dns), {
        DNS_OVER_HTTPS_URL: 'https://dns.example.com/dns-query',
      }),
    },
  )
  await fixture.hint(id)
  const row = await deliveryRow(id)
  if (verdict === 'refused') {
    expect(dialled, which).toEqual([])
    const errorType: unknown = expect.stringMatching(/^(destination|network)$/)
    expect(row, which).toMatchObject({ status: 'failed', error_type: errorType })
    return
  }
  expect(row, which).toMatchObject({ status: 'delivered', code: 204 })
  expect(dialled, which).toHaveLength(1)
  expect([...dns.A, ...dns.AAAA], which).toEqual(expect.arrayContaining(dialled[0]!))
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
