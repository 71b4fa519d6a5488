import { it } from 'vitest'
import { ofExtension, pathOf } from '../../../support/documented.ts'
import { openEdge } from '../../../support/edge.ts'
import { failing } from '../../../support/failing-database.ts'
import { art } from '../../../support/instant.ts'
import { aBoardQuote, seedBoard } from '../../../support/seed.ts'
import { seeEveryAnswer } from '../../../support/seen-answers.ts'

const NOW = art('2026-03-03 12:00')
const operations = ofExtension('Planillas')
const expectAnswer = seeEveryAnswer(operations)

it.each(operations)('$operationId: every answer that it declares', async (operation) => {
  await seedBoard(NOW, { quotes: [aBoardQuote('USD/BLUE')] })
  const edge = openEdge({ now: NOW })
  const down = { BOARD: { get: () => Promise.reject(new Error('down')) }, DB: failing('down') }
  const broken = openEdge({ now: NOW, env: down as never })
  const path = pathOf(operation)

  const first = await edge.fetch(`${path}?format=csv`)
  const headers = { 'If-None-Match': first.headers.get('ETag')! }
  await expectAnswer(operation, first, 200)
  await expectAnswer(operation, await edge.fetch(`${path}?format=csv`, { headers }), 304)
  await expectAnswer(operation, await edge.fetch(path), 200)
  await expectAnswer(operation, await edge.fetch(`${path}?format=csv&locale=es-AR`), 200)
  const isPair = operation.path.includes('{origin}')
  await expectAnswer(operation, await edge.fetch(`${path}?format=value`), isPair ? 200 : 400)
  await expectAnswer(operation, await edge.fetch(`${path}?format=xml`), 400)
  await expectAnswer(operation, await edge.fetch(path, { method: 'PUT' }), 405)
  await expectAnswer(operation, await broken.fetch(`${path}?format=csv`), 503)
  if (isPair) {
    const unquoted = pathOf(operation, { origin: 'bna' })
    await expectAnswer(operation, await edge.fetch(`${unquoted}?format=value`), 404)
  } else if (operation.path.includes('{currency}')) {
    await expectAnswer(operation, await edge.fetch(pathOf(operation, { currency: 'xyz' })), 404)
  }
})
