import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { convertAmount } from '../../../shared/api/convert.ts'
import { readFields } from '../../../shared/api/read-fields.ts'
import { conversionOf, convert, SIDES } from '../../../shared/market/conversion.ts'
import type { QuotedPoint } from '../../../shared/market/quoted-point.ts'

type ConversionText = Partial<
  Record<'amount' | 'from' | 'to' | 'origin' | 'side' | 'decimals', string | null>
>

const A_TEXT: ConversionText = {
  amount: '100',
  from: 'USD',
  to: 'ARS',
  origin: 'blue',
  side: null,
  decimals: null,
}
/** As the query of a request has it. */
function parseConversion(text: ConversionText) {
  const given = Object.entries(text).filter(([, value]) => value !== null)
  const query = readFields(convertAmount.query!(), Object.fromEntries(given))
  return query.ok ? conversionOf(query.value) : query
}

function converted(changes: Partial<ConversionText>, ...quotes: QuotedPoint[]) {
  const conversion = parseConversion({ ...A_TEXT, ...changes })
  if (!conversion.ok) throw new Error(conversion.refusal.text)
  return convert(conversion.value, quotes)
}

const numberOf = (result: ReturnType<typeof convert>) => (result.ok && result.value.result) || ''

describe('a conversion', () => {
  it.each<[string, Partial<ConversionText>, RegExp]>([
    ['an exponent', { amount: '1e3' }, /amount/],
    ['a bare point', { amount: '1.' }, /amount/],
    ['no whole part', { amount: '.5' }, /amount/],
    ['other digits', { amount: '١٠' }, /amount/],
    ['twelve digits', { amount: '123456789012' }, /amount/],
    ['five decimals', { amount: '1.12345' }, /amount/],
    ['an unknown currency', { to: 'JPY' }, /from y to/],
    ['a Kelvin sign', { from: 'U\u017fD' }, /from y to/],
    ['nine decimals', { decimals: '9' }, /decimals/],
    ['an origin that the currency has not', { from: 'CLP' }, /CLP no tiene ese origen/],
    ['an unknown origin', { origin: 'xyz' }, /origin debe ser/],
  ])('refuses %s', (_, changes, text) => {
    const conversion = parseConversion({ ...A_TEXT, ...changes })
    expect(conversion.ok).toBe(false)
    expect(!conversion.ok && conversion.refusal.text).toMatch(text)
  })

  const price = fc.integer({ min: 1, max: 10 ** 9 })
  const point = fc.record({ at: fc.constant(0), buy: price, sell: price })
  const amount = fc
    .tuple(fc.boolean(), fc.nat(10 ** 6), fc.nat(999))
    .map(([minus, whole, part]) => `${minus ? '-' : ''}${whole}.${String(part).padStart(3, '0')}`)

  it('is within half a unit of its last decimal of the exact quotient, and odd in its sign', () => {
    fc.assert(
      fc.property(
        amount,
        point,
        point,
        fc.constantFrom(...SIDES),
        fc.integer({ min: 0, max: 6 }),
        (amount, first, second, side, decimals) => {
          const changes = { amount, from: 'EUR', to: 'USD', side, decimals: String(decimals) }
          const result = converted(changes, first, second)
          fc.pre(result.ok && result.value.result !== null)
          const value = numberOf(result)
          const of = ({ buy, sell }: QuotedPoint) =>
            BigInt({ buy, sell, mid: 0 }[side] * 2 || buy + sell)
          // value = units / 10^decimals; amount = thousandths / 1000
          const units = BigInt(value.replace('.', ''))
          const thousandths = BigInt(amount.replace('.', ''))
          const error =
            units * 1000n * of(second) - thousandths * of(first) * 10n ** BigInt(decimals)
          const size = error < 0n ? -error : error
          expect(2n * size <= 1000n * of(second)).toBe(true)

          const opposite = amount.startsWith('-') ? amount.slice(1) : `-${amount}`
          const other = converted({ ...changes, amount: opposite }, first, second)
          expect(Number(numberOf(other)) + Number(value)).toBe(0)
          expect(
            Number(value)
              .toFixed(decimals)
              .replace(/^-(0(\.0+)?)$/, '$1'),
          ).toBe(value)
        },
      ),
    )
  })
})
