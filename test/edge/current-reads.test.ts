import { expect, it } from 'vitest'
import { BOARD_KEY, type BoardQuote } from '../../shared/board/board.ts'
import { toCsv } from '../../shared/csv.ts'
import { CURRENCIES, PAIRS } from '../../shared/market/catalog.ts'
import { openEdge } from '../support/edge.ts'
import { env } from '../support/env.ts'
import { failing } from '../support/faulty-database.ts'
import { art } from '../support/instant.ts'
import { aBoardQuote, everyQuote, seedBoard } from '../support/board.ts'
import { seedQuote } from '../support/webhooks.ts'

const NOON = art('2026-03-02 12:00:30')
const ALL = everyQuote()

/** The text of an answer from a board with these quotes. */
async function textOf(path: string, ...quotes: BoardQuote[]): Promise<string> {
  await seedBoard(NOON, { quotes })
  return (await openEdge({ now: NOON }).fetch(path)).text()
}

it('a current pair is the quote with its change, its fields in the contract’s order', async () => {
  expect(await textOf('/api/v2/usd/blue', aBoardQuote('USD/BLUE'))).toBe(
    '{"currency":"USD","name":"Dólar Blue","origin":"BLUE","buy":1410,"sell":1430,' +
      '"updatedAt":"2026-03-02T11:55:00.000-03:00",' +
      '"lastScrapedAt":"2026-03-02T12:00:00.000-03:00","valueType":"money",' +
      '"change":{"amount":30,"percent":2.14,"referenceValue":1400}}',
  )
})

it('a current pair prints four exact decimals, and a null change when there was no earlier value', async () => {
  const values = { buy: 1.6378, sell: 1.6381, referenceSell: 1.6379 }
  const text = await textOf('/api/v2/clp/oficial', aBoardQuote('CLP/OFICIAL', values))
  const change = { amount: 0.0002, percent: 0.01, referenceValue: 1.6379 }
  expect(JSON.parse(text)).toMatchObject({ buy: 1.6378, sell: 1.6381, change })
  const first = aBoardQuote('USD/BLUE', { referenceSell: null })
  expect(JSON.parse(await textOf('/api/v2/usd/blue', first))).toHaveProperty('change', null)
})

it('a current pair has a change of 0 from midnight on, without a new board', async () => {
  await seedBoard(art('2026-03-02 23:59:50'), { quotes: [aBoardQuote('USD/BLUE')] })
  const edge = openEdge({ now: art('2026-03-02 23:59:59.999') })
  const change = async () => (await edge.json('/api/v2/usd/blue')).change

  expect(await change()).toEqual({ amount: 30, percent: 2.14, referenceValue: 1400 })
  edge.clock.now = art('2026-03-03 00:00:00.000')
  expect(await change()).toEqual({ amount: 0, percent: 0, referenceValue: 1430 })
})

it('lists hold the quoted pairs of all or of one currency in catalogue order, without change', async () => {
  await seedBoard(NOON, { quotes: ALL.toReversed() })
  const { json } = openEdge({ now: NOON })
  const read = (path: string): Promise<Record<string, string>[]> => json(path)

  const quotes = await read('/api/v2/quotes')
  expect(quotes.map(({ currency, origin }) => [currency, origin])).toEqual(
    PAIRS.map(({ currency, origin }) => [currency, origin]),
  )
  expect(Object.keys(quotes[0]!)).not.toContain('change')
  for (const currency of CURRENCIES) {
    const expected = PAIRS.filter((pair) => pair.currency === currency).map(({ origin }) => origin)
    expect((await read(`/api/v2/${currency}`)).map(({ origin }) => origin)).toEqual(expected)
    expect((await read(`/api/${currency}`)).map(({ origen }) => origen)).toEqual(expected)
  }
})

/** Stands for a KV that does not answer. */
const SILENT = { get: () => Promise.reject(new Error('down')) }
const gated = openEdge({ now: NOON, env: { BOARD: SILENT, DB: failing('down') } })
const [JSON_TYPE, HTML] = ['application/json; charset=utf-8', 'text/html; charset=utf-8']

