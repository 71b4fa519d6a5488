import { it } from 'vitest'
import { invoicingStatements } from '../../../../shared/db/quotes/invoicing-tables.ts'
import { ofExtension, pathOf } from '../../../support/documented.ts'
import { openEdge } from '../../../support/edge.ts'
import { env } from '../../../support/env.ts'
import { failing } from '../../../support/failing-database.ts'
import { art } from '../../../support/instant.ts'
import { seeEveryAnswer } from '../../../support/seen-answers.ts'
import { times } from '../../../support/webhook-client.ts'

const NOW = art('2026-03-02 12:00')
const operations = ofExtension('Facturación')
const expectAnswer = seeEveryAnswer(operations)

it.each(operations.map((operation) => [operation.operationId, operation] as const))(
  '%s: every answer that it declares',
  async (_, operation) => {
    const rates = [{ currency: 'USD', units: 1, buy: '1451.5', sell: '1460.5' }]
    const table = { day: '2026-02-27', publishedAt: null, source: 'import', rates }
    await env.DB.batch(invoicingStatements(env.DB, table, art('2026-02-27 17:00')))
    const edge = openEdge({ now: NOW })
    const path = pathOf(operation)

    const first = await edge.fetch(path)
    const headers = { 'If-None-Match': first.headers.get('ETag')! }
    await expectAnswer(operation, first, 200)
    await expectAnswer(operation, await edge.fetch(path, { headers }), 304)
    await expectAnswer(operation, await edge.fetch(`${path}?format=csv`), 200)
    await expectAnswer(operation, await edge.fetch(`${path}?date=2020-01-02`), 200)
    await expectAnswer(operation, await edge.fetch(`${path}?date=2026-03-03`), 400)
    await expectAnswer(operation, await edge.fetch(path, { method: 'PUT' }), 405)
    if (operation.path.includes('{currency}')) {
      await expectAnswer(operation, await edge.fetch(pathOf(operation, { currency: 'ars' })), 404)
    }
    const broken = openEdge({ now: NOW, env: { DB: failing('down') } as never })
    await expectAnswer(operation, await broken.fetch(path), 503)
    const flood = await times(21, () => edge.fetch(path))
    await expectAnswer(operation, flood.at(-1)!, 429)
  },
)
