import { Big } from 'big.js'
import type { Pair } from '../../../shared/market/catalog.ts'
import { type Price, PRICE_SCALE } from '../../../shared/market/price.ts'

/**
 * No price of the catalogue comes near it. A larger number is a typing error or has another unit.
 */
const MOST = 1_000_000_000

/** A price of a file, or in one word what is wrong with it. */
export type ReadPrice = { price: Price } | { wrong: 'no value' | 'zero' | 'nonsense price' }

/** The exact price of a decimal in a file, divided by `unit` and rounded to the pair's decimals. */
export function readPrice(value: unknown, pair: Pair, unit: number): ReadPrice {
  if (value === null || value === undefined || value === '') return { wrong: 'no value' }

  const text = String(value).trim()
  if (!/^\d+(\.\d+)?(e[+-]?\d{1,3})?$/i.test(text)) return { wrong: 'nonsense price' }

  const decimal = new Big(text)
  if (decimal.eq(0)) return { wrong: 'zero' }
  if (decimal.gt(MOST)) return { wrong: 'nonsense price' }

  const price = decimal.div(unit).round(pair.decimals, Big.roundHalfUp).times(PRICE_SCALE)
  return price.eq(0) ? { wrong: 'zero' } : { price: price.toNumber() }
}
