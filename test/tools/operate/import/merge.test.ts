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
import type { QuotedPoint } from '../../../../shared/market/price.ts'
import { importSeries } from '../../../../tools/operate/import/import-series.ts'
import {
  contains,
  dayRanges,
  type Range,
  touchesDay,
  union,
} from '../../../../tools/operate/import/ranges.ts'
import { correctPoint } from '../../../../tools/operate/import/corrections.ts'
import { env } from '../../../support/env.ts'
import { aroundBatch } from '../../../support/faulty-database.ts'
import { emptyTables, insertRow, readRows } from '../../../support/rows.ts'
import { inEffect } from '../../../support/value-model.ts'

/** Twelve days with few values and many ties, as the history of a pair. */
const FIRST_DAY = '2024-03-01'
const blue = PAIRS[2]!
const START = dayStart(FIRST_DAY)
const DAYS = 12

interface Dataset {
  source: string
  kind: 'daily' | 'timed'
  rows: QuotedPoint[]
}

const value = fc.integer({ min: 1, max: 3 }).map((n) => n * 100_000)

/** Closes of days, by the day's number. */
function closes(...of: [day: number, sell: number][]): Dataset {
  const byDay = new Map(of.map(([day, sell]) => [addDays(FIRST_DAY, day), sell]))
  const days = [...byDay.keys()].toSorted()
  return {
    source: 'import:argentinadatos-dolares',
    kind: 'daily',
    rows: days.map((day) => ({ at: dayEnd(day), buy: 1, sell: byDay.get(day)! })),
  }
}

function hours(...of: (readonly [hour: number, sell: number])[]): Dataset {
  const byHour = new Map(of.map(([hour, sell]) => [START + hour * HOUR_MS, sell]))
  const instants = [...byHour.keys()].toSorted((a, b) => a - b)
  return {
    source: 'import:dolarapi-hourly',
    kind: 'timed',
    rows: instants.map((at) => ({ at, buy: 1, sell: byHour.get(at)! })),
  }
}

/** More rows than one batch writes; the last row of each batch repeats the live value. */
const MANY = hours(
  ...Array.from(
    { length: 2100 },
    (_, hour) => [hour, hour % 700 === 699 ? 900_000 : 1 + hour] as const,
  ),
)

const some = (most: number) =>
  fc.array(fc.tuple(fc.nat({ max: most - 1 }), value), { minLength: 1 })
const daily = some(DAYS).map((of) => closes(...of))
const timed = some(DAYS * 24).map((of) => hours(...of))
const live = fc.option(fc.integer({ min: 0, max: DAYS * 24 }).map((h) => START + h * HOUR_MS + 1))
const datasets = fc.array(fc.oneof(daily, timed), { minLength: 1, maxLength: 4 })

/** For up to four files, two interruptions each: the batch before which the process dies. */
const deaths = fc.array(fc.nat({ max: 2 }), { minLength: 8, maxLength: 8 })

it('takes each instant from its owner, also when repeated or interrupted anywhere', async () => {
  await fc.assert(
    fc.asyncProperty(datasets, live, deaths, async (files, liveAt, batches) => {
      await begin(liveAt)
      for (const file of files) await importFile(file)
      const clean = await state()
      const expected = owned(files, liveAt)
      for (let hour = -1; hour <= DAYS * 24 + 1; hour++) {
        for (const at of [START + hour * HOUR_MS - 1, START + hour * HOUR_MS]) {
          const sell = inEffect(clean.points, at)?.sell
          expect([at, sell]).toEqual([at, inEffect(expected, at)?.sell])
        }
      }
      const repeats = clean.points.filter(
        ({ sell, source }, i) => source !== 'live' && sell === clean.points[i - 1]?.sell,
      )
      expect(repeats).toEqual([])

      for (const file of files.toReversed()) await importFile(file)
      expect(await state()).toEqual(clean)

      await begin(liveAt)
      for (const [index, file] of files.entries()) {
        for (const batch of batches.slice(index * 2, index * 2 + 2)) await cutShort(file, batch)
        await importFile(file)
      }
      expect(await state()).toEqual(clean)
    }),
    { numRuns: 10 },
  )
})

it('finishes an interrupted import of many rows, with the value that live recording repeats', async () => {
  const liveAt = START + 2100 * HOUR_MS
  await begin(liveAt)
  await importFile(closes([0, 1000], [100, 2000]))
  await importFile(MANY)
  const clean = await state()
  expect(clean.points.at(-1)).toMatchObject({
    at: MANY.rows.at(-1)!.at,
    sell: 900_000,
    source: 'live',
  })

  await begin(liveAt)
  await importFile(closes([0, 1000], [100, 2000]))
  for (const batches of [2, 2]) await cutShort(MANY, batches)
  expect(await state()).not.toEqual(clean)
  await importFile(MANY)
  expect(await state()).toEqual(clean)
})

