import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { DAY_MS, dayStart } from '../../../shared/argentine-time.ts'
import type { DayClose } from '../../../shared/board/archive.ts'
import { PAIRS } from '../../../shared/market/catalog.ts'
import { openScratch } from '../../../tools/support/scratch.ts'
import { sqliteModule } from '../../../tools/prove/harness/sqlite-module.ts'
import { dailyCloses } from '../../../workers/scraper/nightly/daily-closes.ts'
import { toCsvFile } from '../../../workers/scraper/nightly/formats/csv.ts'
import { toSqlFile } from '../../../workers/scraper/nightly/formats/sql.ts'
import { toSqlite } from '../../../workers/scraper/nightly/formats/sqlite.ts'

/** Two years of every pair, a change every third day: thousands of pages and of rows a statement. */
const DAYS = 730
const FIRST = dayStart('2024-03-01') / DAY_MS - 0.125
const closes = dailyCloses(
  PAIRS.map((pair, index) => ({
    pair,
    closes: Array.from({ length: DAYS / 3 }, (_, at): DayClose => {
      const price = 1_000_000 * (index + 1) + at * 731 + (at % 7) * 2500
      return [FIRST + index + at * 3, price, pair.singleValue ? price : price - 2500]
    }),
  })),
  FIRST + DAYS + PAIRS.length,
)
const csv = toCsvFile(closes).trimEnd().split('\r\n').slice(1).toSorted()

const scratch = openScratch()
let bytes: Uint8Array
let database: DatabaseSync
beforeAll(async () => {
  bytes = await toSqlite(closes, await sqliteModule())
  const file = join(scratch.path, 'cotizaciones.sqlite')
  writeFileSync(file, bytes)
  database = new DatabaseSync(file, { readOnly: true })
})
afterAll(() => {
  database.close()
  scratch[Symbol.dispose]()
})

const hash = (of: Uint8Array) => createHash('sha256').update(of).digest('hex')

/** The rows of a database as the CSV has them. */
function rowsOf(of: DatabaseSync): string[] {
  return of
    .prepare('select * from daily_closes')
    .all()
    .map(({ date, currency, origin, buy, sell, changed }) =>
      [date, currency, origin, buy, sell, changed === 1].join(','),
    )
    .toSorted()
}

it('is a database that SQLite finds whole, with the rows and values of the CSV', () => {
  expect(database.prepare('pragma integrity_check').all()).toEqual([{ integrity_check: 'ok' }])
  expect(database.prepare('pragma foreign_key_check').all()).toEqual([])
  expect(rowsOf(database)).toEqual(csv)
  expect(csv.length).toBeGreaterThan(13_000)
})

it('names the pairs', () => {
  const pairs = database.prepare('select * from pairs').all()
  expect(pairs).toHaveLength(PAIRS.length)
  expect(pairs).toContainEqual({
    currency: 'USD',
    origin: 'BOLSA',
    name: 'Dólar Bolsa (MEP)',
    value_type: 'money',
  })
})

it.each([
  ["currency = 'USD' and origin = 'BLUE' and date >= '2025-01-01'", 'PRIMARY KEY'],
  ["date = '2025-01-01'", 'daily_closes_by_date'],
])('finds what is %s by an index', (where, index) => {
  const plan = database.prepare(`explain query plan select * from daily_closes where ${where}`)
  expect(String(plan.all()[0]!['detail'])).toMatch(new RegExp(`^SEARCH .*${index}`))
})

it('has the same bytes for the same data, and others for other data', async () => {
  const compiled = await sqliteModule()
  expect(hash(await toSqlite(closes, compiled))).toBe(hash(bytes))

  const [first, ...rest] = closes.pairs
  const other = { ...first!, sell: first!.sell.with(0, (first!.sell[0]! + 1) as never) }
  const changed = { ...closes, pairs: [other, ...rest] }
  expect(hash(await toSqlite(changed, compiled))).not.toBe(hash(bytes))
})

it('has no page that is not used, and fills those that are', () => {
  expect(Object.values(database.prepare('pragma freelist_count').get()!)[0]).toBe(0)
  // 45 bytes a row and 25 a row of the index.
  expect(bytes.length / csv.length).toBeLessThan(85)
})

it('holds what the SQL text makes', () => {
  const made = new DatabaseSync(':memory:')
  made.exec(toSqlFile(closes))
  expect(rowsOf(made)).toEqual(csv)
  made.close()
})
