import { it } from 'vitest'
import { rebuildCandles } from '../../../../shared/db/quotes/candles.ts'
import { findPairByKey } from '../../../../shared/market/catalog.ts'
import { seedAccount } from '../../../support/accounts.ts'
import { ofExtension } from '../../../support/documented.ts'
import { openEdge } from '../../../support/edge.ts'
import { env } from '../../../support/env.ts'
import { failing } from '../../../support/failing-database.ts'
import { art } from '../../../support/instant.ts'
import { seedPoints } from '../../../support/points.ts'
import { seeEveryAnswer } from '../../../support/seen-answers.ts'
import { times } from '../../../support/webhook-client.ts'

const NOW = art('2026-03-03 12:00')
const operations = ofExtension('Series')
const expectAnswer = seeEveryAnswer(operations)
const [series] = operations
const PATH = '/api/v2/series?pairs=usd/blue,usd/oficial'

it('series: every answer that it declares', async () => {
  await seedPoints('usd/blue', ['2026-03-01 11:00', 1400, 1420])
  await rebuildCandles(env.DB, findPairByKey('usd/blue')!, '2026-03-01', '2026-03-01')
  const headers = { 'x-api-key': (await seedAccount()).key }
  const edge = openEdge({ now: NOW })
  const ask = (path: string, at = edge) => at.fetch(path, { headers })

  await expectAnswer(series!, await ask(PATH), 200)
  await expectAnswer(series!, await ask(`${PATH}&summary=1&every=month`), 200)
  await expectAnswer(series!, await ask(`${PATH}&dates=2026-03-01,2026-02-01`), 200)
  await expectAnswer(series!, await ask(`${PATH}&format=csv`), 200)
  await expectAnswer(series!, await ask(`${PATH}&dates=2026-03-01&from=2026-02-01`), 400)
  await expectAnswer(series!, await ask('/api/v2/series?pairs=clp/blue'), 404)
  await expectAnswer(series!, await edge.fetch(PATH), 401)
  await expectAnswer(series!, await edge.fetch(PATH, { method: 'PUT', headers }), 405)
  const broken = openEdge({ now: NOW, env: { DB: failing('down') } as never })
  await expectAnswer(series!, await ask(PATH, broken), 503)
  const flood = await times(60, () => ask(PATH))
  await expectAnswer(series!, flood.at(-1)!, 429)
})
