import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { addDays, argentineDay, dayStart, HOUR_MS } from '../../../../shared/argentine-time.ts'
import { rebuildCandles } from '../../../../shared/db/quotes/candles.ts'
import type { CycleRecord } from '../../../../shared/db/quotes/cycle-record.ts'
import { upsertCandles } from '../../../../workers/scraper/db/cycle-statements.ts'
import type { CurrentQuote } from '../../../../shared/db/quotes/quotes.ts'
import { PAIRS } from '../../../../shared/market/catalog.ts'
import { env } from '../../../support/env.ts'
import { setPoints } from '../../../support/points.ts'
import { emptyTables } from '../../../support/rows.ts'

const blue = PAIRS[2]!
const FIRST = '2026-03-01'

interface Value {
  hour: number
  buy: number
  sell: number
}

const values = fc.uniqueArray(
  fc.record({
    hour: fc.integer({ min: 0, max: 24 * 6 }),
    buy: fc.integer({ min: 1, max: 9 }),
    sell: fc.integer({ min: 1, max: 9 }),
  }),
  { minLength: 1, maxLength: 20, selector: ({ hour }) => hour },
)
const atOf = ({ hour }: Value) => dayStart(FIRST) + hour * HOUR_MS

async function seed(sorted: readonly Value[]): Promise<void> {
  await setPoints(
    sorted.map((value) => ({ pair: blue.id, at: atOf(value), buy: value.buy, sell: value.sell })),
  )
}

async function stored() {
  const { results } = await env.DB.prepare(
    `select day, open, high, low, close, buy_open, buy_high, buy_low, buy from daily_candles
     order by day`,
  ).all()
  return results
}

/** Day by day, the slow way. */
function model(sorted: readonly Value[]) {
  return [...new Set(sorted.map((value) => argentineDay(atOf(value))))].map((day) => {
    const ofDay = sorted.filter((value) => argentineDay(atOf(value)) === day)
    const opened = sorted.findLast((value) => atOf(value) <= dayStart(day)) ?? ofDay[0]!
    const buys = [opened.buy, ...ofDay.map(({ buy }) => buy)]
    const sells = [opened.sell, ...ofDay.map(({ sell }) => sell)]
    return {
      day,
      open: opened.sell,
      high: Math.max(...sells),
      low: Math.min(...sells),
      close: ofDay.at(-1)!.sell,
      buy_open: opened.buy,
      buy_high: Math.max(...buys),
      buy_low: Math.min(...buys),
      buy: ofDay.at(-1)!.buy,
    }
  })
}

const quoteOf = ({ buy, sell }: Value) => ({ pair: blue, buy, sell }) as unknown as CurrentQuote

it('the days of buys are the same from an import and cycle after cycle', async () => {
  await fc.assert(
    fc.asyncProperty(values, async (unsorted) => {
      const sorted = unsorted.toSorted((a, b) => a.hour - b.hour)
      const expected = model(sorted)
      await seed(sorted)
      await rebuildCandles(env.DB, blue, FIRST, addDays(FIRST, 7))
      expect(await stored()).toEqual(expected)

      // A cycle never falls on midnight itself: its first value of a day opens with the one before.
      fc.pre(sorted.every(({ hour }) => hour % 24 !== 0))
      const changes = sorted.map((value, index) => ({
        at: atOf(value),
        changes: [
          {
            quote: quoteOf(value),
            previous: index === 0 ? null : quoteOf(sorted[index - 1]!),
          },
        ],
      })) as unknown as CycleRecord[]
      await emptyTables('dailyCandles')
      await env.DB.batch(changes.map((record) => upsertCandles(env.DB, record)))
      expect(await stored()).toEqual(expected)
    }),
    { numRuns: 15 },
  )
})
