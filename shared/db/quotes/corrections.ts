/**
 * Corrections of history by hand. Each is one batch whose every statement carries the condition,
 * so that it happens whole or not at all, with a row in `corrections` that says what was there.
 */
import { argentineDay, type Instant } from '../../argentine-time.ts'
import type { Pair } from '../../market/catalog.ts'
import type { Price } from '../../market/price.ts'
import { candleStatements } from './candles.ts'
import { referenceStatement } from './reference-sell.ts'

/** The source of a point that was corrected; no import changes it any more. */
export const CORRECTION = 'correction'

interface Correction {
  pair: Pair
  /** The exact instant of the point. */
  at: Instant
  reason: string
  now: Instant
}

/** Gives a point another value. False when there is no such point, or it has that value already. */
export async function replacePoint(
  db: D1Database,
  { pair, at, reason, now, buy, sell }: Correction & { buy: Price; sell: Price },
): Promise<boolean> {
  const [audit] = await db.batch([
    db
      .prepare(
        `INSERT INTO corrections (made_at, action, pair, point_at, old_buy, old_sell, new_buy,
           new_sell, reason)
         SELECT ?1, 'replace', pair, at, buy, sell, ?4, ?5, ?6 FROM points
         WHERE pair = ?2 AND at = ?3 AND (buy <> ?4 OR sell <> ?5)
         RETURNING id`,
      )
      .bind(now, pair.id, at, buy, sell, reason),
    db
      .prepare(
        `UPDATE points SET buy = ?3, sell = ?4, source = '${CORRECTION}'
         WHERE pair = ?1 AND at = ?2 AND (buy <> ?3 OR sell <> ?4)`,
      )
      .bind(pair.id, at, buy, sell),
    ...followers(db, pair, at),
  ])
  return audit!.results.length > 0
}

/** Takes a point away, so that the value before it stays in effect. False when there is none. */
export async function removePoint(
  db: D1Database,
  { pair, at, reason, now }: Correction,
): Promise<boolean> {
  const [audit] = await db.batch([
    db
      .prepare(
        `INSERT INTO corrections (made_at, action, pair, point_at, old_buy, old_sell, reason)
         SELECT ?1, 'remove', pair, at, buy, sell, ?4 FROM points WHERE pair = ?2 AND at = ?3
         RETURNING id`,
      )
      .bind(now, pair.id, at, reason),
    db.prepare('DELETE FROM points WHERE pair = ?1 AND at = ?2').bind(pair.id, at),
    ...followers(db, pair, at),
  ])
  return audit!.results.length > 0
}

/** What is made from points, made again: the current quote, its reference, the day's candles. */
function followers(db: D1Database, pair: Pair, at: Instant): D1PreparedStatement[] {
  const day = argentineDay(at)
  return [
    db.prepare(CURRENT_FOLLOWS).bind(pair.id, at),
    db.prepare(CURRENT_GOES).bind(pair.id, at),
    referenceStatement(db, pair),
    ...candleStatements(db, pair, day, day),
  ]
}

/**
 * A current quote that was made from the corrected point becomes what the points now say last at
 * or before it. A cycle that has recorded a newer value meanwhile is left alone.
 */
const CURRENT_FOLLOWS = `
  UPDATE current_quotes
  SET (buy, sell, source, updated_at) = (
    SELECT buy, sell, source, at FROM points
    WHERE pair = ?1 AND at <= ?2 ORDER BY at DESC LIMIT 1)
  WHERE pair = ?1 AND updated_at = ?2
    AND EXISTS (SELECT 1 FROM points WHERE pair = ?1 AND at <= ?2)`

/** Without any value left, the pair was never quoted. */
const CURRENT_GOES = `
  DELETE FROM current_quotes WHERE pair = ?1 AND updated_at = ?2
    AND NOT EXISTS (SELECT 1 FROM points WHERE pair = ?1 AND at <= ?2)`
