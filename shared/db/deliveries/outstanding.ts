/**
 * `open_deliveries.outstanding` counts open deliveries. Inserting a delivery reserves one; its end releases
 * it. Deliveries that end `delivered` or `dead` are released by the statement that counts them
 * (tallies.ts). The statements here release all others; each follows in its batch the statement
 * whose `changes()` it counts.
 */
import { OPEN } from './open.ts'

/** The number of open deliveries, as an SQL expression. */
export const OUTSTANDING = `coalesce((select outstanding from open_deliveries where id = 1), 0)`

/** Reserves one for each row that the statement before it inserted. */
export function reserveInserted(db: D1Database): D1PreparedStatement {
  return db.prepare(
    `insert into open_deliveries (id, outstanding) select 1, changes() where changes() > 0
     on conflict (id) do update set outstanding = outstanding + excluded.outstanding`,
  )
}

/**
 * Releases the row that the statement before settled, if that ended it. Changes one row whenever the
 * statement before changed one, so that the next statement can ask `changes()` in its turn.
 */
export function releaseSettled(db: D1Database, id: number): D1PreparedStatement {
  return db
    .prepare(
      `insert into open_deliveries (id, outstanding) select 1, 0 where changes() = 1
       on conflict (id) do update set outstanding = max(0, outstanding - coalesce(
         (select not ${OPEN} from deliveries where id = ?1), 0))`,
    )
    .bind(id)
}

/** Releases as many as the statement before cancelled. */
export function releaseCancelled(db: D1Database): D1PreparedStatement {
  return db.prepare(
    `update open_deliveries set outstanding = max(0, outstanding - changes())
     where id = 1 and changes() > 0`,
  )
}
