/**
 * How long the service was in each state, by Argentine day. Each cycle adds the time since the
 * previous one: in the state of the previous cycle while its board was trusted, as `down` after
 * that. So a scraper that does not run counts as an outage.
 */
import { argentineDay, DAY_MS, type Day, type Instant, startOfDay } from '../argentine-time.ts'
import { BOARD_MAX_AGE_MS } from './board.ts'
import type { StatusWord } from './status.ts'

/** Milliseconds of a day in each state; together less than a day on the first day and today. */
export interface DayAvailability {
  day: Day
  ok: number
  degraded: number
  down: number
}

/** Days that the status page shows, and the longest outage that one cycle adds. */
export const AVAILABILITY_DAYS = 90

/** Adds the time from the last cycle to `now` to each day; nothing when that cycle is later. */
export function settleSince(
  last: { at: Instant; status: StatusWord },
  now: Instant,
): DayAvailability[] {
  const days = new Map<Day, DayAvailability>()
  const trustedUntil = Math.min(now, last.at + BOARD_MAX_AGE_MS)
  addSpan(days, last.status, last.at, trustedUntil)
  addSpan(days, 'down', Math.max(trustedUntil, now - AVAILABILITY_DAYS * DAY_MS), now)
  return [...days.values()]
}

/** The share of time in which quotes were served, 0 to 1; null when no time was recorded. */
export function availabilityOf(days: readonly Omit<DayAvailability, 'day'>[]): number | null {
  const up = days.reduce((sum, { ok, degraded }) => sum + ok + degraded, 0)
  const all = days.reduce((sum, { down }) => sum + down, up)
  return all === 0 ? null : up / all
}

function addSpan(
  days: Map<Day, DayAvailability>,
  status: StatusWord,
  from: Instant,
  to: Instant,
): void {
  for (let start = from; start < to;) {
    const end = Math.min(to, startOfDay(start) + DAY_MS)
    const day = argentineDay(start)
    const sums = days.get(day) ?? { day, ok: 0, degraded: 0, down: 0 }
    sums[status] += end - start
    days.set(day, sums)
    start = end
  }
}
