/** Every answer that the document of extensions declares, but those of alerts and redelivery. */
import { expect, it } from 'vitest'
import { rebuildCandles } from '../../../shared/db/quotes/candles.ts'
import { invoicingStatements } from '../../../shared/db/quotes/invoicing-tables.ts'
import { findPairByKey, PAIRS } from '../../../shared/market/catalog.ts'
import { DOCUMENTS } from '../../../workers/site/reference/documents.ts'
import { seedAccount } from '../../support/accounts.ts'
import { buildFiles } from '../../support/archive.ts'
import { seedCloses } from '../../support/candles.ts'
import { type Documented, ofExtension, pathOf } from '../../support/documented.ts'
import { openEdge } from '../../support/edge.ts'
import { env } from '../../support/env.ts'
import { failing } from '../../support/failing-database.ts'
import { art } from '../../support/instant.ts'
import { seedPoints } from '../../support/points.ts'
import { aBoardQuote, seedBoard } from '../../support/seed.ts'
import { seeEveryAnswer } from '../../support/seen-answers.ts'
import { aTerms } from '../../support/terms.ts'
import { times } from '../../support/webhook-client.ts'

const NOW = art('2026-03-03 12:00')
const SUBJECTS = {
  archive: ofExtension('Datos abiertos'),
  compatibility: ofExtension('Direcciones compatibles'),
  convert: ofExtension('Convertir'),
  invoicing: ofExtension('Facturación'),
  series: ofExtension('Series'),
  sheets: ofExtension('Planillas'),
}
const expectAnswer = seeEveryAnswer(Object.values(SUBJECTS).flat())

const open = (more: object = {}) => openEdge({ now: NOW, env: more as never })
const DOWN = { BOARD: { get: () => Promise.reject(new Error('down')) }, DB: failing('down') }

/** What every read of these answers: itself, nothing new, another method, and a service that is down. */
async function expectRead(operation: Documented, path: string, more: object = {}) {
  const edge = open(more)
  const first = await edge.fetch(path)
  const headers = { 'If-None-Match': first.headers.get('ETag')! }
  await expectAnswer(operation, first, 200)
  await expectAnswer(operation, await edge.fetch(path, { headers }), 304)
  await expectAnswer(operation, await edge.fetch(path, { method: 'PUT' }), 405)
  await expectAnswer(operation, await open({ ...more, ...DOWN }).fetch(path), 503)
  return (status: number, query: string, init?: RequestInit) =>
    edge.fetch(query, init).then((answer) => expectAnswer(operation, answer, status))
}

async function expectFlood(operation: Documented, path: string) {
  const edge = open()
  await expectAnswer(operation, (await times(21, () => edge.fetch(path))).at(-1)!, 429)
}

it.each(SUBJECTS.archive)('files, $operationId', async (operation) => {
  const path = pathOf(operation)
  await expectAnswer(operation, await open().fetch(path), 503)

  await seedCloses('usd/blue', ['2026-02-28', 1410.5, 1430.25])
  await buildFiles(NOW)
  const ask = await expectRead(operation, path)
  await ask(400, `${path}?v=2`)
  if (!operation.path.includes('{name}')) return

  await ask(200, pathOf(operation, { name: 'cotizaciones.parquet' }))
  await ask(206, path, { headers: { Range: 'bytes=0-3' } })
  await ask(416, path, { headers: { Range: 'bytes=99999-' } })
  await ask(404, pathOf(operation, { name: 'otra.csv' }))
})

