/** How long the service was in each state, by Argentine day. */
import type { Day } from '../argentine-time.ts'

/** Milliseconds of a day in each state. The first day and today sum to less than a day. */
export interface DayAvailability {
  day: Day
  ok: number
  degraded: number
  down: number
}

/** Days that the status page shows. One cycle adds at most an outage of this length. */
export const AVAILABILITY_DAYS = 90

/** The share of time in which quotes were served (0 to 1). Null when no time was recorded. */
export function availabilityOf(days: readonly Omit<DayAvailability, 'day'>[]): number | null {
  const up = days.reduce((sum, { ok, degraded }) => sum + ok + degraded, 0)
  const all = days.reduce((sum, { down }) => sum + down, up)
  return all === 0 ? null : up / all
}
