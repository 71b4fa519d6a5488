import { describe, expect, it } from 'vitest'
import {
  ApiError,
  CotizacionesError,
  createClient,
  NetworkError,
  RequestTimeoutError,
  standardSecret,
  verifyWebhook,
} from '../../../clients/javascript/index.ts'

/** A client of a server with these answers in turn, and the requests and waits of the client. */
function clientOf(...answers: (Response | Error)[]) {
  const requests: Request[] = []
  const waits: number[] = []
  const client = createClient({
    baseUrl: 'https://cotizaciones.test',
    apiKey: 'cot_key',
    fetch: async (input, init) => {
      requests.push(new Request(input as RequestInfo, init as RequestInit))
      const answer = answers.shift()!
      if (answer instanceof Error) throw answer
      return answer
    },
    sleep: async (ms) => void waits.push(ms),
  })
  return { client, requests, waits }
}

const refusal = (status: number, headers: Record<string, string> = {}) =>
  Response.json({ error: 'No' }, { status, headers })

describe('the client', () => {
  it.each<[string, answers: (Response | Error)[], waits: number[], end: object]>([
    [
      'as long as Retry-After says',
      [
        new Response('Demasiadas consultas', { status: 429, headers: { 'Retry-After': '10' } }),
        refusal(503, { 'Retry-After': '3' }),
        Response.json([]),
      ],
      [10_000, 3000],
      [],
    ],
    ['after a lost network', [new Error('connection lost'), Response.json([])], [500], []],
    ['twice', [refusal(503), refusal(503), refusal(503)], [2000, 3000], { status: 503 }],
    ['not for hours', [refusal(503, { 'Retry-After': '7200' })], [], { retryAfter: 7200 }],
    ['not after a 400', [refusal(400)], [], { status: 400, message: 'No' }],
    ['not after a 500', [refusal(500)], [], { status: 500, message: 'No' }],
  ])('waits and asks again: %s', async (_, answers, waits, end) => {
    const asked = clientOf(...answers)
    const ended = await asked.client.quotesAsOf('2026-01-01').catch((error: unknown) => error)
    expect(ended).toMatchObject(end)
    expect(asked.waits).toEqual(waits)
  })

  it.each([
    ['a lost network', new TypeError('fetch failed'), NetworkError, 3],
    ['no answer in time', null, RequestTimeoutError, 3],
    ['an answer that is no JSON', new Response('<html>'), ApiError, 1],
    ['a refusal', refusal(404), ApiError, 1],
  ])('throws an error of its own for %s', async (_, answer, kind, tries) => {
    let asked = 0
    const client = createClient({
      baseUrl: 'https://cotizaciones.test',
      timeoutMs: 20,
      sleep: async () => {},
      fetch: async (_, init) => {
        asked += 1
        if (answer instanceof Error) throw answer
        if (answer) return answer
        const signal = init!.signal!
        return new Promise<never>((_, reject) =>
          signal.addEventListener('abort', () => reject(signal.reason as Error)),
        )
      },
    })
    const error = await client.quotes().catch((error: unknown) => error)
    expect(error).toBeInstanceOf(kind)
    expect(error).toBeInstanceOf(CotizacionesError)
    expect(asked).toBe(tries)
  })

  it('follows no redirect with the key', async () => {
    const headers = { Location: 'https://other.test/' }
    const { client, requests } = clientOf(new Response(null, { status: 307, headers }))
    await expect(client.webhooks.delete('id', 1)).rejects.toMatchObject({
      status: 307,
      message: 'Redirige a https://other.test/',
    })
    expect(requests.map(({ redirect }) => redirect)).toEqual(['manual'])
  })

  it.each([
    [1500, '1500'],
    ['1500.10', '1500.10'],
    [1.5e21, '1500000000000000000000'],
    [-1.25e-7, '-0.000000125'],
  ])('writes the amount %s without an exponent', async (amount, text) => {
    const { client, requests } = clientOf(Response.json({}))
    await client.convert({ amount, from: 'usd', to: 'ars' })
    expect(new URL(requests[0]!.url).searchParams.get('amount')).toBe(text)
  })
})

