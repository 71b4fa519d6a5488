/** Checks every documented answer of the operations without a key. */
import { beforeEach, expect, it } from 'vitest'
import { formatArgentine } from '../../../shared/argentine-time.ts'
import { MAX_PER_CLIENT } from '../../../workers/edge/stream/hub.ts'
import { DOCUMENTS } from '../../../workers/site/reference/documents.ts'
import { buildFiles } from '../../support/nightly-files.ts'
import {
  type Documented,
  hasTable,
  isPrivate,
  operationOf,
  operations,
  pathOf,
  seeEveryAnswer,
} from '../../support/openapi.ts'
import { type EdgeBindings, openEdge } from '../../support/edge.ts'
import { failing } from '../../support/faulty-database.ts'
import { art } from '../../support/instant.ts'
import { seedCloses, seedInvoicing, seedPoints } from '../../support/points.ts'
import { aBoardQuote, everyQuote, seedBoard } from '../../support/board.ts'
import { aDeployment } from '../../support/deployment.ts'
import { times } from '../../support/account-client.ts'

const NOW = art('2026-03-03 12:00')

const publics = operations.filter((operation) => !isPrivate(operation))
const expectAnswer = seeEveryAnswer(publics)
const of = (...subjects: string[]) => publics.filter(({ tags }) => subjects.includes(tags[0]!))

const seed = (...quotes: ReturnType<typeof aBoardQuote>[]) =>
  seedBoard(NOW, { mode: 'demo', quotes })
beforeEach(() => seed())

const open = (more: EdgeBindings = {}) => openEdge({ now: NOW, env: more })
const DOWN = { BOARD: { get: () => Promise.reject(new Error('down')) }, DB: failing('down') }

/**
 * The answers common to these reads: 200, to HEAD without the body, 304, 204 to a preflight, 405 for
 * another method, and 503 when down. All but the last are marked as those of a demo.
 */
async function expectRead(
  operation: Documented,
  path = pathOf(operation),
  more: EdgeBindings = {},
) {
  const edge = open(more)
  const first = await edge.fetch(path)
  const headers = { 'If-None-Match': first.headers.get('ETag')! }
  expect(first.headers.get('X-Service-Mode')).toBe('demo')
  await expectAnswer(operation, first, 200)
  const head = await edge.fetch(path, { method: 'HEAD' })
  expect([head.status, await head.text()]).toEqual([200, ''])
  expect(Object.fromEntries(head.headers)).toEqual(Object.fromEntries(first.headers))
  expect((await edge.fetch(path, { method: 'OPTIONS' })).status).toBe(204)
  await expectAnswer(operation, await edge.fetch(path, { headers }), 304)
  await expectAnswer(operation, await edge.fetch(path, { method: 'PUT' }), 405)
  await expectAnswer(operation, await open({ ...more, ...DOWN }).fetch(path), 503)
  return (status: number, query: string, init?: RequestInit) =>
    edge.fetch(query, init).then((answer) => expectAnswer(operation, answer, status))
}

async function expectFlood(operation: Documented, path = pathOf(operation)) {
  const edge = open()
  await expectAnswer(operation, (await times(21, () => edge.fetch(path))).at(-1)!, 429)
}

const ofCurrency = ({ path }: Documented) => path.includes('{currency}')

