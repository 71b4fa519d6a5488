import type { Day } from '../../argentine-time.ts'
import type { Price } from '../../market/price.ts'

/** A day of a pair: `sell` from its start to its end, and the last `buy`. */
export interface Candle {
  day: Day
  open: Price
  high: Price
  low: Price
  close: Price
  buy: Price
}
