import type { DayAvailability } from '../../board/availability.ts'

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
