import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { convertAmount } from '../../../shared/api/convert.ts'
import { readFields } from '../../../shared/api/read-fields.ts'
import { conversionOf, convert, expressionOf, SIDES } from '../../../shared/market/conversion.ts'
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
const quote = (buy: number, sell: number): QuotedPoint => ({
  at: 0,
  buy: Math.round(buy * 10_000),
  sell: Math.round(sell * 10_000),
})

/** As the query of a request has it. */
function parseConversion(text: ConversionText) {
  const given = Object.entries(text).filter(([, value]) => value !== null)
  const query = readFields(convertAmount.query!(), Object.fromEntries(given))
  return query.ok ? conversionOf(query.value) : query
}

function parsed(changes: Partial<ConversionText>) {
  const conversion = parseConversion({ ...A_TEXT, ...changes })
  if (!conversion.ok) throw new Error(conversion.refusal.text)
  return conversion.value
}

function converted(changes: Partial<ConversionText>, ...quotes: (QuotedPoint | null)[]) {
  const conversion = parsed(changes)
  return { result: convert(conversion, quotes), expression: expressionOf(conversion, quotes) }
}

const numberOf = (result: ReturnType<typeof convert>) => (result.ok && result.value.result) || ''

describe('a conversion', () => {
  it.each<[string, Partial<ConversionText>, QuotedPoint[], string, string]>([
    ['multiplies by the sell', {}, [quote(1410, 1430)], '143000.00', '100 * 1430'],
    ['or by the mean', { side: 'mid' }, [quote(1410, 1430.5)], '142025.00', '100 * 1420.25'],
    [
      'divides pesos',
      { from: 'ARS', to: 'USD', amount: '1000' },
      [quote(1410, 1430)],
      '0.70',
      '1000 / 1430',
    ],
    [
      'goes through pesos between two currencies',
      { from: 'EUR', to: 'USD', decimals: '6' },
      [quote(1600, 1650.5), quote(1410, 1430)],
      '115.419580',
      '100 * 1650.5 / 1430',
    ],
    ['has no noise', { amount: '1.1' }, [quote(1, 1.1)], '1.21', '1.1 * 1.1'],
    [
      'keeps the amount as it is written',
      { amount: '0010.50' },
      [quote(1, 2)],
      '21.00',
      '10.50 * 2',
    ],
    ['rounds a half up', { amount: '0.5', decimals: '0' }, [quote(1, 1)], '1', '0.5 * 1'],
    ['and away from zero', { amount: '-0.5', decimals: '0' }, [quote(1, 1)], '-1', '-0.5 * 1'],
    [
      'has no negative zero',
      { amount: '-0.004', decimals: '2' },
      [quote(1, 1)],
      '0.00',
      '-0.004 * 1',
    ],
  ])('%s', (_, changes, quotes, result, expression) => {
    expect(converted(changes, ...quotes)).toEqual({
      result: { ok: true, value: { result, decimals: Number(changes.decimals ?? 2) } },
      expression,
    })
  })

  it('has no result while one of its pairs has no value, or none above zero', () => {
    const none = { ok: true, value: { result: null, decimals: 2 } }
    expect(converted({}, null)).toEqual({ result: none, expression: null })
    expect(converted({ from: 'EUR', to: 'USD' }, quote(1, 1), quote(0, 0)).result).toEqual(none)
  })

  it.each([
    ['99999999999', '142999999998570', 0],
    ['999999999', '1429999998570.00', 2],
    ['-99999999999.9999', '-143000000000000', 0],
  ])('of %s has as many decimals as 15 digits leave room for: %s', (amount, result, decimals) => {
    expect(converted({ amount }, quote(1410, 1430)).result).toEqual({
      ok: true,
      value: { result, decimals },
    })
  })

  it.each([
    ['99999999999', '4', 1430, 'con ese monto, decimals puede ser hasta 0'],
    ['99999999', '8', 1430, 'con ese monto, decimals puede ser hasta 3'],
    ['99999999999', null, 14_300, 'probá con un monto menor'],
  ])('of %s with %s decimals at %d is refused: %s', (amount, decimals, sell, words) => {
    expect(converted({ amount, decimals }, quote(1, sell)).result).toEqual({
      ok: false,
      refusal: `El resultado pasa de 15 cifras: ${words}`,
    })
  })

  it('names the pairs in the order of the operations', () => {
    expect(parsed({ from: 'EUR', to: 'USD', origin: 'bna' }).legs).toMatchObject([
      { pair: { currency: 'EUR', origin: 'BNA' }, operation: 'multiply' },
      { pair: { currency: 'USD', origin: 'BNA' }, operation: 'divide' },
    ])
  })

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
          const result = converted(changes, first, second).result
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
          const other = converted({ ...changes, amount: opposite }, first, second).result
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
