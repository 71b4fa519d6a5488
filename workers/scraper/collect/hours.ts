/** Whether hours are open at an instant, for the schedule of sources. Pure. */
import { addDays, argentineDay, type Instant, MINUTE_MS } from '../../../shared/argentine-time.ts'
import {
  type Hours,
  type KnownDays,
  LOOK_BACK_DAYS,
  sessionsOf,
} from '../../../shared/market/market-hours.ts'

export function isOpen(hours: Hours, now: Instant, known: KnownDays = {}): boolean {
  return sessionsOf(hours, argentineDay(now), known).some(([from, to]) => now >= from && now < to)
}

/** How long after its close a pair with a held value is still requested, to confirm the value. */
const CONFIRMATION_MS = 2 * 60 * MINUTE_MS

/** Whether a pair with a held value is requested: in its hours, and for two hours after them. */
export function isOpenToConfirm(hours: Hours, now: Instant, known: KnownDays = {}): boolean {
  return isOpen(hours, now, known) || isOpen(hours, now - CONFIRMATION_MS, known)
}

/**
 * Whether the calendar may close the hours by mistake: for banks on any weekday, because a decree
 * may move a holiday at a few days' notice; for all pairs on a day that only the list closes.
 */
export function isDoubtful(hours: Hours, now: Instant, known: KnownDays = {}): boolean {
  if (isOpen(hours, now, known)) return false
  return isOpen(hours.days === 'bank' ? { ...hours, days: 'weekdays' } : hours, now)
}

/** The end of the last session, or null when there was none in half a month. */
export function lastClose(hours: Hours, now: Instant, known: KnownDays = {}): Instant | null {
  let day = argentineDay(now)
  for (let back = 0; back <= LOOK_BACK_DAYS; back++, day = addDays(day, -1)) {
    const closed = sessionsOf(hours, day, known).findLast(([, to]) => to <= now)
    if (closed) return closed[1]
  }
  return null
}
