import { Big } from 'big.js'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../shared/argentine-time.ts'
import { findPairByKey } from '../../../shared/market/catalog.ts'
import {
  ageText,
  amountText,
  dayText,
  decimalText,
  embedValueText,
  longDayText,
  momentText,
  monthText,
  numberText,
  parseAmount,
  percentText,
  rangeText,
  unitsOf,
  valueText,
} from '../../../shared/market/spanish-text.ts'
import { toPesos } from '../../../workers/site/home/figures.ts'
import { art } from '../../support/instant.ts'

const NOW = art('2026-03-02 15:04:05')
const valueOf = (key: string, price: number) => valueText(price, unitsOf(findPairByKey(key)!))

/** Non-breaking spaces are shown as spaces. */
it.each([
  ['1.234.567', numberText(1_234_567)],
  ['−1.500,5', numberText(-1500.5, 0, 2)],
  ['0,00', numberText(-0.001, 2)],
  ['21.278,57583', decimalText('21278.57583')],
  ['1.460,50', decimalText('1460.5')],
  ['$ 1.430,01', valueOf('usd/blue', 14_300_050)],
  ['$ 1.820,43', valueOf('eur/oficial', 18_204_312)],
  ['$ 1,6900', valueOf('clp/oficial', 16_900)],
  ['1,6897 a 1,6937', rangeText(16_897, 16_937, 4)],
  ['623 puntos', valueOf('arg/riesgo', 6_230_000)],
  ['700,12', valueOf('arg/cer', 7_001_200)],
  ['$ 1,6378', embedValueText(1.6378, { valueType: 'money', decimals: 4 })],
  ['+1,40 %', percentText(1.4)],
  ['−0,05 %', percentText(-0.05)],
  ['0,00 %', percentText(0.004)],
  ['0,00 %', percentText(-0.004)],
  ['recién', ageText(NOW - MINUTE_MS + 1, NOW)],
  ['hace 59 min', ageText(NOW - HOUR_MS + 1, NOW)],
  ['hace 23 h', ageText(NOW - DAY_MS + 1, NOW)],
  ['hace 1 día', ageText(NOW - DAY_MS, NOW)],
  ['hace 2 días', ageText(NOW - 2 * DAY_MS, NOW)],
  ['02/03/2026', dayText('2026-03-02')],
  ['2 de marzo de 2026', longDayText('2026-03-02')],
  ['mar 26', monthText('2026-03-02')],
  ['02/03/2026 15:04', momentText(NOW)],
  ['02/03/2026 15:04:05', momentText(NOW, 'seconds')],
])('%s', (expected, written) => expect(written.replaceAll('\u00a0', ' ')).toBe(expected))

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
    expect(amountText(parseAmount(typed)!)).toBe(shown)
  })

  it.each(['', '-5', 'mil', '1,2,3', '12.34,5.6', '0,0000001', '1234567890123', '٣'])(
    '%j is none',
    (typed) => {
      expect(parseAmount(typed)).toBeNull()
    },
  )

  it('is converted exactly to the cent, halves up', () => {
    const amounts = fc.bigInt({ min: 0n, max: 10n ** 17n })
    fc.assert(
      fc.property(amounts, fc.integer({ min: 1, max: 10 ** 9 }), (amount, price) => {
        const exact = new Big(String(amount)).div(1e6).times(new Big(price).div(1e4))
        expect(toPesos(amount, price)).toBe(BigInt(exact.times(100).round(0, 1).toFixed(0)))
      }),
    )
  })
})
