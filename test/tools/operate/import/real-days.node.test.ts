/** Selected real days of the archives, imported by the command. */
import { writeFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { findPairByKey } from '../../../../shared/market/catalog.ts'
import { quotesAsOf } from '../../../../shared/db/quotes/points.ts'
import { priceToNumber } from '../../../../shared/market/price.ts'
import { openScratchStorage, type Storage } from '../../../../tools/operate/admin/open-local.ts'
import { openScratch } from '../../../../tools/support/scratch.ts'
import { outputOf } from '../../../support/admin.ts'
import { art } from '../../../support/instant.ts'

const file = (name: string) => `test/fixtures/series/${name}`

const HOURLY = ['02', '09', '12'].map((month) => file(`dolares-hourly-2024-${month}.csv`))
const INDICES = [file('riesgo-pais.json'), file('uva.json'), file('cer.csv')]
const DAILY = [file('cotizaciones-dolares.json'), file('cotizaciones.json')]
const FILES = [...DAILY, ...INDICES, ...HOURLY, file('cotizaciones-changes-2024.csv')]

let output: string
let storage: Storage

beforeAll(async () => {
  storage = await openScratchStorage()
  output = await importAll()
})
afterAll(() => storage?.[Symbol.asyncDispose]())

const importAll = () => outputOf(storage, 'import', ...FILES)

it.each<[string, string, number | null, number | null, string]>([
  ['usd/oficial', '2023-12-12 23:59:59.999', 365.5, 400.5, 'the eve of the devaluation of 2023'],
  ['usd/oficial', '2023-12-13 23:59:59.999', 780, 820, 'the devaluation of 2023'],
  ['arg/riesgo', '1999-01-22 23:59:59.999', 937, 937, 'the first day of the country risk'],
  ['arg/cer', '2002-02-02 00:00', 1, 1, 'CER at the start of its first day'],
  ['arg/uva', '2016-04-02 00:00', 14.06, 14.06, 'UVA on a Saturday'],
  ['clp/oficial', '2023-10-22 23:59:59.999', 0.3697, 0.3709, 'CLP per 100 made per 1'],
  ['clp/oficial', '2024-09-06 18:35:24.999', 1.0057, 1.0071, 'CLP before its unit changed'],
  ['clp/oficial', '2024-09-06 18:35:25', 1.0119, 1.012, 'CLP after its unit changed'],
  ['usd/blue', '2024-02-09 11:20', 1130, 115, 'an incident, kept as it was'],
])('%s at %s is %s / %s: %s', async (key, instant, buy, sell) => {
  const { quotes } = await quotesAsOf(storage.db, [findPairByKey(key)!], art(instant))
  expect(quotes.map((quote) => quote && [quote.buy, quote.sell].map(priceToNumber))).toEqual([
    [buy, sell],
  ])
})

it('lists left-out rows once, and values that look wrong', () => {
  expect(output).toMatch(/\nerror: \d+ row\(s\) left out, as listed above$/)
  expect(output.match(/solidario/g)).toHaveLength(1)
  expect(output).toContain("6 × casa 'solidario' has no origin here")
  expect(output).toContain('20 × USD is left to the dollar file')
  // From the file of changes.
  expect(output).toContain('22 × USD is left to the dollar file (rows ')
  expect(output).toContain(
    '2024-09-03T09:00:42.000-03:00 EUR/OFICIAL 102858 / 102977 after 1028.58 / 1029.77: 1 row, until 2024-09-03T11:54:47.000-03:00',
  )
})

it.each([
  [
    'names the rows that it leaves out',
    'fecha;compra;venta\n2024-01-02;1;2\n\n2024-01-03;;2\n',
    /left out: 1 × no value \(row 4\)\nerror: 1 row\(s\) left out/,
  ],
  [
    'shows the columns of an unknown file, and those that it takes',
    'Dia\tPrecio\n1\t2\n',
    /columns dia,precio; wanted: currency,origin,at,buy,sell.*\nerror: no file with quotes/,
  ],
])('%s', async (_, text, output) => {
  using scratch = openScratch()
  const path = scratch.file('x.csv')
  writeFileSync(path, text)
  const words = [path, '--dry-run', '--pair', 'usd/blue']
  expect(await outputOf(storage, 'import', ...words)).toMatch(output)
})

it('changes nothing when it is imported again', async () => {
  const before = await dump()
  expect((await importAll()).match(/^ +total +\d+ +0 +0 /gm)).toHaveLength(FILES.length)
  expect(await dump()).toEqual(before)
})

async function dump() {
  const { db } = storage
  const tables = ['points', 'import_coverage', 'daily_candles']
  const results = await db.batch(tables.map((table) => db.prepare(`select * from ${table}`).bind()))
  return results.map(({ results }) => results)
}
