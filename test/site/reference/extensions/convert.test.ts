import { it } from 'vitest'
import { ofExtension } from '../../../support/documented.ts'
import { openEdge } from '../../../support/edge.ts'
import { failing } from '../../../support/failing-database.ts'
import { art } from '../../../support/instant.ts'
import { seedPoints } from '../../../support/points.ts'
import { aBoardQuote, seedBoard } from '../../../support/seed.ts'
import { seeEveryAnswer } from '../../../support/seen-answers.ts'
import { times } from '../../../support/webhook-client.ts'

const NOW = art('2026-03-03 12:00')
const operations = ofExtension('Convertir')
const expectAnswer = seeEveryAnswer(operations)
const [convert] = operations
const PATH = '/api/v2/convert?amount=100&from=USD&to=ARS&origin=blue'

it('convert: every answer that it declares', async () => {
  await seedBoard(NOW, { quotes: [aBoardQuote('USD/BLUE'), aBoardQuote('EUR/BLUE')] })
  await seedPoints('usd/blue', ['2026-03-01 11:00', 1400, 1420])
  const edge = openEdge({ now: NOW })
  const broken = openEdge({
    now: NOW,
    env: { BOARD: { get: () => Promise.reject(new Error('down')) }, DB: failing('down') } as never,
  })

  const first = await edge.fetch(PATH)
  const headers = { 'If-None-Match': first.headers.get('ETag')! }
  await expectAnswer(convert!, first, 200)
  await expectAnswer(convert!, await edge.fetch(PATH, { headers }), 304)
  await expectAnswer(convert!, await edge.fetch(`${PATH}&format=csv`), 200)
  await expectAnswer(convert!, await edge.fetch(PATH.replace('ARS', 'EUR')), 200)
  await expectAnswer(convert!, await edge.fetch(`${PATH}&date=2026-03-02`), 200)
  await expectAnswer(convert!, await edge.fetch(`${PATH}&date=2026-02-02&side=mid`), 200)
  await expectAnswer(convert!, await edge.fetch(`${PATH}&otro=1`), 400)
  await expectAnswer(convert!, await edge.fetch(PATH.replace('ARS', 'CLP')), 404)
  await expectAnswer(convert!, await edge.fetch(PATH, { method: 'PUT' }), 405)
  await expectAnswer(convert!, await broken.fetch(PATH), 503)
  await expectAnswer(convert!, await broken.fetch(`${PATH}&date=2026-03-02`), 503)
  const flood = await times(21, () => edge.fetch(`${PATH}&date=2026-03-02`))
  await expectAnswer(convert!, flood.at(-1)!, 429)
})
