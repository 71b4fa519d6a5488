import {
  addDays,
  argentineDay,
  type Day,
  daysBetween,
  type Instant,
  isDay,
} from '../../../../shared/argentine-time.ts'
import { emptyError, formatError } from './source-error.ts'

/** Today and the ten days before it: wide enough for the longest run of holidays. */
export function lastDays(now: Instant): { from: Day; to: Day } {
  const to = argentineDay(now)
  return { from: addDays(to, -10), to }
}

/** A document dated after today (Argentine) is refused. */
export function refuseFuture(day: Day, now: Instant): void {
  if (day > argentineDay(now)) throw formatError('is dated in the future')
}

/** For sources known to stall: a value dated over a week ago counts as missing. */
export function refuseOlderThanAWeek(day: Day, now: Instant, replayed = false): void {
  if (!replayed && daysBetween(day, argentineDay(now)) > 7) throw emptyError('is over a week old')
}

/** The day of a printed date: `5/8/2026`, `21/08/2026 - 18:55`, `24-04-2026`; null when none. */
export function dayOfText(text: string): Day | null {
  const [, day, month, year] = /^\s*(\d{1,2})[/-](\d{1,2})[/-](\d{4})\b/.exec(text) ?? []
  if (!day || !month || !year) return null

  const written = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  return isDay(written) ? written : null
}

/** The first ten characters of an ISO text, which must be a day that exists. */
export function isoDay(text: string): Day {
  const day = text.slice(0, 10)
  if (!isDay(day)) throw formatError('has no date where one is due')

  return day
}
