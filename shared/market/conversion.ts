/**
 * Conversions between pesos and the catalogue's currencies, exact: amounts and prices are integers
 * of a fixed scale until the one rounding at the end. Pure.
 */
import { type Instant, formatArgentine } from '../argentine-time.ts'
import { type Result, ok, refuse } from '../result.ts'
import { type Pair, CURRENCIES, findPair } from './catalog.ts'
import { type QuotedPoint, divideHalfAwayFromZero, PRICE_SCALE, priceToNumber } from './price.ts'
import { SAME_CURRENCY } from '../sentences.ts'

/** Pesos, by their code. Prices are pesos per unit, so every conversion goes through them. */
const PESOS = 'ARS'
export const MONEY_CODES: readonly string[] = [
  PESOS,
  ...CURRENCIES.filter((currency) => currency !== 'ARG'),
]
/** The columns of a conversion as CSV. */
export const CONVERSION_FIELDS = [
  'requestedAt',
  'amount',
  'from',
  'to',
  'origin',
  'side',
  'result',
  'decimals',
  'expression',
] as const

export const SIDES = ['sell', 'buy', 'mid'] as const
export const MAX_DECIMALS = 8
export const DEFAULT_DECIMALS = 2
const DEFAULT_ORIGIN = 'OFICIAL'
/** A decimal with this many digits survives as a JSON number. */
const MAX_DIGITS = 15
const TOO_LONG = `El resultado pasa de ${MAX_DIGITS} cifras`
/** An amount, of at most `MAX_DIGITS` digits. */
export const AMOUNT = '^-?\\d{1,11}(\\.\\d{1,4})?$'

/** A multiplication or division by the price of a pair. */
interface Leg {
  pair: Pair
  operation: 'multiply' | 'divide'
}

export interface Conversion {
  /** As it was written, without leading zeros. */
  amount: string
  from: string
  to: string
  origin: string
  side: (typeof SIDES)[number]
  /** Null when the request names none. */
  decimals: number | null
  legs: readonly Leg[]
}

/** As a request names it, with codes in any letter case. */
export interface WantedConversion {
  amount: string
  from: string
  to: string
  origin?: string | undefined
  side: Conversion['side']
  decimals?: number | undefined
}

/** `unknown_pair`: a currency has no such origin. */
export interface ConversionRefusal {
  kind: 'invalid' | 'unknown_pair'
  text: string
}

/** The conversion that is wanted, or a refusal. */
export function conversionOf(wanted: WantedConversion): Result<Conversion, ConversionRefusal> {
  const { amount, side, origin: requestedOrigin = DEFAULT_ORIGIN, decimals = null } = wanted
  const [from, to] = [wanted.from.toUpperCase(), wanted.to.toUpperCase()]
  if (from === to) return refuse({ kind: 'invalid', text: SAME_CURRENCY })

  const legs: Leg[] = []
  for (const [code, operation] of [[from, 'multiply'] as const, [to, 'divide'] as const]) {
    if (code === PESOS) continue
    const pair = findPair(code, requestedOrigin)
    if (!pair) return refuse({ kind: 'unknown_pair', text: `${code} no tiene ese origen` })
    legs.push({ pair, operation })
  }
  const plain = amount.replace(/^(-?)0+(?=\d)/, '$1')
  const { origin } = legs[0]!.pair
  return ok({ amount: plain, from, to, origin, side, decimals, legs })
}

export interface Converted {
  /** A decimal; null when a leg has no value yet. */
  result: string | null
  decimals: number
}

/**
 * The amount converted at these values, in the order of the legs, rounded once, half away from
 * zero. Unless the request names decimals, it has two, more where those would leave less than two
 * significant digits, and fewer where they exceed the 15 digits that survive as a JSON number.
 * Refused when the requested decimals exceed them.
 */
