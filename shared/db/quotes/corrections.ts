/**
 * Manual corrections of history. Each is one batch in which every statement carries the condition,
 * so it is all or nothing. A row in `corrections` keeps each old value.
 */
import { argentineDay, type Instant } from '../../argentine-time.ts'
import type { Pair } from '../../market/catalog.ts'
import type { Price } from '../../market/price.ts'
import { candleStatements } from './candles.ts'
import { referenceStatement } from './reference-sell.ts'

/** The source of a corrected point. Imports leave such points as they are. */
export const CORRECTION = 'correction'

interface Correction {
  pair: Pair
  /** The exact instant of the point. */
  at: Instant
  reason: string
  now: Instant
}

/**
 * Replaces the value of a point. False when there is no such point or it already has that value.
 */
export async function replacePoint(
  db: D1Database,
  { pair, at, reason, now, buy, sell }: Correction & { buy: Price; sell: Price },
): Promise<boolean> {
  const [audit] = await db.batch([
    db
      .prepare(
        `insert into corrections (made_at, action, pair, point_at, old_buy, old_sell, new_buy,
           new_sell, reason)
         select ?1, 'replace', pair, at, buy, sell, ?4, ?5, ?6 from points
         where pair = ?2 and at = ?3 and (buy <> ?4 or sell <> ?5)
         returning id`,
      )
      .bind(now, pair.id, at, buy, sell, reason),
    db
      .prepare(
        `update points set buy = ?3, sell = ?4, source = '${CORRECTION}'
         where pair = ?1 and at = ?2 and (buy <> ?3 or sell <> ?4)`,
      )
      .bind(pair.id, at, buy, sell),
    ...followers(db, { pair, at, reason, now }),
  ])
  return audit!.results.length > 0
}

/** Removes a point, so that the value before it stays in effect. False when there is none. */
export async function removePoint(
  db: D1Database,
  { pair, at, reason, now }: Correction,
): Promise<boolean> {
  const [audit] = await db.batch([
    db
      .prepare(
        `insert into corrections (made_at, action, pair, point_at, old_buy, old_sell, reason)
         select ?1, 'remove', pair, at, buy, sell, ?4 from points where pair = ?2 and at = ?3
         returning id`,
      )
      .bind(now, pair.id, at, reason),
    db.prepare('delete from points where pair = ?1 and at = ?2').bind(pair.id, at),
    ...followers(db, { pair, at, reason, now }),
  ])
  return audit!.results.length > 0
}

/**
 * Removes points that now repeat the previous value (decision 12: one point per change). Then
 * derives again what depends on points: the day's candles, the current quote and its reference.
 */
function followers(db: D1Database, { pair, at, reason, now }: Correction): D1PreparedStatement[] {
  const day = argentineDay(at)
  // The candles up to the day of the next point are deleted while that point still exists.
  const [clear, ...rebuild] = candleStatements(db, pair, day, day)
  return [
    clear!,
    db
      .prepare(
        `insert into corrections (made_at, action, pair, point_at, old_buy, old_sell, reason)
         select ?3, 'remove', pair, at, buy, sell, ?4 from points where ${REPEATS}`,
      )
      .bind(pair.id, at, now, reason),
    db.prepare(`delete from points where ${REPEATS}`).bind(pair.id, at),
    ...rebuild,
    db.prepare(CURRENT_FOLLOWS).bind(pair.id, at),
    db.prepare(CURRENT_GOES).bind(pair.id, at),
    referenceStatement(db, pair),
  ]
}

/** The corrected point and the one after it, where they repeat the previous value. */
const REPEATS = `pair = ?1
  and at between ?2 and coalesce((select min(at) from points where pair = ?1 and at > ?2), ?2)
  and (buy, sell) = (select p.buy, p.sell from points p
    where p.pair = ?1 and p.at < points.at order by p.at desc limit 1)`

/**
 * A current quote whose point was corrected or removed takes the last point at or before it. A
 * newer value that a cycle recorded meanwhile stays.
 */
const CURRENT_FOLLOWS = `
  update current_quotes
  set (buy, sell, source, updated_at) = (
    select buy, sell, source, at from points
    where pair = ?1 and at <= current_quotes.updated_at order by at desc limit 1)
  where pair = ?1 and updated_at >= ?2
    and (updated_at, buy, sell) not in (select at, buy, sell from points where pair = ?1 and at >= ?2)
    and exists (select 1 from points where pair = ?1 and at <= current_quotes.updated_at)`

/** A pair without any point left has no current quote. */
const CURRENT_GOES = `
  delete from current_quotes where pair = ?1 and updated_at >= ?2
    and not exists (select 1 from points where pair = ?1 and at <= current_quotes.updated_at)`
