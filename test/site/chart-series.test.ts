import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { moment } from '../../workers/site/client/chart/words.ts'
import {
  candlesOf,
  DAY,
  dayStart,
  GAP,
  gapsOf,
  isolated,
  joined,
  lastOfEach,
  monthOf,
  pointsOf,
  recentPointsOf,
  valuesAt,
  weekOf,
} from '../../workers/site/pair/series.ts'
import { art } from '../support/instant.ts'

const at = (text: string) => art(text) / 1000
const day = (text: string) => Date.parse(text) / 86_400_000
const close = (text: string, sell: number, ...more: number[]) =>
  [day(text), sell * 10_000, 0, ...more.map((value) => value * 10_000)] as number[]

it('the line is flat over days without a change, such as a weekend', () => {
  const closes = [close('2026-03-06', 11), close('2026-03-09', 12)]
  const instants = [at('2026-03-07 23:59'), at('2026-03-08 23:59')]
  expect(valuesAt(pointsOf({ closes, recent: [] }), instants)).toEqual([11, 11])
})

it('the line ends at the last confirmation when that is long ago', () => {
  const points = pointsOf({ closes: [close('2026-01-05', 10)], recent: [] })
  const now = at('2026-03-02 12:00')
  expect(valuesAt(points, [now], at('2026-03-01 12:00'))).toEqual([10])
  expect(valuesAt(points, [now], at('2026-01-06 12:00'))).toEqual([null])
})

it('the line shows a value from its instant on, never before', () => {
  const steps = fc.array(fc.tuple(fc.integer({ min: 60, max: 15 * DAY }), fc.nat(9)), {
    minLength: 1,
    maxLength: 30,
  })
  fc.assert(
    fc.property(steps, fc.integer({ min: -DAY, max: 40 * DAY }), (steps, offset) => {
      let time = 1_700_000_000
      const points = steps.map(([wait, value]): [number, number] => [(time += wait), value])
      const instant = points[0]![0] + offset
      const [value] = valuesAt(points, [instant])
      const index = points.findLastIndex(([at]) => at <= instant)
      const next = points[index + 1]
      const current = points[index]
      const hole = current && next && current[0] !== instant && next[0] - current[0] > GAP
      expect(value).toBe(current && !hole ? current[1] : null)
    }),
  )
})

it('the line shows isolated values as dots, and gaps only where both values are known', () => {
  expect(isolated([1, null, 2, 3, null, 4])).toEqual([0, 5])
  expect(gapsOf([110, null, 99], [100, 100, null])[0]).toBeCloseTo(10)
  expect(gapsOf([110, null, 99], [100, 100, null]).slice(1)).toEqual([null, null])
})

const now = at('2026-03-03 12:00')
const closes = [close('2026-02-27', 10), close('2026-03-02', 12, 15, 9)]
const recent = [
  [at('2026-03-03 10:00') / 60, 130_000],
  [at('2026-03-03 11:00') / 60, 110_000],
]

it("candles open at the previous close, span the day's range, and end with today", () => {
  expect(candlesOf({ closes, recent }, now)).toMatchObject([
    { open: 10, high: 10, low: 10, close: 10 },
    { open: 10, high: 15, low: 9, close: 12 },
    { open: 12, high: 13, low: 11, close: 11 },
  ])
})

it('candles open at the previous close on a day that starts without a point', () => {
  const points = recentPointsOf({ closes, recent })
  expect(points[0]).toEqual([at('2026-03-03 00:00') - 1, 12])
  const whole = [[at('2026-03-02 15:00') / 60, 120_000], ...recent]
  expect(recentPointsOf({ closes, recent: whole })).toHaveLength(3)
})

it('candles are merged by week and month', () => {
  const all = candlesOf({ closes, recent }, now)
  expect(joined(all, weekOf)).toHaveLength(2)
  const [february, march] = joined(all, monthOf)
  expect(february!.close).toBe(10)
  expect(march).toEqual({ at: now, open: 10, high: 15, low: 9, close: 11 })
})

it('weeks of candles begin on Monday at Argentine midnight', () => {
  expect(weekOf(at('2026-03-02 00:00'))).toBe(weekOf(at('2026-03-01 23:59')) + 1)
  expect(weekOf(at('2026-03-08 23:59'))).toBe(weekOf(at('2026-03-02 00:00')))
  expect(dayStart(at('2026-03-02 23:59'))).toBe(at('2026-03-02 00:00'))
  expect(lastOfEach([at('2026-03-01 10:00'), at('2026-03-01 20:00'), now], dayStart)).toEqual([
    1, 2,
  ])
})

it('uses −03:00 for all days, also in summers with daylight saving time', () => {
  expect(moment('todo', at('2008-01-15 23:59'))).toBe('15/01/2008')
  expect(moment('dia', at('2008-01-15 23:59'))).toBe('15/01/2008 23:59')
})
