/**
 * The time that a cycle adds to the availability of days: in the state of the previous cycle while
 * its board was trusted, as `down` after that. So a scraper that does not run counts as an outage.
 */
import {
  argentineDay,
  DAY_MS,
  type Day,
  type Instant,
  startOfDay,
} from '../../../shared/argentine-time.ts'
import { AVAILABILITY_DAYS, type DayAvailability } from '../../../shared/board/availability.ts'
import { BOARD_MAX_AGE_MS } from '../../../shared/board/board.ts'
import type { StatusWord } from '../../../shared/board/status.ts'

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
