import type { Context } from 'hono'
import { Hono } from '../hono.ts'
import { formatArgentine } from '../../../shared/argentine-time.ts'
import type { Candle } from '../../../shared/market/candle.ts'
import { findPair, type Pair } from '../../../shared/market/catalog.ts'
import { readCandles, readPoints } from '../db/history.ts'
import type { QuotedPoint } from '../../../shared/market/quoted-point.ts'
import { priceToNumber } from '../../../shared/market/price.ts'
import type { AppDeps, EdgeContext } from '../context.ts'
import { quoteNotFound } from '../errors.ts'
import { CSV_TYPE, type CsvValue, toCsv } from '../http/csv.ts'
import { requireKey } from '../middleware/api-key.ts'
import { serviceMode } from '../middleware/service-mode.ts'
import { orUnavailable } from '../or-unavailable.ts'
import { parseHistoryQuery } from './history-query.ts'

const POINT_FIELDS = ['buy', 'sell', 'createdAt'] as const
const CANDLE_FIELDS = ['date', 'open', 'high', 'low', 'close', 'buy'] as const

const UNAVAILABLE = 'El historial no está disponible en este momento'

/** What a pair was worth: every change of value, and the days as candles. */
export function historyRoutes(deps: AppDeps) {
  const { now } = deps
  const gate = requireKey(deps, { management: false })
  const marked = serviceMode(deps)

  return new Hono<EdgeContext>()
    .get('/api/v2/:currency/:origin/history', gate, marked, async (c) => {
      const pair = pairOf(c.req.param())
      const query = parseHistoryQuery(c.req.raw)
      const points = await orUnavailable(readPoints(c.env.DB, pair, query, now()), UNAVAILABLE)

      const rows = points.map(printPoint)
      return query.csv ? csv(c, POINT_FIELDS, rows) : json(c, rows)
    })
    .get('/api/v2/history/:currency/:origin', gate, marked, async (c) => {
      const pair = pairOf(c.req.param())
      const query = parseHistoryQuery(c.req.raw)
      const candles = await orUnavailable(readCandles(c.env.DB, pair, query, now()), UNAVAILABLE)

      const points = candles.map(printCandle)
      if (query.csv) return csv(c, CANDLE_FIELDS, points)
      const { currency, name, origin, valueType } = pair
      return json(c, { currency, name, origin, valueType, interval: 'day', points })
    })
}

function pairOf({ currency, origin }: { currency: string; origin: string }): Pair {
  const pair = findPair(currency, origin)
  if (!pair) throw quoteNotFound()
  return pair
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

function csv<Column extends string>(
  c: Context<EdgeContext>,
  columns: readonly Column[],
  rows: readonly Readonly<Record<Column, CsvValue>>[],
): Response {
  return c.body(toCsv(columns, rows), 200, { 'Content-Type': CSV_TYPE, Vary: 'Accept' })
}
