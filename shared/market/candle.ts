import { addDays, type Day } from '../argentine-time.ts'
import type { Price } from './price.ts'

/** A day of a pair: `sell` from its start to its end, and the last `buy`. */
export interface Candle {
  day: Day
  open: Price
  high: Price
  low: Price
  close: Price
  buy: Price
}

/**
 * A candle for each of the `limit` days up to `last`, newest first. `changed` has the days with a
 * change, newest first, and the last one before the range. Other days carry the close forward. Days
 * before the first value or before `from` are left out.
 */
export function fillDays(
  changed: readonly Candle[],
  { last, limit, from }: { last: Day; limit: number; from: Day | null },
): Candle[] {
  const days: Candle[] = []
  let next = 0

  for (let day = last; days.length < limit; day = addDays(day, -1)) {
    while (changed[next] && changed[next]!.day > day) next++
    const candle = changed[next]
    if (!candle || (from !== null && day < from)) break

    days.push(candle.day === day ? candle : carriedTo(day, candle))
  }
  return days
}

function carriedTo(day: Day, { close, buy }: Candle): Candle {
  return { day, open: close, high: close, low: close, close, buy }
}
