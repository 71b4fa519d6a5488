import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  addDays,
  argentineDay,
  dayEnd,
  dayStart,
  HOUR_MS,
} from '../../../../shared/argentine-time.ts'
import { PAIRS } from '../../../../shared/market/catalog.ts'
import type { QuotedPoint } from '../../../../shared/market/quoted-point.ts'
import { importSeries } from '../../../../tools/operate/import/import-series.ts'
import {
  contains,
  dayRanges,
  type Range,
  touchesDay,
  union,
} from '../../../../tools/operate/import/ranges.ts'
import { env } from '../../../support/env.ts'

/** Twelve days, few values, many ties: what a pair's history is made of here. */
const FIRST_DAY = '2024-03-01'
const blue = PAIRS[2]!
const START = dayStart(FIRST_DAY)
const DAYS = 12

interface Dataset {
  source: string
  kind: 'daily' | 'timed'
  rows: QuotedPoint[]
  coverage: Range[]
}

const value = fc.integer({ min: 1, max: 3 }).map((n) => n * 100_000)

const daily = fc
  .array(fc.record({ day: fc.integer({ min: 0, max: DAYS - 1 }), sell: value }), { minLength: 1 })
  .map((closes): Dataset => {
    const byDay = new Map(closes.map(({ day, sell }) => [addDays(FIRST_DAY, day), sell]))
    const days = [...byDay.keys()].toSorted()
    return {
      source: 'import:argentinadatos-dolares',
      kind: 'daily',
      rows: days.map((day) => ({ at: dayEnd(day), buy: 1, sell: byDay.get(day)! })),
      coverage: dayRanges(days),
    }
  })

const timed = fc
  .array(fc.record({ hour: fc.integer({ min: 0, max: DAYS * 24 - 1 }), sell: value }), {
    minLength: 1,
  })
  .map((observed): Dataset => {
    const byHour = new Map(observed.map(({ hour, sell }) => [START + hour * HOUR_MS, sell]))
    const instants = [...byHour.keys()].toSorted((a, b) => a - b)
    return {
      source: 'import:dolarapi-hourly',
      kind: 'timed',
      rows: instants.map((at) => ({ at, buy: 1, sell: byHour.get(at)! })),
      coverage: [[instants[0]!, instants.at(-1)!]],
    }
  })

const live = fc.option(fc.integer({ min: 0, max: DAYS * 24 }).map((h) => START + h * HOUR_MS + 1))
const datasets = fc.array(fc.oneof(daily, timed), { minLength: 1, maxLength: 4 })

it('leaves each instant to its owner, in points that are changes', async () => {
  await fc.assert(
    fc.asyncProperty(datasets, live, async (files, liveAt) => {
      await begin(liveAt)
      for (const file of files) await importFile(file)
      const { points } = await state()

      for (let hour = -1; hour <= DAYS * 24 + 1; hour++) {
        for (const at of [START + hour * HOUR_MS - 1, START + hour * HOUR_MS]) {
          expect([at, valueAt(points, at)]).toEqual([at, valueAt(owned(files, liveAt), at)])
        }
      }
      const repeats = points.filter(
        ({ sell, source }, i) => source !== 'live' && sell === points[i - 1]?.sell,
      )
      expect(repeats).toEqual([])
    }),
    { numRuns: 10 },
  )
})

it('is the same when done twice, and when cut short anywhere and done again', async () => {
  await fc.assert(
    fc.asyncProperty(
      datasets,
      live,
      fc.array(fc.nat({ max: 4 }), { minLength: 8, maxLength: 8 }),
      async (files, liveAt, cuts) => {
        await begin(liveAt)
        for (const file of files) await importFile(file)
        const clean = await state()
        for (const file of files.toReversed()) await importFile(file)
        expect(await state()).toEqual(clean)

        await begin(liveAt)
        for (const [index, file] of files.entries()) {
          for (const batches of cuts.slice(index * 2, index * 2 + 2)) await cutShort(file, batches)
          await importFile(file, 2)
        }
        expect(await state()).toEqual(clean)
      },
    ),
    { numRuns: 10 },
  )
})

