import {
  addDays,
  argentineDay,
  type Day,
  dayEnd,
  dayStart,
  type Instant,
} from '../../../shared/argentine-time.ts'
import type { Candle } from '../../../shared/db/quotes/points.ts'
import type { Pair } from '../../../shared/market/catalog.ts'
import type { QuotedPoint } from '../../../shared/market/price.ts'

/** Argentine days, inclusive; null for no bound. */
export interface HistoryRange {
  from: Day | null
  to: Day | null
  limit: number
}

/** The newest changes of value in the range, newest first, none after `now`. */
export async function readPoints(
  db: D1Database,
  pair: Pair,
  { from, to, limit }: HistoryRange,
  now: Instant,
): Promise<QuotedPoint[]> {
  const first = from === null ? 0 : dayStart(from)
  const last = to === null ? now : Math.min(dayEnd(to), now)

  const { results } = await db
    .prepare(
      `select at, buy, sell from points
       where pair = ?1 and at >= ?2 and at <= ?3 order by at desc limit ?4`,
    )
    .bind(pair.id, first, last, limit)
    .all<QuotedPoint>()
  return results
}

/** The newest days of the range, newest first (decision 13: candles of days). */
export async function readCandles(
  db: D1Database,
  pair: Pair,
  { from, to, limit }: HistoryRange,
  now: Instant,
): Promise<Candle[]> {
  const today = argentineDay(now)
  const last = to === null || to > today ? today : to
  const window = addDays(last, 1 - limit)
  const first = from !== null && from > window ? from : window

  const { results } = await db.prepare(CANDLES).bind(pair.id, first, last).all<Candle>()
  return fillDays(results, { last, limit, from })
}

/**
 * The days with a change, newest first, and the last such day before the range: its close is
 * carried into the range.
 */
const CANDLES = `
  select day, open, high, low, close, buy from daily_candles
  where pair = ?1 and day <= ?3 and day >= coalesce(
    (select max(day) from daily_candles where pair = ?1 and day < ?2), ?2)
  order by day desc`

/**
 * A candle for each of the `limit` days up to `last`, newest first. Days without a change carry the
 * close forward. Days before the first value or before `from` are left out.
 */
function fillDays(
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
