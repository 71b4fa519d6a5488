import {
  addDays,
  argentineDay,
  type Day,
  dayEnd,
  dayStart,
  type Instant,
} from '../../argentine-time.ts'
import { type Candle, fillDays } from '../../market/candle.ts'
import type { Pair } from '../../market/catalog.ts'
import type { QuotedPoint } from './points.ts'

/** Argentine days, inclusive; null for no bound. */
export interface HistoryRange {
  from: Day | null
  to: Day | null
  limit: number
}

/** The newest changes of value in the range, newest first; none that lies after `now`. */
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
      `SELECT at, buy, sell FROM points
       WHERE pair = ?1 AND at >= ?2 AND at <= ?3 ORDER BY at DESC LIMIT ?4`,
    )
    .bind(pair.id, first, last, limit)
    .all<QuotedPoint>()
  return results
}

/** The newest days of the range, newest first; today's candle goes up to `now` (decision 13). */
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

/** The days with a change, newest first, and the last one before them: its close is carried. */
const CANDLES = `
  SELECT day, open, high, low, close, buy FROM daily_candles
  WHERE pair = ?1 AND day <= ?3 AND day >= coalesce(
    (SELECT max(day) FROM daily_candles WHERE pair = ?1 AND day < ?2), ?2)
  ORDER BY day DESC`

/**
 * Today's points up to now, but only when one lies later today (an imported close stands at the
 * day's end): then the stored candle knows of it already. One row without a value when it is the
 * only one of today.
 */
const TODAYS_POINTS = `
  SELECT at, buy, sell FROM (SELECT 1 FROM points WHERE pair = ?1 AND at > ?3 AND at <= ?4 LIMIT 1)
    LEFT JOIN points ON pair = ?1 AND at >= ?2 AND at <= ?3
  ORDER BY at`

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
