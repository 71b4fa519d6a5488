import { addDays, argentineDay, type Instant } from '../../argentine-time.ts'
import { AVAILABILITY_DAYS, type DayAvailability } from '../../board/availability.ts'

/** Adds times to their days, for the batch of a cycle. Writes one row, at midnight two. */
export function addAvailability(
  db: D1Database,
  days: readonly DayAvailability[],
): D1PreparedStatement {
  return db
    .prepare(
      `insert into availability (day, ok, degraded, down)
       select value ->> 'day', value ->> 'ok', value ->> 'degraded', value ->> 'down'
       from json_each(?1) where true
       on conflict (day) do update set ok = ok + excluded.ok,
         degraded = degraded + excluded.degraded, down = down + excluded.down`,
    )
    .bind(JSON.stringify(days))
}

/** The last 90 days up to today, oldest first, without days of which nothing is known. */
export async function readAvailability(db: D1Database, now: Instant): Promise<DayAvailability[]> {
  const first = addDays(argentineDay(now), 1 - AVAILABILITY_DAYS)
  const { results } = await db
    .prepare('select day, ok, degraded, down from availability where day >= ?1 order by day')
    .bind(first)
    .all<DayAvailability>()
  return results
}
