/**
 * What is reserved when deliveries are accepted is released when they end: by a trigger when a tally
 * counts them (migrations/0006), and by these when no tally does. Each statement follows in a batch
 * the one whose `changes()` it counts.
 */

/**
 * Releases the place of the row that the statement before settled, when that ended it. Always one
 * change when that was one, so that the next statement can ask `changes()` in its turn.
 */
export function releaseSettled(db: D1Database, id: number): D1PreparedStatement {
  return db
    .prepare(
      `insert into capacity (id, outstanding) select 1, 0 where changes() = 1
       on conflict (id) do update set outstanding = max(0, outstanding - coalesce(
         (select status in ('delivered', 'dead', 'cancelled') from deliveries where id = ?1), 0))`,
    )
    .bind(id)
}

/** Releases as many places as the statement before ended rows. */
export function releaseCancelled(db: D1Database): D1PreparedStatement {
  return db.prepare(
    `update capacity set outstanding = max(0, outstanding - changes())
     where id = 1 and changes() > 0`,
  )
}
