import type { Context, MiddlewareHandler } from 'hono'
import { Hono } from '../hono.ts'
import { convertAmount } from '../../../shared/api/convert.ts'
import type { Instant } from '../../../shared/argentine-time.ts'
import {
  type Conversion,
  CONVERSION_FIELDS,
  conversionOf,
  printConversion,
} from '../../../shared/market/conversion.ts'
import { dateQuery } from '../../../shared/market/date-query.ts'
import type { QuotedPoint } from '../../../shared/market/quoted-point.ts'
import type { AppDeps, EdgeContext } from '../context.ts'
import { badRequest, quoteNotFound, unavailable } from '../errors.ts'
import { maxAgeOfDay, TODAY_MAX_AGE } from '../http/cacheable.ts'
import { CSV_TYPE, toCsv } from '../../../shared/csv.ts'
import { respondDated } from '../date-responses.ts'
import { readQuotes } from '../db/read-quotes.ts'
import { route } from '../http/route.ts'
import { JSON_TYPE } from '../http/json.ts'
import { SERVICE_UNAVAILABLE } from '../../../shared/sentences.ts'
import { pointOnBoard } from '../../../shared/board/current-quote.ts'

const BOARD_RETRY_SECONDS = 15

/**
 * An amount in another currency: now, from the board in memory, or at a date, which counts as a
 * date read.
 */
export function convertRoutes(deps: AppDeps) {
  const app = new Hono<EdgeContext>()
  const limited: MiddlewareHandler<EdgeContext> = (c, next) =>
    c.req.query('date') === undefined ? next() : deps.dateRateLimit(c, next)

  route(app, convertAmount, [limited], async (c, { query, csv }) => {
    const now = deps.now()
    const { date, time } = query
    const conversion = conversionOf(query)
    if (!conversion.ok) {
      const { kind, text } = conversion.refusal
      throw kind === 'unknown_pair' ? quoteNotFound() : badRequest(text)
    }
    const asked = { conversion: conversion.value, csv, now }
    if (date === undefined) {
      if (time !== undefined) throw badRequest('time necesita date')
      const quotes = await currentQuotes(c, deps, conversion.value)
      return respond(c, deps, { ...asked, quotes, requestedAt: null })
    }
    const dated = dateQuery({ date, time }, now)
    if (!dated.ok) throw badRequest(dated.refusal)
    const { requestedAt, day } = dated.value
    const pairs = conversion.value.legs.map(({ pair }) => pair)
    const quotes = await readQuotes(c, pairs, dated.value)
    return respond(c, deps, { ...asked, quotes, requestedAt, maxAge: maxAgeOfDay(day, now) })
  })
  return app
}

async function currentQuotes(
  c: Context<EdgeContext>,
  { board, now }: AppDeps,
  { legs }: Conversion,
) {
  const read = await board.read(c.env, c.executionCtx as ExecutionContext, now)
  if (!read) {
    throw unavailable(SERVICE_UNAVAILABLE, BOARD_RETRY_SECONDS)
  }
  const quotes = legs.map(({ pair }) => pointOnBoard(read.board, pair))
  if (quotes.includes(null)) throw quoteNotFound()
  return quotes
}

interface Converted {
  conversion: Conversion
  quotes: readonly (QuotedPoint | null)[]
  csv: boolean
  /** Null for now. */
  requestedAt: number | null
  /** Seconds. */
  maxAge?: number
  /** An instant before the values were read. */
  now: Instant
}

function respond(c: Context<EdgeContext>, deps: AppDeps, answer: Converted): Promise<Response> {
  const { conversion, quotes, csv, requestedAt, maxAge = TODAY_MAX_AGE } = answer
  const printed = printConversion(conversion, quotes, requestedAt)
  if (!printed.ok) throw badRequest(printed.refusal)

  const cacheable = {
    body: csv ? csvOf(printed.value) : JSON.stringify(printed.value),
    contentType: csv ? CSV_TYPE : JSON_TYPE,
    maxAgeSeconds: maxAge,
    vary: 'Accept',
  }
  return respondDated(c, deps, cacheable, answer.now)
}

type Printed = Extract<ReturnType<typeof printConversion>, { ok: true }>['value']

/**
 * A leading negative number is bracketed: a spreadsheet may take a cell that begins with a minus sign
 * for a formula.
 */
function csvOf(printed: Printed): string {
  const expression = printed.expression?.replace(/^-[\d.]+/, '($&)') ?? null
  return toCsv([{ ...printed, expression }], CONVERSION_FIELDS)
}
