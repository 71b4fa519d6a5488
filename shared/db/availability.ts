import { addDays, argentineDay, type Instant, startOfDay } from '../argentine-time.ts'
import { AVAILABILITY_DAYS, type DayAvailability } from '../availability.ts'

/** Adds times to their days, for the batch of a cycle: one row written, at midnight two. */
export function addAvailability(
  db: D1Database,
  days: readonly DayAvailability[],
): D1PreparedStatement {
  return db
    .prepare(
      `INSERT INTO availability (day, ok, degraded, down)
       SELECT value ->> 'day', value ->> 'ok', value ->> 'degraded', value ->> 'down'
       FROM json_each(?1) WHERE true
       ON CONFLICT (day) DO UPDATE SET ok = ok + excluded.ok,
         degraded = degraded + excluded.degraded, down = down + excluded.down`,
    )
    .bind(JSON.stringify(days))
}

/** Takes back what a clock that was ahead settled: no day has more time than has passed of it. */
export function trimAvailability(db: D1Database, now: Instant): D1PreparedStatement[] {
  const today = argentineDay(now)
  return [
    db.prepare('DELETE FROM availability WHERE day > ?1').bind(today),
    db
      .prepare(
        `UPDATE availability SET down = max(0, down - surplus),
           degraded = max(0, degraded - max(0, surplus - down)),
           ok = max(0, ok - max(0, surplus - down - degraded))
         FROM (SELECT max(0, ok + degraded + down - ?2) AS surplus FROM availability
           WHERE day = ?1)
         WHERE day = ?1`,
      )
      .bind(today, now - startOfDay(now)),
  ]
}

/** The last 90 days up to today, oldest first; days of which nothing is known are left out. */
export async function readAvailability(db: D1Database, now: Instant): Promise<DayAvailability[]> {
  const first = addDays(argentineDay(now), 1 - AVAILABILITY_DAYS)
  const { results } = await db
    .prepare('SELECT day, ok, degraded, down FROM availability WHERE day >= ?1 ORDER BY day')
    .bind(first)
    .all<DayAvailability>()
  return results
}
