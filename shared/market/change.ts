import { type Instant, startOfDay } from '../argentine-time.ts'
import { percentChange, type Price, priceToNumber } from './price.ts'

/** The `change` field of a current quote. */
export interface Change {
  amount: number
  percent: number
  referenceValue: number
}

/** The value whose change is computed, and its reference. */
export interface DatedSell {
  sell: Price
  /** When the value took effect. */
  updatedAt: Instant
  /** The last sell before the midnight at which the day of `updatedAt` began; null if none. */
  referenceSell: Price | null
}

/**
 * The change since the last sell before today began in Argentina (decision 5: value before
 * midnight). If the value is from an earlier day, it is itself that sell and the change is 0, even
 * without a cycle after midnight. Null for a pair that had no value before midnight.
 */
export function changeOfDay(quote: DatedSell, now: Instant): Change | null {
  const reference = quote.updatedAt < startOfDay(now) ? quote.sell : quote.referenceSell
  if (reference === null) return null

  return {
    amount: priceToNumber(quote.sell - reference),
    percent: percentChange(quote.sell, reference),
    referenceValue: priceToNumber(reference),
  }
}
