/** What a plain search over all points says, for tests of what is computed from days and candles. */
import { type Day, dayEnd, dayStart, type Instant } from '../../shared/argentine-time.ts'

/** Points are in order of time. */
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
 * The candle of the days from one to another, of one side: all values in effect at some time of
 * them; null before the first.
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
