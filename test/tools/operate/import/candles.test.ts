import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { addDays, dayStart, HOUR_MS } from '../../../../shared/argentine-time.ts'
import { PAIRS } from '../../../../shared/market/catalog.ts'
import type { CycleRecord } from '../../../../shared/db/quotes/cycle-record.ts'
import type { CurrentQuote } from '../../../../shared/db/quotes/quotes.ts'
import { upsertCandles } from '../../../../workers/scraper/db/cycle-statements.ts'
import { env } from '../../../support/env.ts'
import { rebuildCandles, setPoints } from '../../../support/points.ts'
import { emptyTables, readRows } from '../../../support/rows.ts'

const blue = PAIRS[2]!

const FIRST = '2026-03-01'

interface Value {
  hour: number
  buy: number
  sell: number
}

const atOf = ({ hour }: Value) => dayStart(FIRST) + hour * HOUR_MS
const quoteOf = ({ buy, sell }: Value) => ({ pair: blue, buy, sell }) as unknown as CurrentQuote

it('makes the same candles in pieces, in any order, and cycle by cycle', async () => {
  const amount = fc.integer({ min: 1, max: 9 })
  const value = fc.record({
    hour: fc.integer({ min: 0, max: 24 * 12 }),
    buy: amount,
    sell: amount,
  })

  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(value, { minLength: 1, maxLength: 20, selector: ({ hour }) => hour }),
      fc.shuffledSubarray([0, 2, 4, 6, 8, 10, 12], { minLength: 7 }),
      async (values, pieces) => {
        const sorted = values.toSorted((a, b) => a.hour - b.hour)
        await setPoints(
          values.map((value) => ({
            pair: blue.id,
            at: atOf(value),
            buy: value.buy,
            sell: value.sell,
          })),
        )
        for (const day of pieces) {
          await rebuildCandles(blue, addDays(FIRST, day), addDays(FIRST, day + 1))
        }
        const inPieces = await readRows('dailyCandles')
        await rebuildCandles(blue, FIRST, addDays(FIRST, 14))
        expect(await readRows('dailyCandles')).toEqual(inPieces)

        // A cycle never runs exactly at midnight: a day opens with the value before it.
        fc.pre(sorted.every(({ hour }) => hour % 24 !== 0))
        const records = sorted.map((value, index) => ({
          at: atOf(value),
          changes: [
            { quote: quoteOf(value), previous: index === 0 ? null : quoteOf(sorted[index - 1]!) },
          ],
        })) as unknown as CycleRecord[]
        await emptyTables('dailyCandles')
        await env.DB.batch(records.flatMap((record) => upsertCandles(env.DB, record)))
        expect(await readRows('dailyCandles')).toEqual(inPieces)
      },
    ),
    { numRuns: 25 },
  )
})
