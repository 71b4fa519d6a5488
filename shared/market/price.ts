/**
 * Prices are integers of ten-thousandths (four decimals, the most that a pair keeps): exact in
 * storage, in SQL and in comparisons. They become decimal numbers only when they are printed.
 */
import type { Instant } from '../argentine-time.ts'

/** A price in ten-thousandths of a peso, of a point or of a coefficient. */
export type Price = number

export const PRICE_SCALE = 10_000

/** The decimal number to print: one division of an integer gives the nearest double. */
export function priceToNumber(price: Price): number {
  return price / PRICE_SCALE
}

/**
 * The price of a number with at most four decimals, from `priceToNumber` or typed by a user.
 */
export function numberToPrice(value: number): Price {
  return Math.round(value * PRICE_SCALE)
}

/** Rounds a price to a pair's decimals, half away from zero (decision 57: decimals of prices). */
export function roundPrice(price: Price, decimals: 0 | 2 | 4): Price {
  const step = 10 ** (4 - decimals)
  return Math.sign(price) * Math.floor((Math.abs(price) + step / 2) / step) * step
}

/**
 * The change from `reference` to `price` in percent, rounded half away from zero to two decimals;
 * 0 when the reference is 0 (decision 2: exact decimals, no floats).
 */
export function percentChange(price: Price, reference: Price): number {
  if (reference === 0) return 0

  const hundredths = divideHalfAwayFromZero(
    BigInt(price - reference) * 10_000n,
    BigInt(Math.abs(reference)),
  )
  return Number(hundredths) / 100
}

/** Integer division of `numerator` by a positive `denominator`, halves away from zero. */
export function divideHalfAwayFromZero(numerator: bigint, denominator: bigint): bigint {
  const magnitude = numerator < 0n ? -numerator : numerator
  const quotient = (2n * magnitude + denominator) / (2n * denominator)
  return numerator < 0n ? -quotient : quotient
}

/** A value of a pair and the instant from which it is in effect. */
export interface QuotedPoint {
  at: Instant
  buy: Price
  sell: Price
}
