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
  /** The last sell before the Argentine midnight of the day of `updatedAt`; null if none was. */
  referenceSell: Price | null
}

/**
 * The change since the last sell in effect before today's Argentine midnight (decision 5: value
 * before midnight). Past midnight the value itself is that sell, so the day turns without a scrape;
 * null for a pair that had no value before midnight.
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
