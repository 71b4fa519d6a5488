import { it } from 'vitest'
import { ofExtension, pathOf } from '../../../support/documented.ts'
import { openEdge } from '../../../support/edge.ts'
import { art } from '../../../support/instant.ts'
import { build, nightAfter, seedDays } from '../../../support/record.ts'
import { seeEveryAnswer } from '../../../support/seen-answers.ts'

const NOW = art('2026-03-03 12:00')
const operations = ofExtension('Registro firmado')
const expectAnswer = seeEveryAnswer(operations)

it.each(operations)('$operationId: every answer that it declares', async (operation) => {
  const path = pathOf(operation)
  await expectAnswer(operation, await openEdge({ now: NOW }).fetch(path), 503)

  await seedDays(['2026-02-28 11:00', 1410, 1430], ['2026-03-02 10:00', 1415, 1435])
  await build(nightAfter('2026-03-02'))
  const edge = openEdge({ now: NOW })
  const first = await edge.fetch(path)
  const headers = { 'If-None-Match': first.headers.get('ETag')! }
  await expectAnswer(operation, first, 200)
  await expectAnswer(operation, await edge.fetch(path, { headers }), 304)
  await expectAnswer(operation, await edge.fetch(`${path}?v=2`), 400)
  await expectAnswer(operation, await edge.fetch(path, { method: 'PUT' }), 405)
  if (operation.path.includes('{manifest}')) {
    const of = (manifest: string) => pathOf(operation, { manifest })
    await expectAnswer(operation, await edge.fetch(of('2026-03-02.json.sig')), 200)
    await expectAnswer(operation, await edge.fetch(of('2026-03-01.json')), 404)
  }
  if (!operation.path.includes('{dayFile}')) return

  const unknown = pathOf(operation, { dayFile: '2026-03-03.csv' })
  await expectAnswer(operation, await edge.fetch(unknown), 404)
  for (let i = 0; i < 20; i++) await (await edge.fetch(path)).text()
  await expectAnswer(operation, await edge.fetch(path), 429)
})
