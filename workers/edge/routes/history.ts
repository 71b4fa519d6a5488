import type { Context } from 'hono'
import type { QueryOf } from '../../../shared/api/operation.ts'
import { listCandles, listHistory } from '../../../shared/api/history.ts'
import { type App, type AppDeps, route, serviceMode } from '../http/route.ts'
import { formatArgentine } from '../../../shared/argentine-time.ts'
import type { Candle } from '../../../shared/db/quotes/points.ts'
import { findPair } from '../../../shared/market/catalog.ts'
import { type HistoryRange, readCandles, readPoints } from '../db/history.ts'
import { type QuotedPoint, priceToNumber } from '../../../shared/market/price.ts'
import type { EdgeContext } from '../context.ts'
import { badRequest, orUnavailable } from '../errors.ts'
import { type CsvValue, CSV_TYPE, toCsv } from '../../../shared/csv.ts'
import { requireKey } from '../middleware/api-key.ts'

const POINT_FIELDS = ['buy', 'sell', 'createdAt'] as const
const CANDLE_FIELDS = ['date', 'open', 'high', 'low', 'close', 'buy'] as const

const UNAVAILABLE = 'El historial no está disponible en este momento'

/** Past values of a pair: every change, and a candle for each day. */
export function historyRoutes(app: App, deps: AppDeps): void {
  const { now } = deps
  const gate = requireKey(deps, { management: false })
  const withMode = serviceMode(deps)

  route(app, listHistory, [gate, withMode], async (c, { params, query, csv }) => {
    const [pair, range] = [pairOf(params), rangeOf(query)]
    const points = await orUnavailable(readPoints(c.env.DB, pair, range, now()), UNAVAILABLE)

    const rows = points.map(printPoint)
    return csv ? inCsv(c, POINT_FIELDS, rows) : json(c, rows)
  })
  route(app, listCandles, [gate, withMode], async (c, { params, query, csv }) => {
    const [pair, range] = [pairOf(params), rangeOf(query)]
    const candles = await orUnavailable(readCandles(c.env.DB, pair, range, now()), UNAVAILABLE)

    const points = candles.map(printCandle)
    if (csv) return inCsv(c, CANDLE_FIELDS, points)
    const { currency, name, origin, valueType } = pair
    return json(c, { currency, name, origin, valueType, interval: 'day', points })
  })
}

const pairOf = ({ currency, origin }: { currency: string; origin: string }) =>
  findPair(currency, origin)!

function rangeOf({ from, to, limit }: QueryOf<typeof listHistory>): HistoryRange {
  if (from !== undefined && to !== undefined && from > to)
    throw badRequest('from no puede ser posterior a to')
  return { from: from ?? null, to: to ?? null, limit }
}

function printPoint({ buy, sell, at }: QuotedPoint) {
  return { buy: priceToNumber(buy), sell: priceToNumber(sell), createdAt: formatArgentine(at) }
}

function printCandle({ day, open, high, low, close, buy }: Candle) {
  return {
    date: day,
    open: priceToNumber(open),
    high: priceToNumber(high),
    low: priceToNumber(low),
    close: priceToNumber(close),
    buy: priceToNumber(buy),
  }
}

function json(c: Context<EdgeContext>, body: object): Response {
  return c.json(body, 200, { Vary: 'Accept' })
}

function inCsv<Column extends string>(
  c: Context<EdgeContext>,
  columns: readonly Column[],
  rows: readonly Readonly<Record<Column, CsvValue>>[],
): Response {
  return c.body(toCsv(rows, columns), 200, { 'Content-Type': CSV_TYPE, Vary: 'Accept' })
}
