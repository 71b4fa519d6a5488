/**
 * Conversions between pesos and the catalogue's currencies, exact: amounts and prices are integers
 * of a fixed scale until the one rounding at the end. Pure.
 */
import { type convertAmount, DEFAULT_DECIMALS, PESOS } from '../../../shared/api/convert.ts'
import type { QueryOf } from '../../../shared/api/operation.ts'
import { formatArgentine, type Instant } from '../../../shared/argentine-time.ts'
import { findPair, type Pair } from '../../../shared/market/catalog.ts'
import {
  divideHalfAwayFromZero,
  PRICE_SCALE,
  priceToNumber,
  type QuotedPoint,
} from '../../../shared/market/price.ts'
import { SAME_CURRENCY } from '../../../shared/sentences.ts'
import { badRequest, quoteNotFound } from '../errors.ts'

const DEFAULT_ORIGIN = 'oficial'
/** A decimal number with this many digits stays exact as a JSON number. */
const MAX_DIGITS = 15
const TOO_LONG = `El resultado pasa de ${MAX_DIGITS} cifras`

type Wanted = Pick<
  QueryOf<typeof convertAmount>,
  'amount' | 'from' | 'to' | 'origin' | 'side' | 'decimals'
>

/** A multiplication or division by the price of a pair. */
interface Leg {
  pair: Pair
  operation: 'multiply' | 'divide'
}

interface Conversion extends Pick<Wanted, 'side' | 'decimals'> {
  /** The amount as written, without leading zeros. */
  amount: string
  from: string
  to: string
  origin: string
  /** One leg, or two if neither currency is pesos, because prices are pesos per unit. */
  legs: readonly Leg[]
}

type Values = readonly (QuotedPoint | null)[]

/** The conversion that a request asks for. Throws a 400, or a 404 for an unknown origin. */
export function conversionOf({ amount, origin = DEFAULT_ORIGIN, ...wanted }: Wanted): Conversion {
  const [from, to] = [wanted.from.toUpperCase(), wanted.to.toUpperCase()]
  if (from === to) throw badRequest(SAME_CURRENCY)

  const legs: Leg[] = []
  for (const [code, operation] of [[from, 'multiply'] as const, [to, 'divide'] as const]) {
    if (code === PESOS) continue
    const pair = findPair(code, origin)
    if (!pair) throw quoteNotFound()
    legs.push({ pair, operation })
  }
  const { side, decimals } = wanted
  const plain = amount.replace(/^(-?)0+(?=\d)/, '$1')
  return { amount: plain, from, to, origin: legs[0]!.pair.origin, side, decimals, legs }
}

/**
 * Converts the amount, one leg after the other, and rounds once, half away from zero; null when a
 * leg has no value yet. Without requested decimals the result has two decimals: more if two would
 * leave less than two significant digits, fewer if the result would exceed `MAX_DIGITS`. Throws a
 * 400 when the requested decimals exceed `MAX_DIGITS`.
 */
function convert(
  conversion: Conversion,
  values: Values,
): { result: number | null; decimals: number } {
  const { amount, decimals: requested } = conversion
  let decimals = requested ?? DEFAULT_DECIMALS
  const exact = exactly(conversion, values)
  if (!exact) return { result: null, decimals }

  let digits = exact(decimals)
  if (requested === undefined && Number(amount) !== 0) {
    while (digits.length < 2) digits = exact(++decimals)
  }
  while (digits.length > MAX_DIGITS && decimals > 0) digits = exact(--decimals)
  if (digits.length > MAX_DIGITS) throw badRequest(`${TOO_LONG}: probá con un monto menor`)
  if (requested !== undefined && decimals < requested) {
    throw badRequest(`${TOO_LONG}: con ese monto, decimals puede ser hasta ${decimals}`)
  }

  const sign = amount.startsWith('-') ? '-' : ''
  return { result: Number(`${sign}${digits}e-${decimals}`), decimals }
}

/** The digits of the result, rounded to decimals, without sign and point; null without a value. */
function exactly(
  { amount, legs, side }: Conversion,
  values: Values,
): ((decimals: number) => string) | null {
  const [whole = '', fraction = ''] = amount.replace('-', '').split('.')
  let numerator = BigInt(whole + fraction)
  let denominator = 10n ** BigInt(fraction.length)

  for (const [index, { operation }] of legs.entries()) {
    const price = twicePrice(values[index] ?? null, side)
    if (price === null) return null
    const unit = 2n * BigInt(PRICE_SCALE)
    numerator *= operation === 'multiply' ? price : unit
    denominator *= operation === 'multiply' ? unit : price
  }
  return (decimals) =>
    divideHalfAwayFromZero(numerator * 10n ** BigInt(decimals), denominator).toString()
}

/** The answer of a conversion. `requestedAt` is null when the values are the current ones. */
export function printConversion(
  conversion: Conversion,
  values: Values,
  requestedAt: Instant | null,
) {
  const { amount, from, to, origin, side, legs } = conversion
  const { decimals, result } = convert(conversion, values)
  const printed = legs.map(({ pair, operation }, index) => {
    const value = values[index] ?? null
    return {
      currency: pair.currency,
      origin: pair.origin,
      name: pair.name,
      operation,
      buy: value && priceToNumber(value.buy),
      sell: value && priceToNumber(value.sell),
      price: priceOf(value, side),
      quotedAt: value && formatArgentine(value.at),
    }
  })
  const factors = printed.map((leg) => `${leg.operation === 'multiply' ? '*' : '/'} ${leg.price}`)
  return {
    requestedAt: requestedAt === null ? null : formatArgentine(requestedAt),
    amount: Number(amount),
    from,
    to,
    origin,
    side,
    decimals,
    result,
    rounding: 'half_away_from_zero',
    // The calculation, for readers to check: `100 * 1430`.
    expression: result === null ? null : [amount, ...factors].join(' '),
    legs: printed,
  }
}

/** The price that a side names; `mid` is the mean of both. Null without a value. */
function priceOf(value: QuotedPoint | null, side: Conversion['side']): number | null {
  const price = twicePrice(value, side)
  return price === null ? null : priceToNumber(Number(price)) / 2
}

/**
 * Twice the price, so that the mean of two prices is an integer. A price of zero counts as missing.
 */
function twicePrice(value: QuotedPoint | null, side: Conversion['side']): bigint | null {
  if (!value || value.buy <= 0 || value.sell <= 0) return null
  if (side === 'mid') return BigInt(value.buy + value.sell)
  return 2n * BigInt(value[side])
}
