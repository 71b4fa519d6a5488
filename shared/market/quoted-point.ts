import type { Instant } from '../argentine-time.ts'
import type { Price } from './price.ts'

/** A value of a pair and the instant from which it is in effect. */
export interface QuotedPoint {
  at: Instant
  buy: Price
  sell: Price
}
