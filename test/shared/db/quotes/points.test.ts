import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { PAIRS } from '../../../../shared/market/catalog.ts'
import { quotesAsOf } from '../../../../shared/db/quotes/points.ts'
import { env } from '../../../support/env.ts'
import { setPoints } from '../../../support/points.ts'

/** Times close together, so that ties, equal instants and both ends come up. */
const instant = fc.integer({ min: 0, max: 40 }).map((tick) => 1_700_000_000_000 + tick * 250)
const point = fc.record({
  pair: fc.integer({ min: 1, max: 4 }),
  at: instant,
  buy: fc.integer({ min: 1, max: 2 ** 50 }),
  sell: fc.integer({ min: 1, max: 2 ** 50 }),
})

it('is the last value at or before the instant, as a plain search says', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(point, { maxLength: 30, selector: ({ pair, at }) => `${pair} ${at}` }),
      fc.array(
        instant.chain((at) => fc.constantFrom(at, at - 1, at + 1)),
        { minLength: 1, maxLength: 4 },
      ),
      fc.shuffledSubarray(PAIRS.slice(0, 5) as (typeof PAIRS)[number][], { minLength: 1 }),
      async (points, instants, pairs) => {
        await setPoints(points)

        for (const at of instants) {
          const expected = pairs.map((pair) => {
            const before = points.filter((p) => p.pair === pair.id && p.at <= at)
            const last = before.toSorted((a, b) => a.at - b.at).at(-1)
            return last ? { at: last.at, buy: last.buy, sell: last.sell } : null
          })
          expect((await quotesAsOf(env.DB, pairs, at)).quotes).toEqual(expected)
        }
      },
    ),
    { numRuns: 30 },
  )
})