it.each([
  ['/api/v2/usd/xyz', HTML],
  ['/api/v2/usd/bl%75e', HTML],
  ['/api/v2/uſd/blue', HTML],
  [`/api/v2/usd/${'x'.repeat(3000)}`, HTML],
  ['/api/v2/usd/blue/', JSON_TYPE],
  ['/api/v2/usd/blue/x', JSON_TYPE],
  ['/api/v2/xyz', JSON_TYPE],
  ['/api/v2', JSON_TYPE],
  ['/api/v2/usd/xyz', JSON_TYPE, 'application/*'],
  ['/api/v2/usd/xyz', JSON_TYPE, 'application/json, text/html;q=0.9'],
  ['/api/v2/usd/xyz', JSON_TYPE, 'text/html;q=0.5, application/json;q=0.6'],
  ['/api/v2/usd/xyz', HTML, 'application/json;q=0.5, text/html;q=0.5'],
  ['/api/v2/usd/xyz', HTML, 'text/html,application/xhtml+xml,*/*;q=0.8'],
  ['/api/v2/usd/xyz', HTML, 'application/json;q=0'],
  ['/api/v2/usd/xyz', HTML, '*/*'],
])('%s answers a 404 of type %s and reads no storage', async (path, type, accept = '') => {
  const response = await gated.fetch(path, { headers: { Accept: accept } })
  expect(response.status).toBe(404)
  expect(response.headers.get('Content-Type')).toBe(type)
  expect(await response.text()).toMatch(
    type === HTML ? '<html lang="es">' : /^\{"error":"[^"]+"\}$/,
  )
})

it('a current read is public for 60 seconds, with a strong ETag that answers 304', async () => {
  await seedBoard(NOON, { quotes: ALL })
  const edge = openEdge({ now: NOON })
  const ask = (tags: string, path = '/API/V2/Usd/Blue?x=1') =>
    edge.fetch(path, { headers: { 'If-None-Match': tags, Authorization: 'wrong' } })

  const first = await ask('"other"')
  expect(first.headers.get('Cache-Control')).toBe('public, max-age=60')
  const etag = first.headers.get('ETag')!
  expect(etag).toMatch(/^"[0-9a-z]+"$/)
  for (const tags of ['*', `W/${etag}`, `"b",W/${etag}`, `"x,y" , ${etag}`]) {
    const again = await ask(tags)
    expect([again.status, again.headers.get('ETag'), await again.text()]).toEqual([304, etag, ''])
  }
  const bare = etag.slice(1, -1)
  for (const tags of [bare, `"${bare}b"`, `"x", "y${bare}"`, ''])
    expect((await ask(tags)).status, tags).toBe(200)
  expect((await ask(etag, '/api/v2/usd/bna')).status).toBe(200)
})

it('a current read shows a new board within a tenth of a cycle', async () => {
  await seedBoard(NOON, { quotes: [aBoardQuote('USD/BLUE')], everySeconds: 5 })
  const edge = openEdge({ now: NOON })
  await edge.fetch('/api/v2/usd/blue')
  await seedBoard(NOON, { quotes: [aBoardQuote('USD/BLUE', { sell: 1431 })], everySeconds: 5 })

  edge.clock.now += 500
  expect(await edge.json('/api/v2/usd/blue')).toMatchObject({ sell: 1431 })
})

const UNREADABLE = Symbol('unreadable')
const EMPTY = { schema: 1, generatedAt: NOON, everySeconds: 300, quotes: [], sources: [] }

it.each([
  ['missing', null],
  ['unread', UNREADABLE],
  ['malformed', '{'],
  ['not a board', '[]'],
  ['of a newer schema', JSON.stringify({ ...EMPTY, schema: 2 })],
  [
    'older than 15 minutes',
    JSON.stringify({
      ...EMPTY,
      generatedAt: NOON - 15 * 60_000 - 1,
      quotes: [aBoardQuote('USD/BLUE', { sell: 1 })],
    }),
  ],
])('without a board that can be trusted (%s) current reads answer from D1', async (_, text) => {
  if (typeof text === 'string') await env.BOARD.put(BOARD_KEY, text)
  await seedQuote('usd/blue', 1410, 1430)
  const broken = text === UNREADABLE ? { BOARD: SILENT } : {}

  expect(await openEdge({ now: NOON, env: broken }).json('/api/v2/usd/blue')).toMatchObject({
    sell: 1430,
    updatedAt: '2026-03-02T11:55:00.000-03:00',
  })
})

