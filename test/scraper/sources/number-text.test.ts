import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { parseDecimal } from '../../../workers/scraper/sources/number-text.ts'

it.each([
  ['1375.00', 'comma', '1375'],
  ['1,375.00', 'comma', '1375'],
  ['$1385', 'comma', '1385'],
  ['$ 1.385,50', 'comma', '1385.5'],
  ['-2,34%', 'comma', '-2.34'],
  ['1,234,567', 'point', '1234567'],
  ['1,637', 'comma', '1.637'],
] as const)('parseDecimal reads %s of a %s source', (text, style, value) => {
  expect(parseDecimal(text, style)?.toString()).toBe(value)
})

it.each(['', ' ', '-', 'S/C', 's/c', 'N/A', '$'])('parseDecimal reads %j as absent', (text) => {
  expect(parseDecimal(text, 'comma')).toBeNull()
})

it.each(['1.37,5,0', '1.3755,00', 'NaN', '1e5', '1..5', ',5', '5,', '--1', '١٢٣'])(
  'parseDecimal refuses %s',
  (text) => {
    expect(() => parseDecimal(text, 'comma')).toThrow('has a text where a number is due')
  },
)

it('parseDecimal reads any amount, however its digits are grouped', () => {
  const amount = fc.tuple(fc.nat(99_999_999), fc.nat(9999))
  fc.assert(
    fc.property(amount, fc.boolean(), ([whole, fraction], grouped) => {
      const decimals = String(fraction).padStart(4, '0')
      const groups = (mark: string) =>
        grouped ? String(whole).replace(/\B(?=(\d{3})+$)/g, mark) : String(whole)
      const expected = (whole * 10_000 + fraction) / 10_000

      expect(parseDecimal(`${groups('.')},${decimals}`, 'comma')?.toNumber()).toBe(expected)
      expect(parseDecimal(`${groups(',')}.${decimals}`, 'point')?.toNumber()).toBe(expected)
      expect(parseDecimal(groups('.'), 'comma')?.toNumber()).toBe(whole)
    }),
  )
})
