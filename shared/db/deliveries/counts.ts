/**
 * The one row of `open_deliveries` counts open deliveries, and those that ended in the current five
 * minutes. The trigger `open_deliveries_tallied` (shared/db/schema/triggers.sql) moves the latter to
 * `delivery_tallies` when others begin. Each statement follows in its batch the one whose `changes()`
 * it counts, and changes one row when that changed any.
 */
import type { Instant } from '../../argentine-time.ts'
import { OPEN } from './open.ts'

/** The period of one tally. */
export const TALLY_MS = 5 * 60 * 1000

/** SQL of a table of all tallies, `at`, `delivered` and `dead`; the last `at` may be there twice. */
export const TALLIES = `(select at, delivered, dead from delivery_tallies
  union all select tally_at, delivered, dead from open_deliveries)`

/** The number of open deliveries, as an SQL expression. */
export const OUTSTANDING = `(select outstanding from open_deliveries)`

/** Reserves a place for each row that the statement before inserted or opened. */
export function reserveInserted(db: D1Database): D1PreparedStatement {
  return db.prepare(
    `update open_deliveries set outstanding = outstanding + changes() where changes() > 0`,
  )
}

/** Gives back a place for each row that the statement before cancelled. */
export function releaseCancelled(db: D1Database): D1PreparedStatement {
  return db.prepare(
    `update open_deliveries set outstanding = max(0, outstanding - changes())
     where id = iif(changes() > 0, 1, null)`,
  )
}

/** Gives back the place of the row that the statement before wrote, if that ended it. */
export function releaseEnded(db: D1Database, id: number): D1PreparedStatement {
  return db
    .prepare(
      `update open_deliveries set outstanding = max(0, outstanding - coalesce(
         (select not ${OPEN} from deliveries where id = ?1), 0)) where changes() = 1`,
    )
    .bind(id)
}

/** Gives back the places of the rows that the statement before ended, and tallies them. */
export function tally(db: D1Database, as: 'delivered' | 'dead', now: Instant): D1PreparedStatement {
  const count = (column: typeof as) =>
    `${column} = iif(tally_at = ?1, ${column}, 0) + ${column === as ? 'changes()' : '0'}`
  return db
    .prepare(
      `update open_deliveries set outstanding = max(0, outstanding - changes()),
         ${count('delivered')}, ${count('dead')}, tally_at = ?1 where changes() > 0`,
    )
    .bind(now - (now % TALLY_MS))
}