it('without a board that can be trusted current reads answer 503 with Retry-After when D1 fails too, and recover', async () => {
  const edge = openEdge({ now: NOON, env: { DB: failing('down') } })

  const response = await edge.fetch('/api/v2/usd/blue')
  expect([response.status, response.headers.get('Retry-After')]).toEqual([503, '15'])
  await seedBoard(NOON, { quotes: ALL })
  expect((await edge.fetch('/api/v2/usd/blue')).status).toBe(200)
})

it('a preflight allows our headers, or those that it names; another method is refused', async () => {
  const { fetch } = openEdge({ now: NOON, env: { COMPATIBILITY: 'on' } })
  for (const path of ['/api/v2/usd/blue', '/api/v2/nothing', '/api/v2/usd/xyz', '/v1/dolares']) {
    const allowed = async (headers?: HeadersInit) =>
      (await fetch(path, { method: 'OPTIONS', ...(headers && { headers }) })).headers.get(
        'Access-Control-Allow-Headers',
      )
    expect(await allowed()).toBe(
      'Authorization, x-api-key, Content-Type, If-None-Match, Last-Event-ID, Cache-Control',
    )
    const asked = 'pragma,sentry-trace,x-requested-with'
    expect(await allowed({ 'Access-Control-Request-Headers': asked })).toBe(asked)
  }
  const refused = await fetch('/api/v2/usd/blue', { method: 'POST' })
  expect([refused.status, refused.headers.get('Allow')]).toEqual([405, 'GET, HEAD, OPTIONS'])
})

it.each([
  ['/', true],
  ['/usd/blue/grafico.json', true],
  ['/a/b/c/d', true],
  ['/api/account/keys/x/rotate', true],
  ['/api/auth/callback/github', true],
  ['/api/accounts', false],
  ['/api/authx', false],
  ['/api/v2/auth/check', false],
])('%s is answered by the site: %s', async (path, isOfSite) => {
  const { fetch } = openEdge({ now: NOON })
  for (const method of ['GET', 'POST', 'DELETE'])
    expect((await (await fetch(path, { method })).text()) === 'site').toBe(isOfSite)
})

const BLUE = aBoardQuote('USD/BLUE', { buy: 1410.5, sell: 1430.25 })

async function ask(path: string, headers: Record<string, string> = {}) {
  await seedBoard(NOON, { quotes: [BLUE, aBoardQuote('EUR/BLUE')] })
  return openEdge({ now: NOON }).fetch(path, { headers })
}

const [CSV, TEXT] = ['text/csv; charset=utf-8', 'text/plain; charset=utf-8']
const NOT_FOUND = '{"error":"Cotización no encontrada"}'
const LEGACY =
  '{"moneda":"USD","nombre":"Dólar Blue","origen":"BLUE","compra":1410.5,"venta":1430.25,' +
  '"actualizado":"2026-03-02T11:55:00.000-03:00"}'

it.each<[path: string, type: string, text: string, status?: number]>([
  [
    '/api/v2/usd?format=csv',
    CSV,
    'currency,name,origin,buy,sell,updatedAt,lastScrapedAt,valueType\r\n' +
      'USD,Dólar Blue,BLUE,1410.5,1430.25,2026-03-02T11:55:00.000-03:00,' +
      '2026-03-02T12:00:00.000-03:00,money\r\n',
  ],
  [
    '/api/v2/usd/blue?format=csv',
    CSV,
    'currency,name,origin,buy,sell,updatedAt,lastScrapedAt,valueType,' +
      'changeAmount,changePercent,referenceValue\r\n' +
      'USD,Dólar Blue,BLUE,1410.5,1430.25,2026-03-02T11:55:00.000-03:00,' +
      '2026-03-02T12:00:00.000-03:00,money,30.25,2.16,1400\r\n',
  ],
  [
    '/api/usd/blue?format=csv&locale=es-AR',
    CSV,
    'moneda,nombre,origen,compra,venta,actualizado\r\n' +
      'USD,Dólar Blue,BLUE,"1410,5","1430,25",2026-03-02T11:55:00.000-03:00\r\n',
  ],
  // The cache-busters of spreadsheets are ignored.
  ['/api/clp?t=1&format=csv', CSV, 'moneda,nombre,origen,compra,venta,actualizado\r\n'],
  ['/api/v2/usd/blue?format=value', TEXT, '1430.25'],
  ['/api/v2/usd/blue?format=value&field=buy&locale=es-AR', TEXT, '1410,5'],
  ['/api/v2/usd/blue?_=1&_=2&t=3&locale=es-ar&format=value', TEXT, '1430,25'],
  ['/api/usd/blue?format=value&field=compra', TEXT, '1410.5'],
  ['/api/usd/blue?format=value&field=venta&locale=en-US', TEXT, '1430.25'],
  // Without a form, what a query holds is ignored.
  ...['?x=1', '?_=1&fields=sell', '?', '?%zz', '?Format=csv'].map(
    (query): [string, string, string] => [`/api/usd/blue${query}`, JSON_TYPE, LEGACY],
  ),
  // A pair that was never quoted.
  ['/api/v2/usd/bna', JSON_TYPE, NOT_FOUND, 404],
  ['/api/v2/usd/bna?format=csv', JSON_TYPE, NOT_FOUND, 404],
  ['/api/v2/usd/bna?format=value', JSON_TYPE, NOT_FOUND, 404],
])('%s answers in the form %s', async (path, type, text, status = 200) => {
  const response = await ask(path)
  expect([response.status, response.headers.get('Content-Type')]).toEqual([status, type])
  if (type === CSV) expect(response.headers.get('Vary')).toBe('Accept')
  expect(await response.text()).toBe(text)
})

