import {
  argentineDay,
  type Day,
  dayEnd,
  dayStart,
  type Instant,
  isDay,
} from '../../../shared/argentine-time.ts'
import { prefersCsv } from '../http/accept.ts'
import { badRequest } from '../errors.ts'

/** What a date read asks, once it makes sense. */
export interface DateQuery {
  day: Day
  /** What is printed as `requestedAt`. */
  requestedAt: Instant
  /** The last instant whose values count, from which ages are measured (decision 54). */
  effectiveAt: Instant
  maxAgeSeconds: number | null
  /** Whether the day is over, so that its answer does not change any more. */
  closed: boolean
  csv: boolean
}

const PARAMETERS = ['time', 'max_age', 'format']

/** The query of a date read, or a 400 that says what is wrong (decision 10). */
export function parseDateQuery(date: string, request: Request, now: Instant): DateQuery {
  const query = new URL(request.url).searchParams
  refuseStrangers(query)

  const day = parseDay(date, now)
  const closed = day < argentineDay(now)
  const time = parseTime(query.get('time'))
  const requestedAt = time === null ? dayEnd(day) : dayStart(day) + time
  if (time !== null && requestedAt > now) throw badRequest('La hora pedida todavía no llegó')

  return {
    day,
    requestedAt,
    effectiveAt: Math.min(requestedAt, now),
    maxAgeSeconds: parseMaxAge(query.get('max_age')),
    closed,
    csv: parseFormat(query.get('format')) === 'csv' || prefersCsv(request.headers.get('Accept')),
  }
}

function refuseStrangers(query: URLSearchParams): void {
  for (const name of new Set(query.keys())) {
    if (!PARAMETERS.includes(name)) {
      throw badRequest('Los únicos parámetros son time, max_age y format')
    }
    if (query.getAll(name).length > 1) throw badRequest(`El parámetro ${name} está repetido`)
  }
}

function parseDay(date: string, now: Instant): Day {
  if (!isDay(date)) throw badRequest('La fecha debe existir y tener la forma AAAA-MM-DD')
  if (date > argentineDay(now)) throw badRequest('La fecha no puede ser posterior a hoy')
  return date
}

/** Milliseconds since midnight of `HH:MM` or `HH:MM:SS`; null when there is none. */
function parseTime(text: string | null): number | null {
  if (text === null) return null

  const match = /^([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d))?$/.exec(text)
  if (!match) throw badRequest('La hora debe tener la forma HH:MM o HH:MM:SS')

  const [hours, minutes, seconds] = match.slice(1).map((part) => Number(part ?? 0))
  return ((hours! * 60 + minutes!) * 60 + seconds!) * 1000
}

function parseMaxAge(text: string | null): number | null {
  if (text === null) return null

  if (!/^\d+$/.test(text) || !Number.isSafeInteger(Number(text))) {
    throw badRequest('max_age debe ser un número entero de segundos, cero o más')
  }
  return Number(text)
}

function parseFormat(text: string | null): 'csv' | null {
  if (text !== null && text !== 'csv') throw badRequest('El único valor de format es csv')
  return text
}
