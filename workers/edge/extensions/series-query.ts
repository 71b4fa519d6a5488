import type { QueryOf } from '../../../shared/api/operation.ts'
import {
  addDays,
  argentineDay,
  type Day,
  dayNumber,
  type Instant,
  isDay,
} from '../../../shared/argentine-time.ts'
import type { SeriesQuery } from '../db/series.ts'
import { type Every, type Period, periodsOf } from './series-table.ts'
import type { readSeries } from '../../../shared/api/series.ts'
import { badRequest } from '../errors.ts'
import { parsePairList } from '../http/pair-list.ts'
import { DATES_ALONE } from '../../../shared/sentences.ts'
import { MAX_SERIES_DATES } from '../../../shared/limits.ts'

const MAX_YEARS = 10

type Query = QueryOf<typeof readSeries>

export interface SeriesRequest extends SeriesQuery {
  every: Every | null
  /** The period of each row: oldest first, or in the order of `dates`. */
  periods: Period[]
  summary: boolean
  csv: boolean
}

/** What a series is made of, or a 400 that names the error. */
export function seriesRequest(query: Query, csv: boolean, now: Instant): SeriesRequest {
  const { pairs, value, side, summary } = query
  return {
    pairs: parsePairList(pairs),
    value,
    side,
    ...daysOf(query, argentineDay(now)),
    summary: summary !== undefined,
    csv,
  }
}

function daysOf(query: Query, today: Day): Pick<SeriesRequest, 'days' | 'every' | 'periods'> {
  if (query.dates !== undefined) return datesOf(query, query.dates, today)

  const { to = today, every = 'day' } = query
  if (to > today) throw badRequest('to no puede ser posterior a hoy')
  const { from = addDays(to, -365) } = query
  if (from > today) throw badRequest('from no puede ser posterior a hoy')
  if (from > to) throw badRequest('from no puede ser posterior a to')
  if (from < yearsBefore(to, MAX_YEARS)) throw badRequest('El rango puede tener hasta diez años')

  return { days: { from, to }, every, periods: periodsOf(from, to, every) }
}

/**
 * The same day of an earlier year. A decade has two or three leap days, so it is not a number of
 * days.
 */
function yearsBefore(day: Day, years: number): Day {
  return String(Number(day.slice(0, 4)) - years).padStart(4, '0') + day.slice(4)
}

function datesOf({ from, to, every }: Query, list: string, today: Day) {
  if (from ?? to ?? every) {
    throw badRequest(DATES_ALONE)
  }
  const given = list.split(',')
  if (given.length > MAX_SERIES_DATES)
    throw badRequest(`dates puede tener hasta ${MAX_SERIES_DATES} fechas`)
  // Without repetitions, in the order given, like pairs.
  const dates = [...new Set(given)]
  for (const date of dates) checkDay(date, today)

  const periods = dates.map(dayNumber).map((day) => ({ first: day, last: day }))
  return { days: { dates }, every: null, periods }
}

function checkDay(text: string, today: Day): void {
  if (!isDay(text)) throw badRequest('dates debe tener fechas que existan, como AAAA-MM-DD')
  if (text > today) throw badRequest('dates no puede ser posterior a hoy')
}
