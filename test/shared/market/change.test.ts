import { describe, expect, it } from 'vitest'
import { changeOfDay, nextReference } from '../../../shared/market/change.ts'
import {
  numberToPrice,
  percentChange,
  priceToNumber,
  roundPrice,
} from '../../../shared/market/price.ts'
import { art } from '../../support/instant.ts'

const quote = {
  sell: numberToPrice(1430),
  updatedAt: art('2026-03-02 11:55'),
  referenceSell: numberToPrice(1410),
}

describe('the change of the day', () => {
  it('is measured from the last sell before today’s midnight', () => {
    expect(changeOfDay(quote, art('2026-03-02 23:59:59.999'))).toEqual({
      amount: 20,
      percent: 1.42,
      referenceValue: 1410,
    })
  })

  it('is 0 from the first instant of the next day, without a scrape', () => {
    expect(changeOfDay(quote, art('2026-03-03 00:00:00.000'))).toEqual({
      amount: 0,
      percent: 0,
      referenceValue: 1430,
    })
  })

  it('is null for a pair with no value before midnight', () => {
    expect(changeOfDay({ ...quote, referenceSell: null }, quote.updatedAt)).toBeNull()
  })

  it('turns at the year’s end like at any midnight', () => {
    const last = { ...quote, updatedAt: art('2025-12-31 23:59:59.999') }
    expect(changeOfDay(last, art('2026-01-01 00:00:00.000'))?.amount).toBe(0)
  })

  it('keeps the reference through several changes of one day', () => {
    expect(nextReference(quote, art('2026-03-02 18:00'))).toBe(numberToPrice(1410))
    expect(nextReference(quote, art('2026-03-03 09:00'))).toBe(numberToPrice(1430))
    expect(nextReference(null, art('2026-03-03 09:00'))).toBeNull()
  })
})

describe('prices', () => {
  it.each([
    [1445.7, 1431, 14.7, 1.03],
    [1.6378, 1.6377, 0.0001, 0.01],
    [0.3, 0.1, 0.2, 200],
    [100.005, 100, 0.005, 0.01],
    [99.995, 100, -0.005, -0.01],
    [5, 0, 5, 0],
  ])('from %s to reference %s: amount %s, percent %s', (sell, reference, amount, percent) => {
    expect(priceToNumber(numberToPrice(sell) - numberToPrice(reference))).toBe(amount)
    expect(percentChange(numberToPrice(sell), numberToPrice(reference))).toBe(percent)
  })

  it.each([
    [12345, 2, 12300],
    [12350, 2, 12400],
    [-12350, 2, -12400],
    [12345, 4, 12345],
    [15_000, 0, 20_000],
    [14_999, 0, 10_000],
  ] as const)('%s cut to %s decimals is %s', (price, decimals, expected) => {
    expect(roundPrice(price, decimals)).toBe(expected)
  })
})
