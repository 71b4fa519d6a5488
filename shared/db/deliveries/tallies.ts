import type { Instant } from '../../argentine-time.ts'

/** The period of one tally. */
export const TALLY_MS = 5 * 60 * 1000

/** The start of the five minutes that an instant falls into. */
export function tallyStart(at: Instant): Instant {
  return at - (at % TALLY_MS)
}

/** Counts the rows that the previous statement delivered; a trigger frees their capacity. */
export function tallyDelivered(db: D1Database, now: Instant): D1PreparedStatement {
  return db
    .prepare(
      `insert into delivery_tallies (at, delivered, dead) select ?1, changes(), 0
       where changes() > 0
       on conflict (at) do update set delivered = delivered + excluded.delivered`,
    )
    .bind(tallyStart(now))
}

/**
 * Counts the rows that the previous statement ended as dead; a trigger frees their capacity. It
 * changes one row when there were any, so the next statement can ask `changes()` again.
 */
export function tallyDead(db: D1Database, now: Instant): D1PreparedStatement {
  return db
    .prepare(
      `insert into delivery_tallies (at, delivered, dead) select ?1, 0, changes() where changes() > 0
       on conflict (at) do update set dead = dead + excluded.dead`,
    )
    .bind(tallyStart(now))
}
