import type { Context } from 'hono'
import { readSeries as operation } from '../../../shared/api/series.ts'
import type { QueryOf } from '../../../shared/api/operation.ts'
import {
  type Day,
  type Instant,
  addDays,
  argentineDay,
  dayNumber,
  dayOfNumber,
  isDay,
} from '../../../shared/argentine-time.ts'
import { type SeriesQuery, readSeries } from '../db/series.ts'
import { pairKey } from '../../../shared/market/catalog.ts'
import { type Price, priceToNumber } from '../../../shared/market/price.ts'
import {
  type DayValue,
  type Every,
  type Period,
  periodsOf,
  seriesOf,
  summaryOf,
} from './series-table.ts'
import type { EdgeContext } from '../context.ts'
import { badRequest, orUnavailable } from '../errors.ts'
import { parsePairList } from '../http/query.ts'
import { CSV_TYPE, toCsv } from '../../../shared/csv.ts'
import { JSON_TYPE } from '../http/answer.ts'
import { requireKey } from '../middleware/api-key.ts'
import { type App, type AppDeps, serviceMode, route } from '../http/route.ts'
import { DATES_ALONE, SERIES_UNAVAILABLE } from '../../../shared/sentences.ts'
import { MAX_SERIES_DATES } from '../../../shared/limits.ts'

/** Rows of a CSV per write. */
const ROWS_AT_ONCE = 200

/** Many pairs and many days in one call: a row per date, a column per pair. */
export function seriesRoutes(app: App, deps: AppDeps): void {
  const { now } = deps
  const gate = requireKey(deps, { management: false })
  const withMode = serviceMode(deps)

  route(app, operation, [gate, withMode], async (c, input) => {
    const query = seriesRequest(input.query, input.csv, now())
    const stored = await orUnavailable(readSeries(c.env.DB, query), SERIES_UNAVAILABLE)
    return respond(c, query, tableOf(query, stored))
  })
}

const MAX_YEARS = 10

type Query = QueryOf<typeof operation>

interface SeriesRequest extends SeriesQuery {
  every: Every | null
  /** The period of each row: oldest first, or in the order of `dates`. */
  periods: Period[]
  summary: boolean
  csv: boolean
}

/** The request for a series, parsed. Throws a 400 that names the error. */
function seriesRequest(query: Query, csv: boolean, now: Instant): SeriesRequest {
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
 * The same day in an earlier year. Years cannot be counted in days: a decade has two or three leap
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
  // Like pairs, dates are read once each and in the given order.
  const dates = [...new Set(given)]
  for (const date of dates) checkDay(date, today)

  const periods = dates.map(dayNumber).map((day) => ({ first: day, last: day }))
  return { days: { dates }, every: null, periods }
}

function checkDay(text: string, today: Day): void {
  if (!isDay(text)) throw badRequest('dates debe tener fechas que existan, como AAAA-MM-DD')
  if (text > today) throw badRequest('dates no puede ser posterior a hoy')
}

interface Table {
  dates: Day[]
  columns: (Price | null)[][]
}

function tableOf(query: SeriesRequest, stored: readonly (DayValue | null)[][]): Table {
  const { pairs, periods, value, days } = query
  return {
    dates: periods.map(({ last }) => dayOfNumber(last)),
    columns: pairs.map((pair, index) =>
      'dates' in days
        ? stored[index]!.map((day, row) => onDate(day, periods[row]!.first))
        : seriesOf(stored[index] as DayValue[], periods, value, pair),
    ),
  }
}

/** The value on a date: the value of the day if it has a change, else the last close. */
function onDate(day: DayValue | null, date: number): Price | null {
  if (day === null) return null
  return day[0] === date ? day[1] : day[2]
}

function respond(c: Context<EdgeContext>, query: SeriesRequest, table: Table): Response {
  const { pairs, every, value, side, summary, csv } = query
  const summaries = summary
    ? pairs.map((pair, index) => summaryOf(pair, table.dates, table.columns[index]!))
    : []
  if (csv && summary) return answer(c, toCsv(summaries), CSV_TYPE)

  const names = ['date', ...pairs.map(pairKey)]
  if (csv) return answer(c, csvOf(names, table), CSV_TYPE)
  const head = JSON.stringify({ every, value, side, columns: names }).slice(0, -1)
  const end = summary ? `,"summary":${JSON.stringify(summaries)}}` : '}'
  return answer(c, `${head},"rows":[${jsonRows(table)}]${end}`, JSON_TYPE)
}

function answer(c: Context<EdgeContext>, body: string | ReadableStream, type: string): Response {
  return c.body(body, 200, { 'Content-Type': type, Vary: 'Accept' })
}

/** Writes the rows directly as text: an array per row would double the work. */
function jsonRows(table: Table): string {
  let text = ''
  for (let row = 0; row < table.dates.length; row++) {
    text += `${row === 0 ? '' : ','}["${table.dates[row]}"${valuesOf(table, row, 'null')}]`
  }
  return text
}

/** The values of a row for JSON and CSV, each after a comma. */
function valuesOf({ columns }: Table, row: number, none: 'null' | ''): string {
  let text = ''
  for (const column of columns) {
    const price = column[row]!
    text += price === null ? `,${none}` : `,${priceToNumber(price)}`
  }
  return text
}

/** Dates, codes and numbers need no quotes. Rows are written at the reader's pace. */
function csvOf(names: readonly string[], table: Table): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  let next = 0
  return new ReadableStream({
    start: (controller) => controller.enqueue(encoder.encode(`${names.join(',')}\r\n`)),
    pull(controller) {
      const dates = table.dates.slice(next, next + ROWS_AT_ONCE)
      if (dates.length === 0) return controller.close()
      const lines = dates.map((date, index) => date + valuesOf(table, next + index, ''))
      next += dates.length
      controller.enqueue(encoder.encode(lines.map((line) => `${line}\r\n`).join('')))
    },
  })
}
