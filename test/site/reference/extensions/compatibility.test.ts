import { expect, it } from 'vitest'
import { PAIRS } from '../../../../shared/market/catalog.ts'
import { buildFiles } from '../../../support/archive.ts'
import { DOCUMENTS } from '../../../../workers/site/reference/documents.ts'
import { seedCloses } from '../../../support/candles.ts'
import { ofExtension, pathOf } from '../../../support/documented.ts'
import { openEdge } from '../../../support/edge.ts'
import { failing } from '../../../support/failing-database.ts'
import { art } from '../../../support/instant.ts'
import { seedPoints } from '../../../support/points.ts'
import { aBoardQuote, seedBoard } from '../../../support/seed.ts'
import { seeEveryAnswer } from '../../../support/seen-answers.ts'
import { aTerms } from '../../../support/terms.ts'

const NOW = art('2026-03-03 12:00')
const operations = ofExtension('Direcciones compatibles')
const expectAnswer = seeEveryAnswer(operations)
const openCompatibility = (more: object = {}) =>
  openEdge({ now: NOW, env: { COMPATIBILITY: 'on', ...more } as never })

/** A query that the address needs. */
const queryOf = (path: string) => (path === '/v2/historical' ? '?day=2026-03-02' : '')

it.each(operations)('$operationId: every answer that it declares', async (operation) => {
  const down = { BOARD: { get: () => Promise.reject(new Error('down')) }, DB: failing('down') }
  const path = pathOf(operation) + queryOf(operation.path)
  await expectAnswer(operation, await openCompatibility(down).fetch(path), 503)

  // Files and a board without anything of it: the original has nothing there.
  await seedCloses('eur/bna', ['2026-02-28', 1, 2])
  await buildFiles(NOW)
  await seedBoard(NOW, { quotes: [] })
  const hasNothing = '404' in operation.responses
  await expectAnswer(operation, await openCompatibility().fetch(path), hasNothing ? 404 : 200)

  await seedBoard(NOW, {
    quotes: PAIRS.map(({ currency, origin }) => aBoardQuote(`${currency}/${origin}`)),
  })
  await seedPoints('usd/blue', ['2026-02-27 15:00', 1410, 1430.5])
  await seedPoints('eur/oficial', ['2026-02-27 15:00', 1600, 1620.5])
  const edge = openCompatibility()
  const first = await edge.fetch(path)
  const headers = { 'If-None-Match': first.headers.get('ETag')! }
  await expectAnswer(operation, first, 200)
  await expectAnswer(operation, await edge.fetch(path, { headers }), 304)
  await expectAnswer(operation, await edge.fetch(path, { method: 'PUT' }), 405)
  if ('429' in operation.responses) {
    // As after the 600 of test/edge/compatibility/days.test.ts.
    const full = openCompatibility({
      COMPATIBILITY_DAYS: { limit: async () => ({ success: false }) },
    })
    await full.fetch(path)
    await expectAnswer(operation, await full.fetch(path), 429)
  }
})

it('tells nothing of them where they are off', () => {
  const off = DOCUMENTS.at(-1)!.make(aTerms('https://a.example', { compatibility: false }))
  expect(Object.keys(off.paths).filter((path) => /^\/v\d/.test(path))).toEqual([])
})
