import * as fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import {
  addDays,
  argentineDay,
  type Day,
  dayStart,
  HOUR_MS,
} from '../../../../shared/argentine-time.ts'
import { PAIRS } from '../../../../shared/market/catalog.ts'
import { rebuildCandles } from '../../../../shared/db/quotes/candles.ts'
import { numberToPrice } from '../../../../shared/market/price.ts'
import { env } from '../../../support/env.ts'
import { seedPoints, setPoints } from '../../../support/points.ts'
import { changeRows, deleteRows, readRows } from '../../../support/rows.ts'

const blue = PAIRS[2]!

const candles = async () =>
  (await readRows('dailyCandles', { pair: blue.id })).map(
    ({ day, open, high, low, close, buy }) => ({ day, open, high, low, close, buy }),
  )

const candle = (day: Day, open: number, high: number, low: number, close: number, buy: number) => ({
  day,
  open: numberToPrice(open),
  high: numberToPrice(high),
  low: numberToPrice(low),
  close: numberToPrice(close),
  buy: numberToPrice(buy),
})

describe('candles made from points', () => {
  beforeEach(() =>
    seedPoints(
      'usd/blue',
      ['2026-03-02 10:00', 99, 100],
      ['2026-03-02 15:00', 109, 110],
      ['2026-03-05 00:00:00.000', 104, 105],
      ['2026-03-05 23:59:59.999', 94, 95],
      ['2026-03-09 12:00', 119, 120],
    ),
  )

  const whole = [
    candle('2026-03-02', 100, 110, 100, 110, 109),
    candle('2026-03-05', 105, 105, 95, 95, 94),
    candle('2026-03-09', 95, 120, 95, 120, 119),
  ]

  it('open with the value in effect at the day’s start, the first day with its first', async () => {
    await rebuildCandles(env.DB, blue, '2026-03-01', '2026-03-31')
    expect(await candles()).toEqual(whole)
  })

  it('follow a correction into the next candle’s open', async () => {
    await rebuildCandles(env.DB, blue, '2026-03-01', '2026-03-31')
    await changeRows('points', { sell: 900_000 }, { sell: 950_000 })
    await rebuildCandles(env.DB, blue, '2026-03-05', '2026-03-05')

    expect(await candles()).toEqual([
      whole[0],
      candle('2026-03-05', 105, 105, 90, 90, 94),
      candle('2026-03-09', 90, 120, 90, 120, 119),
    ])
  })

  it('go away with the points of their day', async () => {
    await rebuildCandles(env.DB, blue, '2026-03-01', '2026-03-31')
    for (const sell of [1_050_000, 950_000]) await deleteRows('points', { sell })
    await rebuildCandles(env.DB, blue, '2026-03-05', '2026-03-05')

    expect(await candles()).toEqual([whole[0], candle('2026-03-09', 110, 120, 110, 120, 119)])
  })
})

it('is the same whether made at once or in pieces, in any order', async () => {
  const first = '2026-03-01'
  const point = fc.record({
    hour: fc.integer({ min: 0, max: 24 * 12 }),
    sell: fc.integer({ min: 1, max: 9 }),
  })

  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(point, { minLength: 1, maxLength: 20, selector: ({ hour }) => hour }),
      fc.shuffledSubarray([0, 2, 4, 6, 8, 10, 12], { minLength: 7 }),
      async (points, pieces) => {
        const at = (hour: number) => dayStart(first) + hour * HOUR_MS
        await setPoints(
          points.map(({ hour, sell }) => ({ pair: blue.id, at: at(hour), buy: sell, sell })),
        )
        for (const day of pieces) {
          await rebuildCandles(env.DB, blue, addDays(first, day), addDays(first, day + 1))
        }
        expect(await candles()).toEqual(model(first, points))
      },
    ),
    { numRuns: 25 },
  )
})

/** Candles worked out the slow way, day by day. */
function model(first: Day, points: { hour: number; sell: number }[]) {
  const sorted = points.toSorted((a, b) => a.hour - b.hour)
  const days = [
    ...new Set(sorted.map(({ hour }) => argentineDay(dayStart(first) + hour * HOUR_MS))),
  ]

  return days.map((day) => {
    const start = (dayStart(day) - dayStart(first)) / HOUR_MS
    const ofDay = sorted.filter(({ hour }) => hour >= start && hour < start + 24)
    const before = sorted.filter(({ hour }) => hour <= start)
    const open = (before.at(-1) ?? ofDay[0]!).sell
    const sells = [open, ...ofDay.map(({ sell }) => sell)]
    const close = ofDay.at(-1)!.sell
    return { day, open, high: Math.max(...sells), low: Math.min(...sells), close, buy: close }
  })
}
