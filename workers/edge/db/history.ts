import {
  addDays,
  argentineDay,
  type Day,
  dayEnd,
  dayStart,
  type Instant,
} from '../../../shared/argentine-time.ts'
import { type Candle, fillDays } from '../../../shared/market/candle.ts'
import type { Pair } from '../../../shared/market/catalog.ts'
import type { QuotedPoint } from '../../../shared/market/quoted-point.ts'

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

/**
 * The newest days of the range, newest first; today's candle goes up to `now` (decision 13: candles
 * of days).
 */
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

  const [candles, todays] = await db.batch([
    db.prepare(CANDLES).bind(pair.id, first, last),
    db.prepare(TODAYS_POINTS).bind(pair.id, dayStart(today), now, dayEnd(today)),
  ])
  const changed = candles!.results as Candle[]
  const points = todays!.results as (QuotedPoint | NothingYet)[]

  const known = points.length === 0 || last < today ? changed : upToNow(changed, today, points)
  return fillDays(known, { last, limit, from })
}

/** The days with a change, newest first, and the last one before them, whose close is carried. */
const CANDLES = `
  select day, open, high, low, close, buy from daily_candles
  where pair = ?1 and day <= ?3 and day >= coalesce(
    (select max(day) from daily_candles where pair = ?1 and day < ?2), ?2)
  order by day desc`

/**
 * Today's points up to now, but only when there is a point later today (an imported close is at the
 * day's end): the stored candle already includes it. One row of nulls when today has no earlier
 * point.
 */
const TODAYS_POINTS = `
  select at, buy, sell from (select 1 from points where pair = ?1 and at > ?3 and at <= ?4 limit 1)
    left join points on pair = ?1 and at >= ?2 and at <= ?3
  order by at`

interface NothingYet {
  at: null
}

/** Replaces today's stored candle by one of the points given. */
function upToNow(
  changed: readonly Candle[],
  today: Day,
  rows: readonly (QuotedPoint | NothingYet)[],
): Candle[] {
  const before = changed.filter(({ day }) => day !== today)
  const points = rows.filter((row): row is QuotedPoint => row.at !== null)
  const latest = points.at(-1)
  if (!latest) return before

  const sells = points.map(({ sell }) => sell)
  const open = openOf(points, dayStart(today), before[0])
  return [
    {
      day: today,
      open,
      high: Math.max(open, ...sells),
      low: Math.min(open, ...sells),
      close: latest.sell,
      buy: latest.buy,
    },
    ...before,
  ]
}

/** The value in effect at the start of the day; on a pair's first day, its first value. */
function openOf(
  [first]: readonly QuotedPoint[],
  start: Instant,
  before: Candle | undefined,
): number {
  return first!.at === start || !before ? first!.sell : before.close
}
