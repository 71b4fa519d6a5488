import { addDays, argentineDay, type Instant } from '../../../shared/argentine-time.ts'
import { AVAILABILITY_DAYS, type DayAvailability } from '../../../shared/board/availability.ts'

/** The last 90 days up to today, oldest first, without days of which nothing is known. */
export async function readAvailability(db: D1Database, now: Instant): Promise<DayAvailability[]> {
  const first = addDays(argentineDay(now), 1 - AVAILABILITY_DAYS)
  const { results } = await db
    .prepare('select day, ok, degraded, down from availability where day >= ?1 order by day')
    .bind(first)
    .all<DayAvailability>()
  return results
}
