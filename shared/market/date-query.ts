/** The query of a date read. A refusal is the Spanish sentence for the client. */
import { argentineDay, type Day, dayEnd, dayStart, type Instant, isDay } from '../argentine-time.ts'
import { ok, refuse, type Result } from '../result.ts'
import { DATE_AHEAD, DATE_FORM } from '../sentences.ts'

export interface DateQuery {
  day: Day
  /** What is printed as `requestedAt`. */
  requestedAt: Instant
  /**
   * The last instant whose values count, from which ages are measured (decision 54: no time means
   * now).
   */
  effectiveAt: Instant
  maxAgeSeconds: number | null
}

export interface DateQueryText {
  /** `YYYY-MM-DD`. */
  date: string
  /** `HH:MM` or `HH:MM:SS`; null is the end of the day. */
  time: string | null
  /** Whole seconds. */
  maxAge: string | null
}

/** Parses a query, or names its first error (decision 10: dates and times). */
export function parseDateQuery(
  { date, time, maxAge }: DateQueryText,
  now: Instant,
): Result<DateQuery, string> {
  if (!isDay(date)) return refuse(DATE_FORM)
  const today = argentineDay(now)
  if (date > today) return refuse(DATE_AHEAD)

  const sinceMidnight = time === null ? null : parseTime(time)
  if (sinceMidnight === undefined) return refuse('La hora debe tener la forma HH:MM o HH:MM:SS')
  const requestedAt = sinceMidnight === null ? dayEnd(date) : dayStart(date) + sinceMidnight
  if (sinceMidnight !== null && requestedAt > now) return refuse('La hora pedida todavía no llegó')

  if (maxAge !== null && !(/^\d+$/.test(maxAge) && Number.isSafeInteger(Number(maxAge)))) {
    return refuse('max_age debe ser un número entero de segundos, cero o más')
  }
  return ok({
    day: date,
    requestedAt,
    effectiveAt: Math.min(requestedAt, now),
    maxAgeSeconds: maxAge === null ? null : Number(maxAge),
  })
}

/** Milliseconds since midnight of `HH:MM` or `HH:MM:SS`. */
function parseTime(text: string): number | undefined {
  const match = /^([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d))?$/.exec(text)
  if (!match) return undefined

  const [hours, minutes, seconds] = match.slice(1).map((part) => Number(part ?? 0))
  return ((hours! * 60 + minutes!) * 60 + seconds!) * 1000
}
