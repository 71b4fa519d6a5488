/** Checks every documented answer of the operations without a key. */
import { expect, it } from 'vitest'
import { formatArgentine } from '../../../shared/argentine-time.ts'
import { createApp } from '../../../workers/edge/app.ts'
import { CURRENT_READS } from '../../../workers/edge/routes/current.ts'
import { MAX_PER_CLIENT } from '../../../workers/edge/stream/hub.ts'
import { randomBytes } from '../../../tools/support/random.ts'
import { buildFiles } from '../../support/nightly-files.ts'
import {
  addressOf,
  isPrivate,
  operationOf,
  operations,
  pathOf,
  seeEveryAnswer,
} from '../../support/openapi.ts'
import { type EdgeBindings, openEdge } from '../../support/edge.ts'
import { failing } from '../../support/faulty-database.ts'
import { art } from '../../support/instant.ts'
import { seedCloses, seedInvoicing } from '../../support/points.ts'
import { aBoardQuote, everyQuote, seedBoard } from '../../support/board.ts'
import { times } from '../../support/account-client.ts'

const NOW = art('2026-03-03 12:00')

const publics = operations.filter((operation) => !isPrivate(operation))
const expectAnswer = seeEveryAnswer(publics)

const seed = (...quotes: ReturnType<typeof aBoardQuote>[]) =>
  seedBoard(NOW, { mode: 'demo', quotes })

const open = (more: EdgeBindings = {}) =>
  openEdge({ now: NOW, env: { COMPATIBILITY: 'on', ...more } })
const DOWN = { BOARD: { get: () => Promise.reject(new Error('down')) }, DB: failing('down') }
const REFUSING = { limit: async () => ({ success: false }) }
const LIMITED = { DATE_READS: REFUSING, COMPATIBILITY_DAYS: REFUSING }

const UNKNOWN = { currency: 'xyz', name: 'otra.csv' }

/** More queries that are answered, by subject. */
const ANSWERED: Partial<Record<string, string[]>> = {
  'Por fecha': ['max_age=0'],
  Convertir: ['to=eur', 'date=2026-03-02', 'date=2020-01-01&side=mid'],
  Facturación: ['date=2020-01-02'],
}

const isElsewhere = ({ operationId }: { operationId: string }) =>
  ['streamQuotes', 'readStatus', 'readReadiness'].includes(operationId)

it.each(publics.filter((operation) => !isElsewhere(operation)))(
  '$operationId answers as documented',
  async (operation) => {
    const [subject = ''] = operation.tags
    const isOfFiles = subject === 'Datos abiertos'
    const declares = (status: number) => String(status) in operation.responses
    const typesOf = (status: number) => Object.keys(operation.responses[status]!.content ?? {})
    const address = (query: string) => {
      const url = new URL(addressOf(operation), 'https://x.test')
      for (const [name, value] of new URLSearchParams(query)) url.searchParams.set(name, value)
      return url.pathname + url.search
    }
    const path = address('')
    const ask = async (status: number, asked: string, init?: RequestInit, at = open()) =>
      expectAnswer(operation, await at.fetch(asked, init), status)

    await seed()
    if (isOfFiles) await ask(503, path)
    if (subject === 'Direcciones compatibles') {
      // Neither files nor board have the pair.
      await seedCloses('eur/bna', ['2026-02-28', 1, 2])
      await buildFiles(NOW, 'demo')
      await ask(declares(404) ? 404 : 200, path)
    }
    await seedCloses('usd/blue', ['2026-02-28', 1410.5, 1430.25], ['2026-03-02', 1420, 1440])
    await seedCloses('eur/oficial', ['2026-02-28', 1600, 1620.5])
    if (isOfFiles) await buildFiles(NOW, 'demo')
    await seedInvoicing()
    await seed(...everyQuote().with(0, aBoardQuote('USD/OFICIAL', { referenceSell: null })))

    const edge = open()
    const first = await edge.fetch(path)
    expect(first.headers.get('X-Service-Mode')).toBe('demo')
    const headers = { 'If-None-Match': first.headers.get('ETag')! }
    await expectAnswer(operation, first, 200)
    const head = await edge.fetch(path, { method: 'HEAD' })
    expect([head.status, await head.text()]).toEqual([200, ''])
    expect(Object.fromEntries(head.headers)).toEqual(Object.fromEntries(first.headers))
    expect((await edge.fetch(path, { method: 'OPTIONS' })).status).toBe(204)
    await ask(304, path, { headers })
    await ask(405, path, { method: 'PUT' })
    await ask(503, path, {}, open(DOWN))

    for (const query of ANSWERED[subject] ?? []) await ask(200, address(query))
    if (subject === 'Por fecha') await ask(200, pathOf(operation, { date: '2020-01-01' }))
    const types = isOfFiles ? [] : typesOf(200)
    if (types.includes('text/csv')) await ask(200, address('format=csv'))
    if (types.includes('text/plain')) await ask(200, address('format=value'))
    if (declares(400)) await ask(400, address('format=xml&otro=1'))
    if (declares(429)) {
      const full = open(LIMITED)
      await full.fetch(address('date=2026-03-02'))
      await ask(429, address('date=2026-03-02'), {}, full)
    }
    if (subject === 'Direcciones compatibles' || !declares(404)) return
    const unknown = pathOf(operation, UNKNOWN)
    if (subject === 'Convertir') await ask(404, address('from=clp'))
    else for (const Accept of typesOf(404)) await ask(404, unknown, { headers: { Accept } })
    if (typesOf(404).includes('text/plain')) await ask(404, `${unknown}?format=value`)
  },
)

