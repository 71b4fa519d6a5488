import {
  type Day,
  dayEnd,
  addDays,
  argentineDay,
  type Instant,
} from '../../../shared/argentine-time.ts'
import { namedBatch, type Statement } from '../../../shared/db/named-batch.ts'
import type { Candle } from '../../../shared/db/quotes/points.ts'
import type { Pair } from '../../../shared/market/catalog.ts'
import type { QuotedPoint } from '../../../shared/market/price.ts'
import { AVAILABILITY_DAYS, type DayAvailability } from '../../../shared/board/availability.ts'

/** The data of one closed day of a pair. */
export interface PastDay {
  /** The value in effect at the end of the day; null before the first value. */
  point: QuotedPoint | null
  /** The day's own candle; null on a day without a change. */
  candle: Candle | null
  /** The last day with a change before this day, and the first such day after, perhaps today. */
  before: Candle | null
  after: Candle | null
}

/** Reads a day and its neighbours in one round trip. */
export async function readDay(db: D1Database, pair: Pick<Pair, 'id'>, day: Day): Promise<PastDay> {
  const { points, candles } = await namedBatch(db, {
    points: lastPoint(db, pair, day),
    candles: candlesAround(db, pair, day),
  })
  return {
    point: points.results[0] ?? null,
    candle: candles.results.find((candle) => candle.day === day) ?? null,
    before: candles.results.find((candle) => candle.day < day) ?? null,
    after: candles.results.find((candle) => candle.day > day) ?? null,
  }
}

function lastPoint(db: D1Database, pair: Pick<Pair, 'id'>, day: Day): Statement<QuotedPoint> {
  return db
    .prepare(
      'select at, buy, sell from points where pair = ?1 and at <= ?2 order by at desc limit 1',
    )
    .bind(pair.id, dayEnd(day))
}

function candlesAround(db: D1Database, pair: Pick<Pair, 'id'>, day: Day): Statement<Candle> {
  return db
    .prepare(
      `select day, open, high, low, close, buy from daily_candles where pair = ?1 and day in (?2,
         (select max(day) from daily_candles where pair = ?1 and day < ?2),
         (select min(day) from daily_candles where pair = ?1 and day > ?2))`,
    )
    .bind(pair.id, day)
}

/** The availability of the last 90 days up to today, oldest first, without days that lack a row. */
export async function readAvailability(db: D1Database, now: Instant): Promise<DayAvailability[]> {
  const first = addDays(argentineDay(now), 1 - AVAILABILITY_DAYS)
  const { results } = await db
    .prepare('select day, ok, degraded, down from availability where day >= ?1 order by day')
    .bind(first)
    .all<DayAvailability>()
  return results
}
