import { type Day, dayEnd, dayStart } from '../../argentine-time.ts'
import type { Pair } from '../../market/catalog.ts'
import { redrawStatement } from './charts.ts'

/** The Argentine day of an instant `x`, and the first instant of a day `x`, as SQL has them. */
const dayOf = (x: string) => `date((${x} - 10800000) / 1000, 'unixepoch')`
const startOf = (x: string) => `(unixepoch(${x}) * 1000 + 10800000)`

/**
 * Rebuilds a pair's candles from its points, `fromDay` to `toDay` inclusive, and the next candle
 * after them, whose open is their last close. Run it after any change of points other than a new
 * latest one. Idempotent; days since 1970.
 */
export async function rebuildCandles(
  db: D1Database,
  pair: Pick<Pair, 'id'>,
  fromDay: Day,
  toDay: Day,
): Promise<void> {
  await db.batch(candleStatements(db, pair, fromDay, toDay))
}

/** The same as statements, for the batch that changes the points. */
export function candleStatements(
  db: D1Database,
  pair: Pick<Pair, 'id'>,
  fromDay: Day,
  toDay: Day,
): D1PreparedStatement[] {
  return [
    db.prepare(DELETE_CANDLES).bind(pair.id, fromDay, toDay, dayEnd(toDay)),
    db.prepare(INSERT_CANDLES).bind(pair.id, dayStart(fromDay), dayEnd(toDay)),
    redrawStatement(db, pair),
  ]
}

/** From the first day asked for to the day of the first point after the last. */
const DELETE_CANDLES = `
  delete from daily_candles where pair = ?1 and day >= ?2 and day <= coalesce(
    (select ${dayOf('min(at)')} from points where pair = ?1 and at > ?4), ?3)`

/**
 * `open` is the value in effect at the start of the day, on the first day the first value; `high`
 * and `low` include it. Every value is one seek of the points' key.
 */
const INSERT_CANDLES = `
  insert into daily_candles (pair, day, open, high, low, close, buy)
  with changes as (
    select ${dayOf('at')} as day, at, sell from points
    where pair = ?1 and at >= ?2 and at < coalesce(
      (select ${startOf(dayOf('min(at)'))} + 86400000 from points where pair = ?1 and at > ?3),
      ?3 + 1)
  ), days as (
    select day, min(at) as first_at, max(at) as last_at, max(sell) as high, min(sell) as low
    from changes group by day
  ), opened as (
    select *, coalesce(
      (select sell from points where pair = ?1 and at <= ${startOf('day')}
        order by at desc limit 1),
      (select sell from points where pair = ?1 and at = first_at)) as open
    from days
  )
  select ?1, day, open, max(high, open), min(low, open), last.sell, last.buy
  from opened join points as last on last.pair = ?1 and last.at = last_at
  where true
  on conflict (pair, day) do nothing`