it('sends the key only to what is private, an id for a creation, and numbers for texts', async () => {
  const { client, requests } = clientOf(...Array.from({ length: 3 }, () => Response.json({})))
  await client.quotes()
  await client.series({ pairs: ['USD/BLUE', 'usd/ccl'], dates: ['2026-01-31'], summary: true })
  const alert = { currency: 'USD', origin: 'BLUE', condition: 'above' } as const
  await client.alerts.create({ ...alert, threshold: '1500.50' })

  const keys = requests.map(({ headers }) => headers.get('Authorization'))
  expect(keys).toEqual([null, 'Bearer cot_key', 'Bearer cot_key'])
  const { search } = new URL(requests[1]!.url)
  expect(search).toBe('?pairs=usd%2Fblue%2Cusd%2Fccl&dates=2026-01-31&summary=1')
  const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-/
  const operationId = expect.stringMatching(UUID) as string
  expect(await requests[2]!.json()).toEqual({ operationId, ...alert, threshold: 1500.5 })
})

it.each([
  [503, {}, 1],
  [429, { 'Retry-After': '1' }, 2],
])(
  'after a %s asks for an edit again only where nothing was done',
  async (status, headers, times) => {
    const { client, requests } = clientOf(refusal(status, headers), Response.json({}))
    await client.webhooks.edit('id', { version: 1 }).catch(() => {})
    expect(requests).toHaveLength(times)
  },
)

describe('verifyWebhook', () => {
  const secret = '0123456789abcdef'.repeat(4)
  const body = '{"event":"rate.updated","currency":"USD","origin":"BLUE"}'
  const signature = 'v1,64CjuyxDRFGnKZr9yNpe1cMoO4pr31AUpk73+iXIE5k='
  const headers = {
    'webhook-id': '019a0000-0000-7000-8000-000000000001',
    'webhook-timestamp': '1700000000',
    'webhook-signature': signature,
  }
  /** Headers that sign the same delivery without its id. */
  const withoutId = {
    'x-service-delivery-id': 'another',
    'x-service-timestamp': '1700000000',
    'x-service-signature':
      'sha256=aebc96b0be415490cee704532d25058e9aa063e49d0a22f950042ca3f44d1be4',
  }
  const now = 1_700_000_010_000
  const another = `v1,${'A'.repeat(43)}=`
  const valid = { valid: true, deliveryId: headers['webhook-id'], event: JSON.parse(body) }
  const [wrong, missing, old] = ['wrong_signature', 'missing_header', 'old_timestamp'].map(
    (reason) => ({ valid: false, reason }),
  )

  it.each<
    [string, given: object, result: object | undefined, sent?: { text?: string; key?: string }]
  >([
    ['the known answer', headers, valid],
    ['the known answer in Headers', new Headers(headers), valid],
    [
      'the secret in the form of Standard Webhooks',
      headers,
      valid,
      { key: standardSecret(secret) },
    ],
    ['one of several', { ...headers, 'webhook-signature': `v2,x ${another} ${signature}` }, valid],
    ['the id that is signed', { ...headers, ...withoutId }, valid],
    ['no signature but the one without the id', withoutId, missing],
    ['that one with an id beside it', { ...withoutId, 'webhook-id': 'another' }, missing],
    ['another id', { ...headers, ...withoutId, 'webhook-id': 'another' }, wrong],
    ['another signature', { ...headers, 'webhook-signature': another }, wrong],
    ['another version', { ...headers, 'webhook-signature': 'v2,x' }, wrong],
    ['an empty signature', { ...headers, 'webhook-signature': '' }, missing],
    ['no id', { ...headers, 'webhook-id': undefined }, missing],
    ['another body', headers, wrong, { text: `${body} ` }],
    ['another secret', headers, wrong, { key: 'f'.repeat(64) }],
    ['another time', { ...headers, 'webhook-timestamp': '1700000001' }, wrong],
    ['an old time', { ...headers, 'webhook-timestamp': '1699999000' }, old],
    ['a time that is no number', { ...headers, 'webhook-timestamp': 'x' }, old],
  ])('verifies %s', async (_, given, result, { text = body, key = secret } = {}) => {
    expect(await verifyWebhook(text, given as Headers, key, { now })).toEqual(result)
  })
})
