import {
  addDays,
  argentineDay,
  type Day,
  type Instant,
  isDay,
} from '../../../shared/argentine-time.ts'
import type { SeriesQuery } from '../db/series.ts'
import {
  dayNumber,
  EVERY,
  type Every,
  type Period,
  periodsOf,
  SERIES_SIDES,
  SERIES_VALUES,
} from '../../../shared/market/series.ts'
import { badRequest } from '../errors.ts'
import { parsePairList } from '../http/pair-list.ts'
import { readQuery } from '../../../shared/query.ts'
import { wantsCsv } from '../http/wants-csv.ts'
import { DATES_ALONE } from '../../../shared/sentences.ts'
import { MAX_SERIES_DATES } from '../../../shared/limits.ts'

const MAX_YEARS = 10
const PARAMETERS = 'pairs from to every dates value side summary format'.split(' ')

export interface SeriesRequest extends SeriesQuery {
  every: Every | null
  /** The period of each row: oldest first, or in the order of `dates`. */
  periods: Period[]
  summary: boolean
  csv: boolean
}

/** The query of a series, or a 400 that names the error. */
export function parseSeriesQuery(request: Request, now: Instant): SeriesRequest {
  const query = readQuery(request, PARAMETERS)
  const pairs = query.get('pairs')
  if (pairs === null) throw badRequest('Falta pairs, con la forma usd/blue,usd/bolsa')
  const summary = query.get('summary')
  if (summary !== null && summary !== '1') throw badRequest('El único valor de summary es 1')

  return {
    pairs: parsePairList(pairs),
    value: oneOf('value', query.get('value') ?? 'close', SERIES_VALUES),
    side: oneOf('side', query.get('side') ?? 'sell', SERIES_SIDES),
    ...daysOf(query, argentineDay(now)),
    summary: summary !== null,
    csv: wantsCsv(query, request),
  }
}

function daysOf(
  query: URLSearchParams,
  today: Day,
): Pick<SeriesRequest, 'days' | 'every' | 'periods'> {
  const list = query.get('dates')
  if (list !== null) return datesOf(query, list, today)

  const to = parseDay('to', query.get('to') ?? today, today)
  const from = parseDay('from', query.get('from') ?? addDays(to, -365), today)
  if (from > to) throw badRequest('from no puede ser posterior a to')
  if (from < yearsBefore(to, MAX_YEARS)) throw badRequest('El rango puede tener hasta diez años')

  const every = oneOf('every', query.get('every') ?? 'day', EVERY)
  return { days: { from, to }, every, periods: periodsOf(from, to, every) }
}

/**
 * The same day of an earlier year. A decade has two or three leap days, so it is not a number of
 * days.
 */
function yearsBefore(day: Day, years: number): Day {
  return String(Number(day.slice(0, 4)) - years).padStart(4, '0') + day.slice(4)
}

function datesOf(query: URLSearchParams, list: string, today: Day) {
  if (['from', 'to', 'every'].some((name) => query.has(name))) {
    throw badRequest(DATES_ALONE)
  }
  const given = list.split(',')
  if (given.length > MAX_SERIES_DATES)
    throw badRequest(`dates puede tener hasta ${MAX_SERIES_DATES} fechas`)
  // Without repetitions, in the order given, like pairs.
  const dates = [...new Set(given)]
  for (const date of dates) parseDay('dates', date, today)

  const periods = dates.map(dayNumber).map((day) => ({ first: day, last: day }))
  return { days: { dates }, every: null, periods }
}

function parseDay(name: string, text: string, today: Day): Day {
  if (!isDay(text)) throw badRequest(`${name} debe tener fechas que existan, como AAAA-MM-DD`)
  if (text > today) throw badRequest(`${name} no puede ser posterior a hoy`)
  return text
}

function oneOf<Value extends string>(name: string, text: string, values: readonly Value[]): Value {
  const found = values.find((value) => value === text)
  if (!found)
    throw badRequest(`${name} debe ser ${values.slice(0, -1).join(', ')} o ${values.at(-1)}`)
  return found
}
