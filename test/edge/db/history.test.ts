import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  addDays,
  argentineDay,
  DAY_MS,
  dayEnd,
  dayStart,
  type Instant,
} from '../../../shared/argentine-time.ts'
import { findPairByKey } from '../../../shared/market/catalog.ts'
import { rebuildCandles } from '../../../shared/db/quotes/candles.ts'
import { readCandles, readPoints } from '../../../workers/edge/db/history.ts'
import { env } from '../../support/env.ts'
import { art } from '../../support/instant.ts'
import { setPoints } from '../../support/points.ts'
import { measuredDatabase } from '../../support/measured-database.ts'

const blue = findPairByKey('usd/blue')!
const FIRST = '2026-03-01'
const DAYS = 8

interface Point {
  at: Instant
  buy: number
  sell: number
}

async function store(points: readonly Point[]): Promise<void> {
  await setPoints(points.map((point) => ({ pair: blue.id, ...point })))
  await rebuildCandles(env.DB, blue, FIRST, addDays(FIRST, DAYS))
}

/** The value in effect at an instant, by looking at every point. */
const inEffect = (points: readonly Point[], instant: Instant) =>
  points.filter(({ at }) => at <= instant).at(-1)

/** A day's candle from the points alone, by the words of decision 13. */
function candleByModel(points: readonly Point[], day: string, now: Instant) {
  const end = Math.min(dayEnd(day), now)
  const within = points.filter(({ at }) => at >= dayStart(day) && at <= end)
  const opening = inEffect(points, dayStart(day)) ?? within[0]
  if (!opening) return null

  const sells = [opening.sell, ...within.map(({ sell }) => sell)]
  const closing = inEffect(points, end)!
  return {
    day,
    open: opening.sell,
    high: Math.max(...sells),
    low: Math.min(...sells),
    close: closing.sell,
    buy: closing.buy,
  }
}

/** Instants that love the edges of days. */
const instants = fc
  .tuple(
    fc.integer({ min: 0, max: DAYS - 1 }),
    fc.oneof(fc.constantFrom(0, 1, DAY_MS - 1), fc.integer({ min: 0, max: DAY_MS - 1 })),
  )
  .map(([day, offset]) => dayStart(FIRST) + day * DAY_MS + offset)

const histories = fc
  .uniqueArray(
    fc.record({
      at: instants,
      buy: fc.integer({ min: 1, max: 9 }),
      sell: fc.integer({ min: 1, max: 9 }),
    }),
    { selector: ({ at }) => at, maxLength: 25 },
  )
  .map((points) => points.toSorted((a, b) => a.at - b.at))

const ranges = fc.record({
  from: fc.option(fc.integer({ min: -2, max: DAYS + 1 }).map((days) => addDays(FIRST, days))),
  to: fc.option(fc.integer({ min: -2, max: DAYS + 1 }).map((days) => addDays(FIRST, days))),
  limit: fc.integer({ min: 1, max: 12 }),
})

describe('for any history, range and moment', () => {
  it('the candles are those of a plain model over the points', async () => {
    await fc.assert(
      fc.asyncProperty(histories, ranges, instants, async (points, range, now) => {
        await store(points)
        const last =
          range.to !== null && range.to < argentineDay(now) ? range.to : argentineDay(now)
        const expected = Array.from({ length: range.limit }, (_, back) => addDays(last, -back))
          .filter((day) => range.from === null || day >= range.from)
          .map((day) => candleByModel(points, day, now))
          .filter((candle) => candle !== null)

        expect(await readCandles(env.DB, blue, range, now)).toEqual(expected)
      }),
      { numRuns: 50 },
    )
  })

  it('the points are the newest of the range that have happened', async () => {
    await fc.assert(
      fc.asyncProperty(histories, ranges, instants, async (points, range, now) => {
        await store(points)
        const expected = points
          .filter(({ at }) => at <= now)
          .filter(({ at }) => range.from === null || argentineDay(at) >= range.from)
          .filter(({ at }) => range.to === null || argentineDay(at) <= range.to)
          .toReversed()
          .slice(0, range.limit)

        expect(await readPoints(env.DB, blue, range, now)).toEqual(expected)
      }),
      { numRuns: 40 },
    )
  })
})

it('a read of n points or candles costs at most n + 10 rows', async () => {
  const now = art('2026-03-05 12:00')
  await env.DB.prepare(
    `insert into points with recursive n(i) as
       (select 0 union all select i + 1 from n where i < 20000)
     select 3, ?1 - i * 3600000, 1, i % 7, 'test' from n`,
  )
    .bind(now)
    .run()
  await rebuildCandles(env.DB, blue, '2020-01-01', '2026-03-05')
  const { db, spent, forget } = measuredDatabase()

  for (const limit of [1, 100, 500])
    for (const range of [
      { from: null, to: null, limit },
      { from: '2025-01-01', to: '2025-06-30', limit },
    ])
      for (const read of [readPoints, readCandles]) {
        forget()
        await read(db, blue, range, now)
        expect(spent().roundTrips).toBe(1)
        expect(spent().rowsRead).toBeLessThanOrEqual(limit + 10)
      }
})
