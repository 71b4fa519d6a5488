/** A plain search over all points, to check values computed from days and candles. */
import { type Day, dayEnd, dayStart, type Instant } from '../../shared/argentine-time.ts'

/** Ordered by time. */
export interface ModelPoint {
  at: Instant
  buy: number
  sell: number
}

export function inEffect<Point extends ModelPoint>(
  points: readonly Point[],
  instant: Instant,
): Point | undefined {
  return points.findLast(({ at }) => at <= instant)
}

/**
 * The candle of a range of days, of one side: all values in effect at some time in it; null before
 * the first value.
 */
export function candleOf(
  points: readonly ModelPoint[],
  side: 'buy' | 'sell',
  first: Day,
  last: Day = first,
) {
  const opening = inEffect(points, dayStart(first))
  const changes = points.filter(({ at }) => at >= dayStart(first) && at <= dayEnd(last))
  const prices = [...(opening ? [opening] : []), ...changes].map((point) => point[side])
  if (prices.length === 0) return null
  return {
    open: prices[0]!,
    high: Math.max(...prices),
    low: Math.min(...prices),
    close: prices.at(-1)!,
  }
}
