import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { unpackDays } from '../../../workers/edge/db/packed-days.ts'
import { dayNumber, dayOf } from '../../../shared/market/series.ts'

it.each([
  ['', [null]],
  ['2026-03-0214300000', [[dayNumber('2026-03-02'), 14_300_000, 14_300_000]]],
  ['2026-03-0214300000:14250000', [[dayNumber('2026-03-02'), 14_300_000, 14_250_000]]],
  [',1999-12-310,', [null, [dayNumber('1999-12-31'), 0, 0], null]],
])('%j is its days', (packed, days) => {
  expect(unpackDays(packed)).toEqual(days)
})

it('gives back whatever days, values and gaps were packed', () => {
  const price = fc.nat({ max: Number.MAX_SAFE_INTEGER })
  const day = fc.option(
    fc.record({
      number: fc.integer({ min: dayNumber('1990-01-01'), max: dayNumber('2100-12-31') }),
      value: price,
      close: fc.option(price),
    }),
  )
  fc.assert(
    fc.property(fc.array(day, { minLength: 1 }), (days) => {
      const packed = days.map((each) => {
        if (each === null) return ''
        const { number, value, close } = each
        return `${dayOf(number)}${value}${close === null ? '' : `:${close}`}`
      })
      expect(unpackDays(packed.join(','))).toEqual(
        days.map((each) => each && [each.number, each.value, each.close ?? each.value]),
      )
    }),
  )
})
