import { it } from 'vitest'
import { buildFiles } from '../../../support/archive.ts'
import { seedCloses } from '../../../support/candles.ts'
import { ofExtension, pathOf } from '../../../support/documented.ts'
import { openEdge } from '../../../support/edge.ts'
import { art } from '../../../support/instant.ts'
import { seeEveryAnswer } from '../../../support/seen-answers.ts'

const NOW = art('2026-03-03 12:00')
const operations = ofExtension('Datos abiertos')
const expectAnswer = seeEveryAnswer(operations)

it.each(operations)('$operationId: every answer that it declares', async (operation) => {
  const edge = openEdge({ now: NOW })
  const path = pathOf(operation)
  await expectAnswer(operation, await edge.fetch(path), 503)

  await seedCloses('usd/blue', ['2026-02-28', 1410.5, 1430.25])
  await buildFiles(NOW)
  const ready = openEdge({ now: NOW })
  const first = await ready.fetch(path)
  const headers = { 'If-None-Match': first.headers.get('ETag')! }
  await expectAnswer(operation, first, 200)
  await expectAnswer(operation, await ready.fetch(path, { headers }), 304)
  await expectAnswer(operation, await ready.fetch(`${path}?v=2`), 400)
  await expectAnswer(operation, await ready.fetch(path, { method: 'PUT' }), 405)
  if (!operation.path.includes('{name}')) return

  const other = pathOf(operation, { name: 'cotizaciones.parquet' })
  await expectAnswer(operation, await ready.fetch(other), 200)
  const part = { Range: 'bytes=0-3' }
  await expectAnswer(operation, await ready.fetch(path, { headers: part }), 206)
  const beyond = { Range: 'bytes=99999-' }
  await expectAnswer(operation, await ready.fetch(path, { headers: beyond }), 416)
  const unknown = pathOf(operation, { name: 'otra.csv' })
  await expectAnswer(operation, await ready.fetch(unknown), 404)
})