it.each(of('Cotizaciones actuales', 'Generación 1'))('current, $operationId', async (operation) => {
  await seed(aBoardQuote('USD/BLUE'), aBoardQuote('USD/OFICIAL', { referenceSell: null }))
  const ask = await expectRead(operation)
  if (!ofCurrency(operation)) return

  const unknown = pathOf(operation, { currency: 'xyz' })
  await ask(404, unknown)
  await ask(404, unknown, { headers: { Accept: 'application/json' } })
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

it.each(of('Por fecha'))('dates, $operationId', async (operation) => {
  await seedPoints('usd/blue', ['2026-03-01 11:00', 1400, 1420], ['2026-03-02 11:55', 1410, 1430])
  const path = pathOf(operation)
  const ask = await expectRead(operation)
  if (hasTable(operation)) await ask(200, `${path}?format=csv`)
  await ask(200, `${path}?max_age=0`)
  await ask(200, pathOf(operation, { date: '2020-01-01' }))
  await ask(400, `${path}?otro=1`)
  if (ofCurrency(operation)) await ask(404, pathOf(operation, { currency: 'xyz' }))
  await expectFlood(operation)
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

it.each(of('Datos abiertos'))('files, $operationId', async (operation) => {
  const path = pathOf(operation)
  await expectAnswer(operation, await open().fetch(path), 503)

  await seedCloses('usd/blue', ['2026-02-28', 1410.5, 1430.25])
  await buildFiles(NOW, 'demo')
  const ask = await expectRead(operation)
  await ask(400, `${path}?v=2`)
  if (!operation.path.includes('{name}')) return

  await ask(200, pathOf(operation, { name: 'cotizaciones.parquet' }))
  await ask(206, path, { headers: { Range: 'bytes=0-3' } })
  await ask(416, path, { headers: { Range: 'bytes=99999-' } })
  await ask(404, pathOf(operation, { name: 'otra.csv' }))
})

it.each(of('Direcciones compatibles'))('compatibility, $operationId', async (operation) => {
  const COMPATIBILITY = 'on'
  const path = pathOf(operation) + (operation.path === '/v2/historical' ? '?day=2026-03-02' : '')

  // Neither files nor board have this pair: like the original, the address answers 404.
  await seedCloses('eur/bna', ['2026-02-28', 1, 2])
  await buildFiles(NOW, 'demo')
  const hasNothing = '404' in operation.responses
  const empty = await open({ COMPATIBILITY }).fetch(path)
  await expectAnswer(operation, empty, hasNothing ? 404 : 200)

  await seed(...everyQuote())
  await seedPoints('usd/blue', ['2026-02-27 15:00', 1410, 1430.5])
  await seedPoints('eur/oficial', ['2026-02-27 15:00', 1600, 1620.5])
  await expectRead(operation, path, { COMPATIBILITY })
  if ('429' in operation.responses) {
    // As after the 600 requests in test/edge/route-limits.test.ts.
    const COMPATIBILITY_DAYS = { limit: async () => ({ success: false }) }
    const full = open({ COMPATIBILITY, COMPATIBILITY_DAYS })
    await full.fetch(path)
    await expectAnswer(operation, await full.fetch(path), 429)
  }
})

it('says nothing of compatibility addresses where they are off', () => {
  const off = DOCUMENTS.at(-1)!.make(aDeployment('https://a.example', { compatibility: false }))
  expect(Object.keys(off.paths).filter((path) => /^\/v\d/.test(path))).toEqual([])
})

it('convert', async () => {
  const convert = operationOf('convertAmount')
  const path = `${convert.path}?amount=100&from=USD&to=ARS&origin=blue`
  await seed(aBoardQuote('USD/BLUE'), aBoardQuote('EUR/BLUE'))
  await seedPoints('usd/blue', ['2026-03-01 11:00', 1400, 1420])

  const ask = await expectRead(convert, path)
  await ask(200, `${path}&format=csv`)
  await ask(200, path.replace('ARS', 'EUR'))
  await ask(200, `${path}&date=2026-03-02`)
  await ask(200, `${path}&date=2026-02-02&side=mid`)
  await ask(400, `${path}&otro=1`)
  await ask(404, path.replace('ARS', 'CLP'))
  await expectAnswer(convert, await open(DOWN).fetch(`${path}&date=2026-03-02`), 503)
  await expectFlood(convert, `${path}&date=2026-03-02`)
})

it.each(of('Facturación'))('invoicing, $operationId', async (operation) => {
  await seedInvoicing()
  const path = pathOf(operation)

  const ask = await expectRead(operation)
  await ask(200, `${path}?format=csv`)
  await ask(200, `${path}?date=2020-01-02`)
  await ask(400, `${path}?date=2026-03-04`)
  if (ofCurrency(operation)) {
    await ask(200, `${path}?format=value`)
    await ask(404, pathOf(operation, { currency: 'ars' }))
  }
  await expectFlood(operation)
})

it.each(of('Planillas'))('sheets, $operationId', async (operation) => {
  await seed(aBoardQuote('USD/BLUE'))
  const path = pathOf(operation)
  const isPair = operation.path.includes('{origin}')

  const ask = await expectRead(operation, `${path}?format=csv`)
  await ask(200, path)
  await ask(200, `${path}?format=csv&locale=es-AR`)
  await ask(isPair ? 200 : 400, `${path}?format=value`)
  await ask(400, `${path}?format=xml`)
  if (isPair) await ask(404, `${pathOf(operation, { origin: 'bna' })}?format=value`)
  else if (ofCurrency(operation)) await ask(404, pathOf(operation, { currency: 'xyz' }))
})
