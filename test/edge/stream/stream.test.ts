import { expect, it } from 'vitest'
import { DAY_MS } from '../../../shared/argentine-time.ts'
import { type Board, type BoardListener, STREAM_NAME } from '../../../shared/board/board.ts'
import { MAX_PER_CLIENT } from '../../../workers/edge/stream/hub.ts'
import { openEdge } from '../../support/edge.ts'
import { env } from '../../support/env.ts'
import { aBoard, aBoardQuote, seedBoard } from '../../support/board.ts'

/** The Durable Object uses the real clock. */
const now = Date.now()

const tell = (changes: Partial<Board> = {}) =>
  (env.QUOTE_STREAM.getByName(STREAM_NAME) as unknown as BoardListener).publish(
    aBoard(now, { quotes: [aBoardQuote('USD/BLUE'), aBoardQuote('EUR/BLUE')], ...changes }),
  )

async function read(query = '', headers: Record<string, string> = {}) {
  const response = await openEdge({ now }).fetch(`/api/v2/stream${query}`, { headers })
  if (!response.ok) return { response, text: await response.text() }

  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
  const first = (await reader.read()).value ?? ''
  const text = first.includes('data:') ? first : first + ((await reader.read()).value ?? '')
  await reader.cancel()
  return { response, text }
}

const pairsIn = (text: string) => text.match(/"currency":"\w+","name":"[^"]+"/g)

it('the stream sends the values of the requested pairs or of all, and no cache may keep it', async () => {
  await tell({ mode: 'demo' })
  expect(pairsIn((await read()).text)).toHaveLength(2)
  const { response, text } = await read('?pairs=usd/BLUE,usd/bolsa')

  expect(response.headers.get('Content-Type')).toBe('text/event-stream; charset=utf-8')
  expect(response.headers.get('Cache-Control')).toBe('no-store, no-transform')
  expect(response.headers.get('X-Accel-Buffering')).toBe('no')
  expect(response.headers.get('X-Service-Mode')).toBe('demo')
  expect(pairsIn(text)).toEqual(['"currency":"USD","name":"Dólar Blue"'])
  const edge = openEdge({ now, env: { QUOTE_STREAM: { getByName: () => expect.unreachable() } } })
  const head = await edge.fetch('/api/v2/stream', { method: 'HEAD' })
  expect([head.status, await head.text()]).toEqual([200, ''])
})

it('the stream leaves out values up to the last id, given in the header or the query', async () => {
  await tell()
  const [first] = (await read()).text.match(/(?<=^id: ).*$/m)!
  const rest = ['"currency":"EUR","name":"Euro Blue"']
  expect(pairsIn((await read('', { 'Last-Event-ID': first })).text)).toEqual(rest)
  expect(pairsIn((await read(`?lastEventId=${first}`)).text)).toEqual(rest)
  const tomorrow = `${now + DAY_MS}-3`
  expect(pairsIn((await read('', { 'Last-Event-ID': tomorrow })).text)).toHaveLength(2)
})

it('the stream reads the board of KV when the scraper has published none to it', async () => {
  await seedBoard(now, { quotes: [aBoardQuote('USD/BNA')] })
  expect(pairsIn((await read()).text)).toEqual(['"currency":"USD","name":"Dólar Banco Nación"'])
})

it.each([
  ['?pairs=usd', 400, 'El parámetro pairs debe tener la forma usd/blue,usd/bolsa'],
  [`?pairs=${'usd/blue,'.repeat(20)}usd/bna`, 400, 'El parámetro pairs tiene pares de más'],
  ['?pairs=usd/blue&pairs=usd/bna', 400, 'El parámetro pairs está repetido'],
  ['?pairs=usd/blue,clp/blue', 404, 'Cotización no encontrada'],
])('the stream refuses %s', async (query, status, error) => {
  const { response, text } = await read(query)
  expect(response.status).toBe(status)
  expect(JSON.parse(text)).toEqual({ error })
})

it('a client that leaves at once frees its slot', async () => {
  const headers = { 'CF-Connecting-IP': '192.0.2.77' }
  const open = async (signal?: AbortSignal) =>
    openEdge({ now }).fetch('/api/v2/stream', { headers, ...(signal && { signal }) })
  const client = new AbortController()
  const held = await Promise.all(Array.from({ length: MAX_PER_CLIENT }, () => open(client.signal)))
  expect(held.map(({ status }) => status)).toEqual(held.map(() => 200))
  const refused = await open()
  expect(refused.status).toBe(429)
  await refused.body?.cancel()

  client.abort()
  const after = await open()
  expect(after.status).toBe(200)
  await after.body?.cancel()
})
