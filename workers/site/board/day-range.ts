import { type Instant, MINUTE_MS, startOfDay } from '../../../shared/argentine-time.ts'
import type { RecentPoint } from '../../../shared/board/charts.ts'
import { numberToPrice, type Price } from '../../../shared/market/price.ts'
import type { QuoteView } from './quote-view.ts'

export interface DayRange {
  low: Price
  high: Price
}

/**
 * The lowest and highest of today's sells, including the value at midnight, as in a candle; null on
 * a day without a change.
 */
export function dayRange(
  { sell, change }: Pick<QuoteView, 'sell' | 'change'>,
  recent: readonly RecentPoint[],
  now: Instant,
): DayRange | null {
  const midnight = startOfDay(now) / MINUTE_MS
  const today = recent.filter(([minute]) => minute >= midnight).map(([, price]) => price)
  const sells = [...today, sell, ...(change ? [numberToPrice(change.referenceValue)] : [])]
  const range = { low: Math.min(...sells), high: Math.max(...sells) }
  return range.low === range.high ? null : range
}