it.each(SUBJECTS.compatibility)('compatibility, $operationId', async (operation) => {
  const COMPATIBILITY = 'on'
  const path = pathOf(operation) + (operation.path === '/v2/historical' ? '?day=2026-03-02' : '')

  // Files and a board without anything of it: the original has nothing there.
  await seedCloses('eur/bna', ['2026-02-28', 1, 2])
  await buildFiles(NOW)
  await seedBoard(NOW, { quotes: [] })
  const hasNothing = '404' in operation.responses
  const empty = await open({ COMPATIBILITY }).fetch(path)
  await expectAnswer(operation, empty, hasNothing ? 404 : 200)

  await seedBoard(NOW, {
    quotes: PAIRS.map(({ currency, origin }) => aBoardQuote(`${currency}/${origin}`)),
  })
  await seedPoints('usd/blue', ['2026-02-27 15:00', 1410, 1430.5])
  await seedPoints('eur/oficial', ['2026-02-27 15:00', 1600, 1620.5])
  await expectRead(operation, path, { COMPATIBILITY })
  if ('429' in operation.responses) {
    // As after the 600 of test/edge/compatibility/days.test.ts.
    const COMPATIBILITY_DAYS = { limit: async () => ({ success: false }) }
    const full = open({ COMPATIBILITY, COMPATIBILITY_DAYS })
    await full.fetch(path)
    await expectAnswer(operation, await full.fetch(path), 429)
  }
})

it('says nothing of compatibility addresses where they are off', () => {
  const off = DOCUMENTS.at(-1)!.make(aTerms('https://a.example', { compatibility: false }))
  expect(Object.keys(off.paths).filter((path) => /^\/v\d/.test(path))).toEqual([])
})

it('convert', async () => {
  const [convert] = SUBJECTS.convert as [Documented]
  const path = '/api/v2/convert?amount=100&from=USD&to=ARS&origin=blue'
  await seedBoard(NOW, { quotes: [aBoardQuote('USD/BLUE'), aBoardQuote('EUR/BLUE')] })
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

it.each(SUBJECTS.invoicing)('invoicing, $operationId', async (operation) => {
  const rates = [{ currency: 'USD', units: 1, buy: '1451.5', sell: '1460.5' }]
  const table = { day: '2026-02-27', publishedAt: null, source: 'import', rates }
  await env.DB.batch(invoicingStatements(env.DB, table, art('2026-02-27 17:00')))
  const path = pathOf(operation)

  const ask = await expectRead(operation, path)
  await ask(200, `${path}?format=csv`)
  await ask(200, `${path}?date=2020-01-02`)
  await ask(400, `${path}?date=2026-03-04`)
  if (operation.path.includes('{currency}')) await ask(404, pathOf(operation, { currency: 'ars' }))
  await expectFlood(operation, path)
})

it('series', async () => {
  const [series] = SUBJECTS.series as [Documented]
  const path = '/api/v2/series?pairs=usd/blue,usd/oficial'
  await seedPoints('usd/blue', ['2026-03-01 11:00', 1400, 1420])
  await rebuildCandles(env.DB, findPairByKey('usd/blue')!, '2026-03-01', '2026-03-01')
  const headers = { 'x-api-key': (await seedAccount()).key }
  const edge = open()
  const ask = async (status: number, path: string, init: RequestInit = { headers }, at = edge) =>
    expectAnswer(series, await at.fetch(path, init), status)

  await ask(200, path)
  await ask(200, `${path}&summary=1&every=month`)
  await ask(200, `${path}&dates=2026-03-01,2026-02-01`)
  await ask(200, `${path}&format=csv`)
  await ask(400, `${path}&dates=2026-03-01&from=2026-02-01`)
  await ask(404, '/api/v2/series?pairs=clp/blue')
  await ask(401, path, {})
  await ask(405, path, { method: 'PUT', headers })
  await ask(503, path, { headers }, open(DOWN))
  const flood = await times(60, () => edge.fetch(path, { headers }))
  await expectAnswer(series, flood.at(-1)!, 429)
})

it.each(SUBJECTS.sheets)('sheets, $operationId', async (operation) => {
  await seedBoard(NOW, { quotes: [aBoardQuote('USD/BLUE')] })
  const path = pathOf(operation)
  const isPair = operation.path.includes('{origin}')

  const ask = await expectRead(operation, `${path}?format=csv`)
  await ask(200, path)
  await ask(200, `${path}?format=csv&locale=es-AR`)
  await ask(isPair ? 200 : 400, `${path}?format=value`)
  await ask(400, `${path}?format=xml`)
  if (isPair) await ask(404, `${pathOf(operation, { origin: 'bna' })}?format=value`)
  else if (operation.path.includes('{currency}'))
    await ask(404, pathOf(operation, { currency: 'xyz' }))
})
