/**
 * Manual corrections of history. Each correction is one batch. The table `corrections` keeps the
 * old values.
 */
import type { Instant } from '../../../shared/argentine-time.ts'
import { candleStatements, raiseHistoryStatement } from './candles.ts'
import { namedBatch } from '../../../shared/db/named-batch.ts'
import type { Pair } from '../../../shared/market/catalog.ts'
import type { Price } from '../../../shared/market/price.ts'

interface Correction {
  pair: Pair
  /** The exact instant of the point. */
  at: Instant
  /** The new value. When absent, the point is removed, and the previous value stays in effect. */
  value?: { buy: Price; sell: Price }
  reason: string
  now: Instant
}

/** Corrects a point. Returns false when the point does not exist or already has this value. */
export async function correctPoint(
  db: D1Database,
  { pair, at, value, reason, now }: Correction,
): Promise<boolean> {
  const ofPoint = (sql: string, ...values: (string | number | null)[]) =>
    db.prepare(sql).bind(pair.id, at, ...values)
  const [buy, sell] = [value?.buy ?? null, value?.sell ?? null]
  const { cleared, made } = candleStatements(db, pair, at, at)

  const { noted } = await namedBatch(db, {
    noted: ofPoint(NOTE, now, reason, buy, sell),
    corrected: value ? ofPoint(REPLACE, buy, sell) : ofPoint(REMOVE),
    // Deletes the candles up to the day of the next point, so it must run before its removal.
    cleared,
    notedRepeats: ofPoint(NOTE_REPEATS, now, reason),
    removedRepeats: ofPoint(REMOVE_REPEATS),
    made,
    raised: raiseHistoryStatement(db),
    owed: ofPoint(OWE_SYNCS),
    follows: ofPoint(CURRENT_FOLLOWS),
    goes: ofPoint(CURRENT_GOES),
    reference: referenceStatement(db, pair),
  })
  return noted.results.length > 0
}

const NOTE = `
  insert into corrections (made_at, action, pair, point_at, old_buy, old_sell, new_buy, new_sell,
    reason)
  select ?3, iif(?5 is null, 'remove', 'replace'), pair, at, buy, sell, ?5, ?6, ?4 from points
  where pair = ?1 and at = ?2 and (buy, sell) is not (?5, ?6) returning id`

/** Imports do not change a point with the source `correction`. */
const REPLACE = `
  update points set buy = ?3, sell = ?4, source = 'correction'
  where pair = ?1 and at = ?2 and (buy, sell) <> (?3, ?4)`

const REMOVE = `delete from points where pair = ?1 and at = ?2`

/**
 * Records the removal of the corrected point and of the next point, if they now repeat the value
 * before them. The next statement removes these points (decision 12: one point per change).
 */
const NOTE_REPEATS = `
  insert into corrections (made_at, action, pair, point_at, old_buy, old_sell, reason)
  select ?3, 'remove', pair, at, buy, sell, ?4 from points
  where pair = ?1
    and at between ?2 and coalesce((select min(at) from points where pair = ?1 and at > ?2), ?2)
    and (buy, sell) = (select p.buy, p.sell from points p
      where p.pair = ?1 and p.at < points.at order by p.at desc limit 1)`

const REMOVE_REPEATS = `
  delete from points
  where pair = ?1
    and at between ?2 and coalesce((select min(at) from points where pair = ?1 and at > ?2), ?2)
    and (buy, sell) = (select p.buy, p.sell from points p
      where p.pair = ?1 and p.at < points.at order by p.at desc limit 1)`

/**
 * If the current value was wrong, each active webhook of the pair is owed a sync. A later delivery
 * of the wrong value does not replace this sync (decision 80: a corrected value in effect).
 */
const OWE_SYNCS = `
  update subscriptions set sync = 'owed'
  where kind = 'webhook' and pair = ?1 and state = 'active' and exists (
    select 1 from current_quotes q where q.pair = ?1 and q.updated_at >= ?2
      and (q.buy, q.sell) is not (select buy, sell from points
        where pair = ?1 and at <= q.updated_at order by at desc limit 1))`

/**
 * If the point of the current quote was corrected or removed, the quote gets the last point at or
 * before its instant. A newer value that a cycle recorded meanwhile stays.
 */
const CURRENT_FOLLOWS = `
  update current_quotes
  set (buy, sell, source, updated_at) = (
    select buy, sell, source, at from points
    where pair = ?1 and at <= current_quotes.updated_at order by at desc limit 1)
  where pair = ?1 and updated_at >= ?2
    and (updated_at, buy, sell) not in (select at, buy, sell from points where pair = ?1 and at >= ?2)
    and exists (select 1 from points where pair = ?1 and at <= current_quotes.updated_at)`

/** Deletes the current quote of a pair without points. */
const CURRENT_GOES = `
  delete from current_quotes where pair = ?1 and updated_at >= ?2
    and not exists (select 1 from points where pair = ?1 and at <= current_quotes.updated_at)`

/**
 * Sets the reference of a current quote: the last sell before the day of `updated_at` began in
 * Argentina. Batches that change past points need this. No effect without a current quote.
 */
export function referenceStatement(db: D1Database, pair: Pick<Pair, 'id'>): D1PreparedStatement {
  return db
    .prepare(
      `update current_quotes set reference_sell = (
         select sell from points where pair = ?1 and at < updated_at - (updated_at - 10800000) % 86400000
         order by at desc limit 1)
       where pair = ?1`,
    )
    .bind(pair.id)
}
