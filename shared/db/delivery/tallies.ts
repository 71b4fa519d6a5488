import type { Instant } from '../../argentine-time.ts'

/** How finely endings are counted. */
export const TALLY_MS = 5 * 60 * 1000

/**
 * Counts the row that was just settled, when it ended as delivered or dead. One change whenever the
 * statement before was one, so that the next can ask `changes()` in its turn.
 */
export function tally(db: D1Database, id: number, now: Instant): D1PreparedStatement {
  return db
    .prepare(
      `insert into delivery_tallies (at, delivered, dead)
       select ?2, coalesce(d.status = 'delivered', 0), coalesce(d.status = 'dead', 0)
       from (select 1) left join deliveries d on d.id = ?1 where changes() = 1
       on conflict (at) do update set
         delivered = delivered + excluded.delivered, dead = dead + excluded.dead`,
    )
    .bind(id, now - (now % TALLY_MS))
}
