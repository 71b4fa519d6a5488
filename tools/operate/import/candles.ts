/** Rebuilds daily candles after a change of past points. */
import { argentineDay, dayEnd, dayStart, type Instant } from '../../../shared/argentine-time.ts'
import type { Statement } from '../../../shared/db/named-batch.ts'
import type { Pair } from '../../../shared/market/catalog.ts'

/**
 * Rebuilds a pair's candles from the day of `first` to the day of `last`, and the next candle,
 * whose open is their last close. Every batch that changes points needs this and a statement that
 * raises the revision of history, except if it only adds a new latest point. Idempotent.
 */
export function candleStatements(
  db: D1Database,
  { id }: Pick<Pair, 'id'>,
  first: Instant,
  last: Instant,
) {
  const [from, to] = [argentineDay(first), argentineDay(last)]
  return {
    cleared: db.prepare(DELETE_CANDLES).bind(id, from, to, dayEnd(to)),
    made: db.prepare(INSERT_CANDLES).bind(id, dayStart(from), dayEnd(to)),
  }
}

/** Deletes the candles from the first day to the day of the first point after the last day. */
const DELETE_CANDLES = `
  delete from daily_candles where pair = ?1 and day >= ?2 and day <= coalesce(
    (select date((min(at) - 10800000) / 1000, 'unixepoch') from points where pair = ?1 and at > ?4),
    ?3)`

/**
 * `open` is the value in effect at the start of the day or, on a pair's first day, its first value.
 * `high` and `low` include `open`. Each value costs one seek of the points' key.
 */
const INSERT_CANDLES = `
  insert into daily_candles
    (pair, day, open, high, low, close, buy_open, buy_high, buy_low, buy)
  with changes as (
    select date((at - 10800000) / 1000, 'unixepoch') as day, at, sell, buy from points
    where pair = ?1 and at >= ?2 and at < coalesce(
      (select min(at) - (min(at) - 10800000) % 86400000 + 86400000
        from points where pair = ?1 and at > ?3),
      ?3 + 1)
  ), days as (
    select day, max(at) as last_at, max(sell) as high, min(sell) as low,
      max(buy) as buy_high, min(buy) as buy_low,
      coalesce((select max(at) from points
          where pair = ?1 and at <= unixepoch(day) * 1000 + 10800000),
        min(at)) as open_at
    from changes group by day
  )
  select ?1, day, first.sell, max(high, first.sell), min(low, first.sell), last.sell,
    first.buy, max(buy_high, first.buy), min(buy_low, first.buy), last.buy
  from days
    join points as first on first.pair = ?1 and first.at = open_at
    join points as last on last.pair = ?1 and last.at = last_at
  where true
  on conflict (pair, day) do nothing`

/**
 * Raises the revision of history. Every batch that changes points needs this, except a batch that
 * only adds a new latest point. The number follows the clock in seconds, so that a database
 * restored from a backup never repeats a number.
 */
export function raiseHistoryStatement(db: D1Database): D1PreparedStatement {
  return db.prepare(
    `insert into history_revision (id, revision) values (1, unixepoch() * 1000)
     on conflict (id) do update set revision = max(revision + 1, excluded.revision)`,
  )
}

/**
 * Raises the revision of history if it is still `read`, and returns the new revision. Otherwise
 * sets it to null, so that the column's NOT NULL aborts the batch.
 */
export function raiseHistoryFromStatement(
  db: D1Database,
  read: number,
): Statement<{ revision: number }> {
  return db
    .prepare(
      `update history_revision
       set revision = iif(revision = ?1, max(revision + 1, unixepoch() * 1000), null)
       returning revision`,
    )
    .bind(read)
}