it('gives the same for concurrent imports as for imports one after the other', async () => {
  const [one, other] = [
    hours([1, 100_000], [30, 200_000]),
    hours([20, 300_000], [50, 400_000]),
  ] as const
  await begin(null)
  for (const file of [other, one]) await importFile(file)
  const expected = await state()
  await begin(null)
  let batches = 0
  const db = aroundBatch(async (run) => {
    // The first batch read the stored state.
    if (++batches === 2) await importFile(other)
    return run()
  })
  await importFile(one, db)
  expect(await state()).toEqual(expected)
})

it('does not undo a correction, and counts the conflict', async () => {
  await begin(null)
  const file = closes([0, 1000], [1, 10_500], [2, 1060])
  await importFile(file)
  const correction = { pair: blue, at: file.rows[1]!.at, reason: 'typo', now: 0 }
  await correctPoint(env.DB, { ...correction, value: { buy: 1, sell: 1050 } })
  const counts = { made: 0, removed: 0, unchanged: 2, conflicts: 1 }
  expect(await importFile(file)).toMatchObject(counts)
  expect((await state()).points[1]).toMatchObject({ sell: 1050, source: 'correction' })

  await correctPoint(env.DB, correction)
  expect(await importFile(file)).toMatchObject({ made: 0, unchanged: 2, conflicts: 1 })
  expect((await state()).points).toHaveLength(2)
})

it('writes nothing in a dry run, reports what it would make, and accepts suspicious values', async () => {
  await begin(null)
  const file = hours([0, 11_000_000], [1, 1_100_000], [2, 11_050_000])
  const empty = await state()
  expect(await importFile(file, env.DB, true)).toMatchObject({ made: 3 })
  expect(await state()).toEqual(empty)
  expect(await importFile(file)).toMatchObject({
    made: 3,
    findings: [{ rows: 1 }],
  })
})

/** Empties the history of the pair. Live recording began at `liveAt`, if ever. */
async function begin(liveAt: number | null): Promise<void> {
  await emptyTables('points', 'importCoverage', 'dailyCandles')
  const live = { pair: blue.id, buy: 1, sell: 900_000, source: 'live' }
  if (liveAt !== null) await insertRow('points', { ...live, at: liveAt })
}

function importFile(file: Dataset, db = env.DB, dryRun = false) {
  return importSeries(db, file, { ...file, pair: blue }, { dryRun })
}

/** An import whose process dies before its n-th batch: the first reads, the second writes. */
async function cutShort(file: Dataset, batches: number): Promise<void> {
  let left = batches
  const db = aroundBatch(async (run) => {
    if (left-- <= 0) throw new Error('cut short')
    return run()
  })
  await importFile(file, db).catch((error: Error) => {
    if (error.message !== 'cut short') throw error
  })
}

const state = async () => ({
  points: await readRows('points'),
  coverage: await readRows('importCoverage'),
  candles: await readRows('dailyCandles'),
})

/** The rows that count, computed from the rule itself. */
function owned(files: Dataset[], liveAt: number | null) {
  const before = files.map((file) => ({
    ...file,
    rows: file.rows.filter(({ at }) => at < (liveAt ?? Infinity)),
    coverage: coverageOf(file).map(([from, to]): Range => [from, Math.min(to, liveAt ?? to)]),
  }))
  const allTimed = union(
    before.flatMap(({ kind, rows, coverage }) =>
      kind === 'timed' && rows.length > 0 ? coverage : [],
    ),
  )

  const counting = before.flatMap((file, index) =>
    file.rows.filter(({ at }) => {
      const earlier = before.slice(0, index).filter(({ kind }) => kind === file.kind)
      if (earlier.some(({ coverage }) => contains(coverage, at))) return false
      return file.kind === 'timed' || !touchesDay(allTimed, argentineDay(at))
    }),
  )
  const liveRow = liveAt === null ? [] : [{ at: liveAt, buy: 1, sell: 900_000 }]
  return [...counting, ...liveRow].toSorted((a, b) => a.at - b.at)
}

function coverageOf({ kind, rows }: Dataset): Range[] {
  if (kind === 'daily') return dayRanges(rows.map(({ at }) => argentineDay(at)))
  return [[rows[0]!.at, rows.at(-1)!.at]]
}
