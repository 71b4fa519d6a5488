import { Big } from 'big.js'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatAmount, parseAmount, toPesos } from '../../workers/site/public/static/convert.js'

describe('an amount', () => {
  it.each([
    ['1500,5', '1.500,50'],
    ['1.500,50', '1.500,50'],
    ['1,500.50', '1.500,50'],
    ['1.5', '1,50'],
    ['1.234.567', '1.234.567'],
    [' $ 1 000 ', '1.000'],
    ['0,000001', '0,000001'],
    ['5.', '5'],
  ])('%s is read as %s', (typed, shown) => {
    expect(formatAmount(parseAmount(typed)!)).toBe(shown)
  })

  it.each(['', '-5', 'mil', '1,2,3', '12.34,5.6', '0,0000001', '1234567890123', '٣'])(
    '%j is none',
    (typed) => {
      expect(parseAmount(typed)).toBeNull()
    },
  )
})

it('is converted to the cent, halves up, with no float on the way', () => {
  const amounts = fc.bigInt({ min: 0n, max: 10n ** 17n })
  fc.assert(
    fc.property(amounts, fc.integer({ min: 1, max: 10 ** 9 }), (amount, price) => {
      const exact = new Big(String(amount)).div(1e6).times(new Big(price).div(1e4))
      expect(toPesos(amount, price)).toBe(BigInt(exact.times(100).round(0, 1).toFixed(0)))
    }),
  )
})
