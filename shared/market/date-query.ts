/** The query of a date read. A refusal is the Spanish sentence for the client. */
import { argentineDay, type Day, dayEnd, dayStart, type Instant, isDay } from '../argentine-time.ts'
import { ok, refuse, type Result } from '../result.ts'
import { DATE_AHEAD, DATE_FORM, TIME_FORM } from '../sentences.ts'

export interface DateQuery {
  day: Day
  /** What is printed as `requestedAt`. */
  requestedAt: Instant
  /**
   * The last instant whose values count, from which ages are measured (decision 54: no time means
   * now).
   */
  effectiveAt: Instant
}

export interface RequestedDate {
  /** `YYYY-MM-DD`. */
  date: string
  /** `HH:MM` or `HH:MM:SS`; without it, the end of the day. */
  time?: string | undefined
}

export const TIME = /^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d)?$/

/** What a request for a date asks for, or its first error (decision 10: dates and times). */
export function dateQuery({ date, time }: RequestedDate, now: Instant): Result<DateQuery, string> {
  if (!isDay(date)) return refuse(DATE_FORM)
  if (date > argentineDay(now)) return refuse(DATE_AHEAD)
  if (time !== undefined && !TIME.test(time)) return refuse(TIME_FORM)

  const requestedAt = time === undefined ? dayEnd(date) : dayStart(date) + sinceMidnight(time)
  if (time !== undefined && requestedAt > now) return refuse('La hora pedida todavía no llegó')
  return ok({
    day: date,
    requestedAt,
    effectiveAt: Math.min(requestedAt, now),
  })
}

/** Milliseconds of `HH:MM` or `HH:MM:SS`. */
function sinceMidnight(text: string): number {
  const [hours = 0, minutes = 0, seconds = 0] = text.split(':').map(Number)
  return ((hours * 60 + minutes) * 60 + seconds) * 1000
}
