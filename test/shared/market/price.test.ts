import { expect, it } from 'vitest'
import { numberToPrice, percentChange, priceToNumber } from '../../../shared/market/price.ts'

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
