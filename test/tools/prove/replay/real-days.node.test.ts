import { expect, it } from 'vitest'
import type { PairKey } from '../../../../shared/market/catalog.ts'
import { replay } from '../../../../tools/prove/replay/sources.ts'
import { readSeries } from '../../../../tools/prove/replay/series.ts'
import { publishedIncidents, readIncidents } from '../../../support/incidents.ts'

const SERIES = 'test/fixtures/series/'
const incidents = readIncidents(`${SERIES}incidents.csv`)

it.each([
  [
    'a dropped digit beside an independent source',
    ['dolares-hourly', 'ambito-dolares-changes'],
    '2024-02',
  ],
  ['a dropped digit of the only source', ['dolares-hourly'], '2024-02'],
  ['everything times 100 for three hours', ['dolares-hourly'], '2024-09'],
])('no known fault of real days passes: %s', (_, names, month) => {
  const files = names.map((name) => readSeries(`${SERIES}${name}-${month}.csv`))
  const replayed = replay(files)
  expect(replayed.length).toBeGreaterThan(0)
  const passed = replayed.flatMap(({ pair, simulation }) =>
    publishedIncidents(incidents, pair as PairKey, simulation.publications),
  )
  expect(passed).toEqual([])
})
