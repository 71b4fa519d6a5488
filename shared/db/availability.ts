import { addDays, argentineDay, type Instant } from '../argentine-time.ts'
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

/** The last 90 days up to today, oldest first; days of which nothing is known are left out. */
export async function readAvailability(db: D1Database, now: Instant): Promise<DayAvailability[]> {
  const first = addDays(argentineDay(now), 1 - AVAILABILITY_DAYS)
  const { results } = await db
    .prepare('SELECT day, ok, degraded, down FROM availability WHERE day >= ?1 ORDER BY day')
    .bind(first)
    .all<DayAvailability>()
  return results
}
