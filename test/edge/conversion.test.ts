import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { CONVERSION_SIDES } from '../../shared/api/convert.ts'
import { HttpError } from '../../shared/http-error.ts'
import type { QuotedPoint } from '../../shared/market/price.ts'
import { conversionOf, convert } from '../../workers/edge/routes/conversion.ts'

const price = fc.integer({ min: 1, max: 10 ** 9 })
const point = fc.record({ at: fc.constant(0), buy: price, sell: price })
const amount = fc
  .tuple(fc.boolean(), fc.nat(10 ** 6), fc.nat(999))
  .map(([minus, whole, part]) => `${minus ? '-' : ''}${whole}.${String(part).padStart(3, '0')}`)

it('a conversion is within half a unit of its last decimal of the exact quotient, and odd in its sign', () => {
  fc.assert(
    fc.property(
      amount,
      point,
      point,
      fc.constantFrom(...CONVERSION_SIDES),
      fc.integer({ min: 0, max: 6 }),
      (amount, first, second, side, decimals) => {
        const converted = (amount: string) => {
          const pair = { from: 'eur', to: 'usd', origin: 'blue' } as const
          const conversion = conversionOf({ amount, ...pair, side, decimals })
          try {
            return convert(conversion, [first, second]).result
          } catch (error) {
            // More than 15 digits.
            if (error instanceof HttpError) return null
            throw error
          }
        }
        const value = converted(amount)
        fc.pre(value !== null)
        const of = ({ buy, sell }: QuotedPoint) =>
          BigInt({ buy, sell, mid: 0 }[side] * 2 || buy + sell)
        // value = units / 10^decimals; amount = thousandths / 1000
        const units = BigInt(value.replace('.', ''))
        const thousandths = BigInt(amount.replace('.', ''))
        const error = units * 1000n * of(second) - thousandths * of(first) * 10n ** BigInt(decimals)
        const size = error < 0n ? -error : error
        expect(2n * size <= 1000n * of(second)).toBe(true)

        const opposite = amount.startsWith('-') ? amount.slice(1) : `-${amount}`
        expect(Number(converted(opposite)) + Number(value)).toBe(0)
        expect(
          Number(value)
            .toFixed(decimals)
            .replace(/^-(0(\.0+)?)$/, '$1'),
        ).toBe(value)
      },
    ),
  )
})
