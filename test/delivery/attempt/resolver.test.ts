/** The questions to the resolver, and how an attempt uses its answers. */
import { expect, it } from 'vitest'
import { createResolver } from '../../../workers/delivery/attempt/resolver.ts'
import { createFixture, hang } from '../../support/delivery-fixture.ts'
import { insertDelivery, readDelivery, seedWebhook } from '../../support/webhooks.ts'
import { type Dns, type Vector, VECTORS } from '../../support/destination-vectors.ts'

const vectors = VECTORS.flatMap(({ dns, ...vector }) => (dns ? [{ ...vector, dns }] : []))
const TYPES = { A: 1, AAAA: 28 } as const

type Answer = (type: 'A' | 'AAAA', signal: AbortSignal) => object | Promise<object>

/** Makes an attempt with this resolver. Returns its row, the addresses and the questions. */
async function attemptAt(answer: Answer, url = 'https://hooks.example.com/', deadlineMs = 10_000) {
  const questions: string[] = []
  const dialled: string[][] = []
  const fetch = (async (input: URL, init: RequestInit) => {
    const { searchParams } = new URL(input)
    questions.push(`${searchParams.get('name')} ${searchParams.get('type')}`)
    const answered = await answer(searchParams.get('type') as 'A' | 'AAAA', init.signal!)
    return answered instanceof Response ? answered : Response.json(answered)
  }) as typeof globalThis.fetch
  const id = await insertDelivery(await seedWebhook({ url }))
  const fixture = createFixture((_, { addresses }) => (dialled.push([...addresses]), 204), {
    resolve: createResolver(fetch, { DNS_OVER_HTTPS_URL: 'https://dns.example.com/dns-query' }),
    deadlineMs,
  })
  await fixture.hint(id)
  return { row: await readDelivery(id), dialled, questions }
}

/** The answers of a resolver that knows these records. */
function answerOf({ A, AAAA, rcode = 'NOERROR' }: Dns): Answer {
  const rcodes = typeof rcode === 'string' ? { A: rcode, AAAA: rcode } : rcode
  return (type, signal) =>
    rcodes[type] === 'TIMEOUT'
      ? hang(signal)
      : {
          Status: rcodes[type] === 'NOERROR' ? 0 : 2,
          Answer: { A, AAAA }[type].map((data) => ({ type: TYPES[type], data })),
        }
}

// All vectors at once, because unanswered ones wait for two seconds.
it('an attempt does not connect after a refused DNS answer, and connects once to an address of an allowed answer', () =>
  Promise.all(vectors.map(expectVerdict)))

async function expectVerdict({ url, verdict, reason, dns }: Vector & { dns: Dns }): Promise<void> {
  const which = `${url}, ${reason}`
  const { row, dialled } = await attemptAt(answerOf(dns), url)
  if (verdict === 'refused') {
    expect(dialled, which).toEqual([])
    const errorType: unknown = expect.stringMatching(/^(destination|network)$/)
    expect(row, which).toMatchObject({ status: 'failed', errorType })
    return
  }
  expect(row, which).toMatchObject({ status: 'delivered', code: 204 })
  expect(dialled, which).toHaveLength(1)
  expect([...dns.A, ...dns.AAAA], which).toEqual(expect.arrayContaining(dialled[0]!))
}

it('each attempt queries A and AAAA, and ignores CNAME records', async () => {
  const alias = { type: 5, data: 'elsewhere.example.com.' }
  const { dialled, questions } = await attemptAt((type) => ({
    Status: 0,
    Answer: [
      alias,
      { type: TYPES[type], data: { A: '93.184.216.34', AAAA: '2606:2800::1' }[type] },
    ],
  }))
  expect(questions).toEqual(['hooks.example.com A', 'hooks.example.com AAAA'])
  expect(dialled).toEqual([['93.184.216.34', '2606:2800::1']])
})

it.each<[string, Answer]>([
  ['out of reach', () => Promise.reject(new Error('refused'))],
  ['503', () => Response.json({ Status: 0 }, { status: 503 })],
  ['HTML', () => new Response('<html>')],
  ['JSON of something else', () => ({ hello: 1 })],
])('a resolver that is %s counts as a fault of the service', async (_, answer) => {
  const released = { status: 'pending', attempts: 0, errorType: 'interrupted' }
  expect((await attemptAt(answer)).row).toMatchObject(released)
})

it('the deadline of the attempt also ends a DNS query', async () => {
  let askedAt = 0
  const hangs: Answer = (_, signal) => {
    askedAt = Date.now()
    return hang(signal)
  }
  const { row } = await attemptAt(hangs, undefined, 20)
  expect(row).toMatchObject({ attempts: 1, errorType: 'timeout' })
  expect(Date.now() - askedAt).toBeLessThan(1500)
})