it('files in parts, and in the other format', async () => {
  await seedCloses('usd/blue', ['2026-02-28', 1410.5, 1430.25])
  await buildFiles(NOW, 'demo')
  const file = operationOf('readFile')
  const ask = async (status: number, name: string, Range?: string) => {
    const headers = Range ? { Range } : {}
    const answer = await open().fetch(pathOf(file, { name }), { headers })
    await expectAnswer(file, answer, status)
  }
  await ask(200, 'cotizaciones.parquet')
  await ask(206, 'cotizaciones.csv', 'bytes=0-3')
  await ask(416, 'cotizaciones.csv', 'bytes=99999-')
})

it('status', async () => {
  const status = operationOf('readStatus')
  await seed(aBoardQuote('USD/BLUE'))
  await expectAnswer(status, await open().fetch(status.path), 200)
  await expectAnswer(status, await open(DOWN).fetch(status.path), 200)
  await expectAnswer(status, await open().fetch(status.path, { method: 'PUT' }), 405)
})

it('readiness', async () => {
  const ready = operationOf('readReadiness')
  await expectAnswer(ready, await open(DOWN).fetch(ready.path), 503)
  await seed(aBoardQuote('USD/BLUE', { lastScrapedAt: formatArgentine(NOW) }))
  await expectAnswer(ready, await open().fetch(ready.path), 200)
  await expectAnswer(ready, await open().fetch(ready.path, { method: 'PUT' }), 405)
})

const site = async () => new Response()
const app = createApp({ now: () => 0, random: randomBytes, site })
// Middleware is registered for all methods. MCP documents itself (tools/list).
const routes = app.routes.filter(({ method, path }) => method !== 'ALL' && path !== '/api/mcp')
/** Current reads have a route for each pair; the documents have their patterns. */
const current: readonly string[] = [...CURRENT_READS.keys()]

/** The tests of live answers check that every documented operation exists. */
it('documents every route of the app and every current read', () => {
  const documented = operations.map(({ method, path }) => `${method} ${path}`)
  const named = routes
    .filter(({ path }) => !current.includes(path))
    .map(({ method, path }) => `${method} ${path.replaceAll(/:(\w+)(\{[^/]*\})?/g, '{$1}')}`)
  expect(named.length).toBeGreaterThan(12)
  expect(named.filter((route) => !documented.includes(route))).toEqual([])

  const patterns = operations
    .filter(({ method, path }) => method === 'GET' && !path.startsWith('/api/v2/webhooks'))
    .map(({ path }) => new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[a-z]+')}$`))
  expect(current).toHaveLength(1 + 2 * (6 + 19))
  expect(current.filter((path) => !patterns.some((pattern) => pattern.test(path)))).toEqual([])
})

it('the stream', async () => {
  const stream = operationOf('streamQuotes')
  await seedBoard(Date.now(), { quotes: [aBoardQuote('USD/BLUE')] }) // the object has the real clock
  const edge = openEdge({ now: Date.now() })
  const opened = await times(MAX_PER_CLIENT, () => edge.fetch(stream.path))
  const refused = await edge.fetch(stream.path)
  await expectAnswer(stream, await beginning(opened[0]!), 200)
  await expectAnswer(stream, refused, 429)
  await Promise.all(opened.slice(1).map(({ body }) => body?.cancel()))

  await expectAnswer(stream, await edge.fetch(`${stream.path}?pairs=usd`), 400)
  await expectAnswer(stream, await edge.fetch(`${stream.path}?pairs=usd/xyz`), 404)
  await expectAnswer(stream, await edge.fetch(stream.path, { method: 'PUT' }), 405)
  const QUOTE_STREAM = { getByName: () => ({ fetch: () => Promise.reject(new Error('down')) }) }
  await expectAnswer(stream, await open({ QUOTE_STREAM }).fetch(stream.path), 503)
})

/** The first bytes of an endless answer, as a complete answer. */
async function beginning({ body, status, headers }: Response) {
  const reader = body!.getReader()
  const { value } = await reader.read()
  await reader.cancel()
  return new Response(value ?? null, { status, headers })
}
