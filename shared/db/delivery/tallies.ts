import type { Instant } from '../../argentine-time.ts'

/** How finely endings are counted. */
export const TALLY_MS = 5 * 60 * 1000

/**
 * Counts the row that the statement before ended, one change when that was one, so that the next
 * can ask `changes()` in its turn.
 */
export function tally(
  db: D1Database,
  ending: 'delivered' | 'dead',
  now: Instant,
): D1PreparedStatement {
  return db
    .prepare(
      `insert into delivery_tallies (at, delivered, dead) select ?1, ?2, ?3 where changes() = 1
       on conflict (at) do update set
         delivered = delivered + excluded.delivered, dead = dead + excluded.dead`,
    )
    .bind(now - (now % TALLY_MS), Number(ending === 'delivered'), Number(ending === 'dead'))
}
