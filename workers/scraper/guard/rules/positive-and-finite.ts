import { numberToPrice } from '../../../../shared/market/price.ts'
import type { Level } from '../observe/levels.ts'

/** No pair is near it, and what memory derives from a price below it is a safe integer. */
const NO_PRICE = numberToPrice(1_000_000_000)

/**
 * The one rule that nothing overrides: zeros, negatives, broken numbers and thousands of millions are
 * no quote at all.
 * They are not even held (a table could not keep them): the source counts as failed.
 */
export function isPositiveAndFinite({ buy, sell }: Level): boolean {
  return [buy, sell].every((price) => Number.isSafeInteger(price) && price > 0 && price < NO_PRICE)
}
