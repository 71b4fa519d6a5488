import type { Context } from 'hono'
import { readSeries as operation } from '../../../shared/api/series.ts'
import { Hono } from '../hono.ts'
import { type Day, dayOfNumber } from '../../../shared/argentine-time.ts'
import { readSeries } from '../db/series.ts'
import { pairKey } from '../../../shared/market/catalog.ts'
import { type Price, priceToNumber } from '../../../shared/market/price.ts'
import { type DayValue, seriesOf, summaryOf } from './series-table.ts'
import type { AppDeps, EdgeContext } from '../context.ts'
import { orUnavailable } from '../errors.ts'
import { CSV_TYPE, toCsv } from '../../../shared/csv.ts'
import { JSON_TYPE } from '../http/json.ts'
import { requireKey } from '../middleware/api-key.ts'
import { serviceMode } from '../middleware/service-mode.ts'
import { route } from '../http/route.ts'
import { seriesRequest, type SeriesRequest } from './series-query.ts'
import { SERIES_UNAVAILABLE } from '../../../shared/sentences.ts'

/** Rows of a CSV per write. */
const ROWS_AT_ONCE = 200

/** Many pairs and many days in one call: a row per date, a column per pair. */
export function seriesRoutes(deps: AppDeps) {
  const { now } = deps
  const gate = requireKey(deps, { management: false })
  const marked = serviceMode(deps)

  const app = new Hono<EdgeContext>()
  route(app, operation, [gate, marked], async (c, input) => {
    const query = seriesRequest(input.query, input.csv, now())
    const stored = await orUnavailable(readSeries(c.env.DB, query), SERIES_UNAVAILABLE)
    return respond(c, query, tableOf(query, stored))
  })
  return app
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

/** The value of a date: that of a day with a change, else the last close. */
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

/** Written as text directly: an array per row would double the work. */
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
