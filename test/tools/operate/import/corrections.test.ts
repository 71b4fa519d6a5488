import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { argentineDay, DAY_MS, dayStart, HOUR_MS } from '../../../../shared/argentine-time.ts'
import { PAIRS } from '../../../../shared/market/catalog.ts'
import { correctPoint } from '../../../../tools/operate/import/corrections.ts'
import { env } from '../../../support/env.ts'
import { rebuildCandles, setPoints } from '../../../support/points.ts'
import { emptyTables, insertRow, readRows } from '../../../support/rows.ts'
import { inEffect, type ModelPoint } from '../../../support/value-model.ts'

const blue = PAIRS[2]!
const FIRST = '2026-02-27'
const DAYS = 4
const now = dayStart(FIRST) + DAYS * DAY_MS
const order = { pair: blue, reason: 'a digit too many', now }

/** Few values and few instants, so that neighbours are often equal. */
const prices = fc.record({ buy: fc.constant(1), sell: fc.constantFrom(2, 3, 4) })
const instants = fc.nat(DAYS * 4 - 1).map((part) => dayStart(FIRST) + part * 6 * HOUR_MS)
const histories = fc
  .uniqueArray(fc.tuple(instants, prices), { minLength: 1, maxLength: 6, selector: ([at]) => at })
  .map((points) =>
    changesOf(
      points
        .map(([at, values]) => ({ at, ...values, source: 'test' }))
        .toSorted((a, b) => a.at - b.at),
    ),
  )
/** Corrections of any point, or of none: another value, or a removal. */
const corrections = fc.array(
  fc.record({ which: fc.nat(10), value: fc.option(prices, { freq: 3 }) }),
  { minLength: 1, maxLength: 8 },
)

/** Decision 12: one point per change. */
function changesOf(points: readonly ModelPoint[]): ModelPoint[] {
  return points.filter(({ sell }, index) => sell !== points[index - 1]?.sell)
}

it('after any corrections there is one point per change, derived values follow, and each old value is kept', async () => {
  await fc.assert(
    fc.asyncProperty(histories, corrections, async (history, asked) => {
      let points = history
      await seed(points)
      const noted: object[] = []
      for (const { which, value } of asked) {
        const old = points[which % (points.length + 1)]
        const at = old?.at ?? now
        const isDone = await correctPoint(env.DB, { ...order, at, ...(value && { value }) })
        expect(isDone).toBe(old !== undefined && old.sell !== value?.sell)
        if (!isDone) continue

        const changed = points.flatMap((point) =>
          point !== old ? [point] : value ? [{ at, ...value, source: 'correction' }] : [],
        )
        points = changesOf(changed)
        noted.push(noteOf(old!, value))
        // Points removed together with it are noted too, so that no value is lost.
        for (const point of changed) if (!points.includes(point)) noted.push(noteOf(point, null))
      }

      expect(await readRows('points')).toMatchObject(points)
      expect(await readRows('corrections')).toEqual(
        noted.map((note, index) => expect.objectContaining({ id: index + 1, ...note })),
      )
      expect(await readRows('currentQuotes')).toMatchObject(currentOf(points))
      const candles = await readRows('dailyCandles')
      await rebuildCandles(blue, FIRST, argentineDay(now))
      expect(candles).toEqual(await readRows('dailyCandles'))
    }),
    { numRuns: 60 },
  )
})

/** Stores the points, their candles, and the current quote of the last point. */
async function seed(points: readonly ModelPoint[]): Promise<void> {
  await emptyTables('corrections', 'currentQuotes')
  await env.DB.prepare(`delete from sqlite_sequence where name = 'corrections'`).run()
  await setPoints(points.map((point) => ({ pair: blue.id, ...point })))
  await rebuildCandles(blue, FIRST, argentineDay(now))
  for (const quote of currentOf(points))
    await insertRow('currentQuotes', { ...quote, source: 'test' })
}

/** The current quote of these points; null without a point. */
function currentOf(points: readonly ModelPoint[]) {
  return points.slice(-1).map(({ at, buy, sell }) => {
    const before = inEffect(points, dayStart(argentineDay(at)) - 1)
    return { pair: blue.id, buy, sell, updatedAt: at, referenceSell: before?.sell ?? null }
  })
}

const noteOf = ({ at, buy, sell }: ModelPoint, value: { buy: number; sell: number } | null) => ({
  madeAt: now,
  action: value ? 'replace' : 'remove',
  pair: blue.id,
  pointAt: at,
  oldBuy: buy,
  oldSell: sell,
  newBuy: value?.buy ?? null,
  newSell: value?.sell ?? null,
  reason: order.reason,
})