it.each([
  ['TEXT/CSV; charset=utf-8', true],
  ['text/csv, */*', true],
  ['application/json;q=0.5, text/csv', true],
  ['application/json, text/csv', false],
  ['application/*, text/csv;q=0.9', false],
  ['text/csv;q=0', false],
  ['text/csv;q=high', false],
  ['text/*', false],
])('CSV is chosen by Accept “%s”: %s', async (Accept, csv) => {
  const response = await ask('/api/v2/quotes', { Accept })
  expect(response.headers.get('Content-Type')).toBe(csv ? CSV : JSON_TYPE)
  expect(response.headers.get('Vary')).toBe('Accept')
  const local = await ask('/api/usd/blue?locale=es-AR', { Accept })
  expect((await local.text()).includes('"1410,5"')).toBe(csv)
})

it.each(['/api/v2/usd/xyz', '/api/usd/xyz', '/api/v2/xyz/blue'])(
  'a cell gets a plain line and no page for %s, which is no pair',
  async (path) => {
    const response = await ask(`${path}?format=value`, { Accept: 'text/html,*/*' })
    expect([response.status, await response.text()]).toEqual([404, 'Cotización no encontrada'])
    expect(response.headers.get('Content-Type')).toBe(TEXT)
    expect((await ask(`${path}?format=csv`)).headers.get('Content-Type')).toBe(HTML)
  },
)

it.each([
  ['/api/v2/usd/blue?format=xml', 'El parámetro format debe ser csv, json o value'],
  ['/api/v2/usd/blue?format=csv&x=1', 'Junto a format los únicos parámetros son field y locale'],
  ['/api/v2/usd/blue?format=csv&format=csv', 'El parámetro format está repetido'],
  ['/api/v2/usd/blue?format=csv&field=sell', 'El parámetro field va con format=value'],
  ['/api/v2/usd/blue?format=value&field=name', 'El parámetro field debe ser buy o sell'],
  ['/api/usd/blue?format=value&field=sell', 'El parámetro field debe ser compra o venta'],
  ['/api/v2/usd/blue?format=value&locale=fr', 'El parámetro locale debe ser es-AR o en-US'],
  ['/api/v2/usd/blue?field=sell', 'El parámetro field va con format=value'],
  ['/api/v2/usd/blue?locale=es-AR', 'El parámetro locale va con format=csv o format=value'],
  ['/api/v2/usd/blue?locale=es-AR&x=1', 'Junto a format los únicos parámetros son field y locale'],
  ['/api/v2/usd?format=value', 'El valor solo es de un par: la lista va con format=csv'],
])('a request that names a form is refused: %s', async (path, error) => {
  const response = await ask(path)
  expect(response.status).toBe(400)
  expect(await response.json()).toEqual({ error })
})

it.each(['a,b', 'say "so"', 'two\nlines', 'two\rlines'])('CSV puts %j in quotes', (value) => {
  expect(toCsv([{ x: value }])).toBe(`x\r\n"${value.replaceAll('"', '""')}"\r\n`)
})
