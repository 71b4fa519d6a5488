import { describe, expect, it } from 'vitest'
import { type ClientOptions, createClient } from '../../../clients/javascript/index.ts'

/** The behaviour of a connection: it sends pieces of bytes, then ends, breaks or stays open. */
interface Connection {
  pieces?: string[]
  after?: 'end' | 'break' | 'stay'
}

const event = (id: string, origin: string, sell: number) =>
  `id: ${id}\nevent: quote\ndata: ${JSON.stringify({ currency: 'USD', origin, sell })}\n\n`

/** A client with these connections in turn, and the requests and waits of the client. */
function clientOf(...connections: (Connection | Response | Error)[]) {
  const requests: Request[] = []
  const waits: number[] = []
  const options: ClientOptions = {
    baseUrl: 'https://cotizaciones.test',
    apiKey: 'cot_key',
    fetch: async (input, init) => {
      requests.push(new Request(input as RequestInfo, init as RequestInit))
      const next = connections.shift() ?? { after: 'stay' }
      if (next instanceof Error) throw next
      return next instanceof Response ? next : new Response(bodyOf(next, init?.signal ?? undefined))
    },
    sleep: async (ms) => void waits.push(ms),
  }
  return { client: createClient(options), requests, waits }
}

function bodyOf({ pieces = [], after = 'end' }: Connection, signal: AbortSignal | undefined) {
  const left = pieces.map((piece) => new TextEncoder().encode(piece))
  return new ReadableStream<Uint8Array>({
    start(controller) {
      signal?.addEventListener('abort', () => controller.error(signal.reason))
    },
    pull(controller) {
      const piece = left.shift()
      if (piece) return controller.enqueue(piece)
      if (after === 'end') return controller.close()
      if (after === 'break') return controller.error(new Error('connection lost'))
      return new Promise(() => {})
    },
  })
}

/** Reads the first values of the stream, then leaves the loop. */
async function take(count: number, stream: AsyncIterable<{ origin: string; sell: number | null }>) {
  const taken: string[] = []
  for await (const { origin, sell } of stream) {
    taken.push(`${origin} ${sell}`)
    if (taken.length === count) break
  }
  return taken
}

describe('the stream', () => {
  it('gives quotes as they come, wherever the bytes are cut, and leaves out other events', async () => {
    const bytes = `: hello\n\nevent: other\ndata: {}\n\n${event('1-3', 'BLUE', 1)}${event('2-5', 'CCL', 2)}`
    const { client, requests } = clientOf({ pieces: bytes.match(/[\s\S]{1,7}/g)!, after: 'stay' })

    expect(await take(2, client.stream({ pairs: ['USD/BLUE', 'usd/ccl'] }))).toEqual([
      'BLUE 1',
      'CCL 2',
    ])
    expect(requests[0]!.url).toBe(
      'https://cotizaciones.test/api/v2/stream?pairs=usd%2Fblue%2Cusd%2Fccl',
    )
    expect(requests[0]!.headers.get('Authorization')).toBeNull()
    // The loop has ended.
    expect(requests[0]!.signal.aborted).toBe(true)
  })

  it('reconnects with the last id after an end and after a break, and repeats nothing', async () => {
    const { client, requests, waits } = clientOf(
      { pieces: ['retry: 1000\n\n', event('1-3', 'BLUE', 1)] },
      { pieces: [event('1-3', 'BLUE', 1), event('2-3', 'BLUE', 2)], after: 'break' },
      { pieces: [event('2-3', 'BLUE', 2), event('3-3', 'BLUE', 3)], after: 'stay' },
    )

    let opened = 0
    const stream = client.stream({ onOpen: () => (opened += 1) })
    expect(await take(3, stream)).toEqual(['BLUE 1', 'BLUE 2', 'BLUE 3'])
    expect(opened).toBe(3)
    expect(requests.map(({ headers }) => headers.get('Last-Event-ID'))).toEqual([
      null,
      '1-3',
      '2-3',
    ])
    for (const wait of waits) expect(wait).toSatisfy((ms: number) => ms >= 1000 && ms <= 1200)
    expect(waits).toHaveLength(2)
  })

  it('gives a corrected value, which comes without an id or with that of the wrong one', async () => {
    const withoutId = event('', 'BLUE', 2).replace('id: \n', '')
    const { client, requests } = clientOf(
      { pieces: [event('1-3', 'BLUE', 1999), withoutId] },
      { pieces: [event('1-3', 'BLUE', 2), event('1-3', 'BLUE', 3)], after: 'stay' },
    )

    expect(await take(3, client.stream())).toEqual(['BLUE 1999', 'BLUE 2', 'BLUE 3'])
    expect(requests[1]!.headers.get('Last-Event-ID')).toBe('1-3')
  })

  it('waits longer after each failure in a row, up to a minute', async () => {
    const failures = Array.from({ length: 8 }, () => new Error('no network'))
    const { client, waits } = clientOf(...failures, { pieces: [event('1-3', 'BLUE', 1)] })

    await take(1, client.stream())
    const [first, second] = waits
    expect(first).toBeLessThanOrEqual(3600)
    expect(second).toBeGreaterThanOrEqual(6000)
    expect(Math.max(...waits)).toBeLessThanOrEqual(72_000)
    expect(waits.at(-1)).toBeGreaterThanOrEqual(60_000)
  })

  it.each([
    [429, { 'Retry-After': '7' }, 7000],
    [503, {}, 30_000],
    [502, {}, 30_000],
  ])('after a %s waits as long as it says', async (status, headers, wait) => {
    const refused = new Response('{"error":"No"}', { status, headers })
    const { client, waits } = clientOf(refused, { pieces: [event('1-3', 'BLUE', 1)] })

    await take(1, client.stream())
    expect(waits).toEqual([wait])
  })

  it.each([400, 404])('throws a %s without a retry, which would not help', async (status) => {
    const { client, requests } = clientOf(Response.json({ error: 'No' }, { status }))
    await expect(take(1, client.stream())).rejects.toMatchObject({ status, message: 'No' })
    expect(requests).toHaveLength(1)
  })

  it('ends without an error when the signal is aborted, while it listens and while it waits', async () => {
    const listening = new AbortController()
    const open = clientOf({ pieces: [event('1-3', 'BLUE', 1)], after: 'stay' })
    const taken: number[] = []
    for await (const { sell } of open.client.stream({ signal: listening.signal })) {
      taken.push(sell!)
      setTimeout(() => listening.abort(), 5)
    }
    expect(taken).toEqual([1])
    expect(open.requests).toHaveLength(1)

    const waiting = new AbortController()
    const down = clientOf(new Error('no network'))
    const stream = down.client.stream({ signal: waiting.signal, onRetry: () => waiting.abort() })
    expect(await take(1, stream)).toEqual([])
    expect(down.requests).toHaveLength(1)
  })

  it('takes a silent connection for dead', async () => {
    const { client, requests } = clientOf(
      { after: 'stay' },
      { pieces: [event('1-3', 'BLUE', 1)], after: 'stay' },
    )
    const causes: unknown[] = []
    const stream = client.stream({ idleMs: 10, onRetry: (cause) => causes.push(cause) })
    expect(await take(1, stream)).toEqual(['BLUE 1'])
    expect(requests).toHaveLength(2)
    expect(String(causes[0])).toContain('no sign of life')
  })
})
