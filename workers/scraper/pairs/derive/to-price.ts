import { Big } from 'big.js'
import { type Price, PRICE_SCALE } from '../../../../shared/market/price.ts'

/**
 * The price of an exact decimal, cut to a pair's decimals half away from zero (decision 57:
 * decimals of prices).
 */
export function toPrice(value: Big, decimals: 0 | 2 | 4): Price {
  return value.round(decimals, Big.roundHalfUp).times(PRICE_SCALE).toNumber()
}
