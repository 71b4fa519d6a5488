import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findPairByKey } from '../../../shared/market/catalog.ts'
import {
  type DayValue,
  dayNumber,
  dayOf,
  type Every,
  periodsOf,
  seriesOf,
  summaryOf,
} from '../../../shared/market/series.ts'

const blue = findPairByKey('usd/blue')!
const pesos = (price: number | null) => (price === null ? null : price * 10_000)
const on = (day: string, value: number, close: number): DayValue => [
  dayNumber(day),
  value * 10_000,
  close * 10_000,
]

describe('periods', () => {
  it.each<[Every, string, string, string[]]>([
    ['day', '2024-02-28', '2024-03-01', ['2024-02-28', '2024-02-29', '2024-03-01']],
    // From a Thursday to a Tuesday: Monday begins a week.
    ['week', '2024-02-29', '2024-03-12', ['2024-03-03', '2024-03-10', '2024-03-12']],
    ['month', '2023-12-15', '2024-02-10', ['2023-12-31', '2024-01-31', '2024-02-10']],
    ['month', '2024-02-29', '2024-02-29', ['2024-02-29']],
  ])('each %s from %s to %s ends on its last day', (every, from, to, ends) => {
    const periods = periodsOf(from, to, every)
    expect(periods.map(({ last }) => dayOf(last))).toEqual(ends)
    expect(periods[0]!.first).toBe(dayNumber(from))
    for (const [index, { first }] of periods.entries())
      if (index > 0) expect(first).toBe(periods[index - 1]!.last + 1)
  })
})

describe('a month of a series', () => {
  const january = periodsOf('2024-01-01', '2024-01-31', 'month')
  const series = (value: 'close' | 'open' | 'high' | 'low' | 'average', ...days: DayValue[]) =>
    seriesOf(days, january, value, blue)[0]

  it('closes with its last change, and carries what was before', () => {
    expect(series('close', on('2024-01-10', 0, 100), on('2024-01-20', 0, 120))).toBe(pesos(120))
    expect(series('close', on('2023-12-20', 0, 90))).toBe(pesos(90))
    expect(series('close')).toBe(null)
  })

  it('opens with the value at its start: of its first day, or carried, or the first there is', () => {
    const later = on('2024-01-10', 95, 100)
    expect(series('open', on('2023-12-20', 0, 90), on('2024-01-01', 91, 92))).toBe(pesos(91))
    expect(series('open', on('2023-12-20', 0, 90), later)).toBe(pesos(90))
    expect(series('open', later)).toBe(pesos(95))
    expect(series('open', on('2023-12-20', 0, 90))).toBe(pesos(90))
  })

  it('has as lowest and highest what was ever in effect in it, at midnight or later', () => {
    const change = fc.record({
      day: fc.integer({ min: 0, max: 40 }),
      price: fc.integer({ min: 1, max: 500 }),
      midnight: fc.boolean(),
    })
    const changes = fc.uniqueArray(change, { selector: ({ day }) => day, minLength: 1 })
    fc.assert(
      fc.property(changes, fc.constantFrom<Every>('day', 'week', 'month'), (changes, every) => {
        const start = dayNumber('2023-12-20')
        const ordered = changes.toSorted((a, b) => a.day - b.day)
        const inEffect = (day: number) => ordered.findLast((change) => change.day <= day)?.price
        /** All values in effect on a day: what it began with, unless midnight replaced it. */
        const pricesOn = (day: number) => {
          const changed = ordered.find((change) => change.day === day)
          const began = changed?.midnight ? undefined : inEffect(day - 1)
          return [began, inEffect(day)].filter((price) => price !== undefined)
        }
        const stored = (of: (...prices: number[]) => number) =>
          ordered.map(({ day, price }): DayValue => [start + day, of(...pricesOn(day)), price])
        const periods = periodsOf('2024-01-01', '2024-01-29', every)

        for (const [value, of] of [
          ['low', Math.min],
          ['high', Math.max],
        ] as const) {
          const expected = periods.map(({ first, last }) => {
            const days = Array.from({ length: last - first + 1 }, (_, i) => first + i - start)
            const prices = days.flatMap(pricesOn)
            return prices.length === 0 ? null : of(...prices)
          })
          // As the database gives them: from the last day before the range on.
          const kept = stored(of)
          const from = Math.max(
            0,
            kept.findLastIndex(([day]) => day < periods[0]!.first),
          )
          expect(seriesOf(kept.slice(from), periods, value, blue)).toEqual(expected)
        }
      }),
    )
  })

  it('averages the closes of its days, those carried too, and none before the first value', () => {
    // 9 days of 90, 21 of 100 and the last of 131: 3041 over 31.
    const days = [on('2023-12-20', 0, 90), on('2024-01-10', 0, 100), on('2024-01-31', 0, 131)]
    expect(series('average', ...days)).toBe(pesos(98.1))
    // 21 days of 100 and one of 131: 2231 over 22 is 101.409…
    expect(series('average', ...days.slice(1))).toBe(pesos(101.41))
    expect(series('average')).toBe(null)
  })
})

describe('a summary', () => {
  const dates = ['2024-01-01', '2024-01-02', '2024-01-03', '2024-01-04']

  it('goes from the first day to the last, in whatever order the days were asked', () => {
    const column = [null, 100, 90, 110].map(pesos)
    expect(summaryOf(blue, dates.toReversed(), column.toReversed())).toEqual(
      summaryOf(blue, dates, column),
    )
    const shuffled = summaryOf(
      blue,
      ['2024-01-04', '2024-01-02', '2024-01-03'],
      [5, 7, 5].map(pesos),
    )
    expect(shuffled).toMatchObject({
      first: 7,
      firstDate: '2024-01-02',
      last: 5,
      lastDate: '2024-01-04',
      change: -2,
      minimumDate: '2024-01-03',
    })
  })

  it('names the first day of equals, and is of nulls without any value', () => {
    const flat = summaryOf(blue, dates, [5, 5, 5, 5].map(pesos))
    expect(flat).toMatchObject({ minimumDate: '2024-01-01', maximumDate: '2024-01-01', percent: 0 })
    const nothing = summaryOf(blue, dates, [null, null, null, null])
    expect(Object.values(nothing).slice(3)).toEqual(Array.from({ length: 11 }, () => null))
  })
})