it('keeps a later close that only a value of the past carried, when it is cut short before that value stands again', async () => {
  const closes: Dataset = {
    source: 'import:argentinadatos-dolares',
    kind: 'daily',
    // The second repeats the first, so it is no point of its own.
    rows: [
      { at: dayEnd('2024-03-01'), buy: 1, sell: 200_000 },
      { at: dayEnd('2024-03-03'), buy: 1, sell: 200_000 },
    ],
    coverage: ['2024-03-01', '2024-03-03'].map((day) => [dayStart(day), dayEnd(day)]),
  }
  const hours: Dataset = {
    source: 'import:dolarapi-hourly',
    kind: 'timed',
    rows: [
      { at: dayStart('2024-03-01'), buy: 1, sell: 100_000 },
      { at: dayStart('2024-03-02'), buy: 1, sell: 200_000 },
    ],
    coverage: [[dayStart('2024-03-01'), dayStart('2024-03-02')]],
  }
  await begin(null)
  for (const file of [closes, hours]) await importFile(file)
  const clean = await state()

  for (const batches of [0, 1, 2, 3, 4]) {
    await begin(null)
    await importFile(closes)
    await cutShort(hours, batches)
    await importFile(hours, 2)
    expect(await state()).toEqual(clean)
  }
})

it('is the same whether daily or timed data comes first', async () => {
  await fc.assert(
    fc.asyncProperty(daily, timed, live, async (closes, hours, liveAt) => {
      await begin(liveAt)
      for (const file of [closes, hours]) await importFile(file)
      const one = await state()

      await begin(liveAt)
      for (const file of [hours, closes]) await importFile(file)
      expect(await state()).toEqual(one)
    }),
    { numRuns: 10 },
  )
})

async function begin(liveAt: number | null): Promise<void> {
  const tables = ['points', 'import_coverage', 'daily_candles']
  await env.DB.batch(tables.map((table) => env.DB.prepare(`DELETE FROM ${table}`)))
  if (liveAt === null) return
  await env.DB.prepare("insert into points values (?, ?, 1, 900000, 'live')")
    .bind(blue.id, liveAt)
    .run()
}

function importFile(file: Dataset, chunkSize = 1000, db = env.DB) {
  const series = { ...file, pair: blue, read: file.rows.length, skipped: new Map() }
  const format = { source: file.source, kind: file.kind, read: () => ({ skipped: '' }) }
  const options = { dryRun: false, chunkSize }
  return importSeries(db, format, series, options)
}

/** An import whose process dies before its n-th write. */
async function cutShort(file: Dataset, batches: number): Promise<void> {
  let left = batches
  const dying = new Proxy(env.DB, {
    get(db, name) {
      if (name !== 'batch') return (db[name as keyof D1Database] as () => unknown).bind(db)
      return (statements: D1PreparedStatement[]) => {
        if (left-- === 0) throw new Error('killed')
        return db.batch(statements)
      }
    },
  })
  await importFile(file, 2, dying).catch((error: Error) => {
    if (error.message !== 'killed') throw error
  })
}

async function state() {
  return {
    points: await rows<{ at: number; sell: number; source: string }>(
      'select at, sell, source from points order by at',
    ),
    coverage: await rows('select kind, from_at, to_at from import_coverage order by kind, from_at'),
    candles: await rows('select * from daily_candles order by day'),
  }
}

async function rows<Row>(sql: string): Promise<Row[]> {
  return (await env.DB.prepare(sql).all<Row>()).results
}

/** The rows that count, worked out from the rule itself. */
function owned(files: Dataset[], liveAt: number | null) {
  const before = files.map((file) => ({
    ...file,
    rows: file.rows.filter(({ at }) => at < (liveAt ?? Infinity)),
    coverage: file.coverage
      .filter(([from]) => from < (liveAt ?? Infinity))
      .map(([from, to]): Range => [from, Math.min(to, (liveAt ?? Infinity) - 1)]),
  }))
  const allTimed = union(...before.filter(({ kind }) => kind === 'timed').map((f) => f.coverage))

  const counting = before.flatMap((file, index) =>
    file.rows.filter(({ at }) => {
      const earlier = before.slice(0, index).filter(({ kind }) => kind === file.kind)
      if (earlier.some(({ coverage }) => contains(coverage, at))) return false
      return file.kind === 'timed' || !touchesDay(allTimed, argentineDay(at))
    }),
  )
  const liveRow = liveAt === null ? [] : [{ at: liveAt, sell: 900_000 }]
  return [...counting, ...liveRow].toSorted((a, b) => a.at - b.at)
}

function valueAt(points: { at: number; sell: number }[], at: number): number | null {
  return points.findLast((point) => point.at <= at)?.sell ?? null
}