export function convert(
  conversion: Conversion,
  quotes: readonly (QuotedPoint | null)[],
): Result<Converted, string> {
  const { amount, decimals: requested } = conversion
  const wanted = requested ?? DEFAULT_DECIMALS
  const exact = exactly(conversion, quotes)
  if (!exact) return ok({ result: null, decimals: wanted })

  let decimals = wanted
  let digits = exact(decimals)
  if (requested === null && Number(amount) !== 0) {
    while (digits.length < 2) digits = exact(++decimals)
  }
  while (digits.length > MAX_DIGITS && decimals > 0) digits = exact(--decimals)
  if (digits.length > MAX_DIGITS) return refuse(`${TOO_LONG}: probá con un monto menor`)
  if (requested !== null && decimals < requested) {
    return refuse(`${TOO_LONG}: con ese monto, decimals puede ser hasta ${decimals}`)
  }

  const sign = amount.startsWith('-') && digits !== '0' ? '-' : ''
  return ok({ result: sign + withPoint(digits, decimals), decimals })
}

/**
 * Computes the digits of the result, rounded to decimals, without sign and point; null without a
 * value.
 */
function exactly(
  { amount, legs, side }: Conversion,
  quotes: readonly (QuotedPoint | null)[],
): ((decimals: number) => string) | null {
  const [whole = '', fraction = ''] = amount.replace('-', '').split('.')
  let numerator = BigInt(whole + fraction)
  let denominator = 10n ** BigInt(fraction.length)

  for (const [index, { operation }] of legs.entries()) {
    const price = twicePrice(quotes[index] ?? null, side)
    if (price === null) return null
    const unit = 2n * BigInt(PRICE_SCALE)
    numerator *= operation === 'multiply' ? price : unit
    denominator *= operation === 'multiply' ? unit : price
  }
  return (decimals) =>
    divideHalfAwayFromZero(numerator * 10n ** BigInt(decimals), denominator).toString()
}

/** The conversion as it is printed, with what explains it; `requestedAt` is null for now. */
export function printConversion(
  conversion: Conversion,
  quotes: readonly (QuotedPoint | null)[],
  requestedAt: Instant | null,
) {
  const { amount, legs, ...rest } = conversion
  const converted = convert(conversion, quotes)
  if (!converted.ok) return converted

  const { decimals, result } = converted.value
  return ok({
    requestedAt: requestedAt === null ? null : formatArgentine(requestedAt),
    amount: Number(amount),
    ...rest,
    decimals,
    result: result === null ? null : Number(result),
    rounding: 'half_away_from_zero',
    expression: expressionOf(conversion, quotes),
    legs: legs.map(({ pair, operation }, index) => {
      const quote = quotes[index] ?? null
      return {
        currency: pair.currency,
        origin: pair.origin,
        name: pair.name,
        operation,
        buy: quote && priceToNumber(quote.buy),
        sell: quote && priceToNumber(quote.sell),
        price: priceOf(quote, conversion.side),
        quotedAt: quote && formatArgentine(quote.at),
      }
    }),
  })
}

/** The price that a side names; `mid` is the mean of both. Null without a value. */
function priceOf(quote: QuotedPoint | null, side: Conversion['side']): number | null {
  const price = twicePrice(quote, side)
  return price === null ? null : priceToNumber(Number(price)) / 2
}

/** `100 * 1430`: the conversion as a reader would check it; null without a value. */
function expressionOf(
  { amount, legs, side }: Conversion,
  quotes: readonly (QuotedPoint | null)[],
): string | null {
  const factors = legs.map(({ operation }, index) => {
    const price = priceOf(quotes[index] ?? null, side)
    return price === null ? null : `${operation === 'multiply' ? '*' : '/'} ${price}`
  })
  return factors.includes(null) ? null : [amount, ...factors].join(' ')
}

/**
 * Twice the price, so that the mean of two prices is an integer. A price of zero counts as missing.
 */
function twicePrice(quote: QuotedPoint | null, side: Conversion['side']): bigint | null {
  if (!quote || quote.buy <= 0 || quote.sell <= 0) return null
  if (side === 'mid') return BigInt(quote.buy + quote.sell)
  return 2n * BigInt(quote[side])
}

function withPoint(digits: string, decimals: number): string {
  if (decimals === 0) return digits
  const padded = digits.padStart(decimals + 1, '0')
  return `${padded.slice(0, -decimals)}.${padded.slice(-decimals)}`
}
