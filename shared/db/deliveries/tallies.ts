/**
 * How many deliveries ended in each five minutes. The row of `open_deliveries` counts those of the current
 * five minutes, so that an end writes one row for its capacity and its count. The trigger
 * `open_deliveries_tallied` (shared/db/schema/triggers.sql) moves them to `delivery_tallies` when others begin.
 */
import type { Instant } from '../../argentine-time.ts'

/** The period of one tally. */
export const TALLY_MS = 5 * 60 * 1000

/** SQL of a table of all tallies, `at`, `delivered` and `dead`; the last `at` may be there twice. */
export const TALLIES = `(select at, delivered, dead from delivery_tallies
  union all select tally_at, delivered, dead from open_deliveries where id = 1)`

/** The start of the five minutes that an instant falls into. */
export function tallyStart(at: Instant): Instant {
  return at - (at % TALLY_MS)
}

/** Counts the rows that the previous statement delivered, and releases their capacity. */
export function tallyDelivered(db: D1Database, now: Instant): D1PreparedStatement {
  return tally(db, 'changes(), 0', now)
}

/**
 * Counts the rows that the previous statement ended as dead, and releases their capacity. It
 * changes one row when there were any, so the next statement can ask `changes()` again.
 */
export function tallyDead(db: D1Database, now: Instant): D1PreparedStatement {
  return tally(db, '0, changes()', now)
}

/** What a column counts is of its five minutes, so others begin at 0. */
const counted = (column: string) =>
  `${column} = iif(tally_at = excluded.tally_at, ${column}, 0) + excluded.${column}`

function tally(db: D1Database, counts: string, now: Instant): D1PreparedStatement {
  return db
    .prepare(
      `insert into open_deliveries (id, outstanding, tally_at, delivered, dead)
       select 1, 0, ?1, ${counts} where changes() > 0
       on conflict (id) do update set
         outstanding = max(0, outstanding - excluded.delivered - excluded.dead),
         ${counted('delivered')}, ${counted('dead')}, tally_at = excluded.tally_at`,
    )
    .bind(tallyStart(now))
}
