import type { Context, MiddlewareHandler } from 'hono'
import { Hono } from '../hono.ts'
import { convertAmount } from '../../../shared/api/convert.ts'
import type { Pair } from '../../../shared/market/catalog.ts'
import {
  CONVERSION_FIELDS,
  conversionOf,
  printConversion,
} from '../../../shared/market/conversion.ts'
import { dateQuery } from '../../../shared/market/date-query.ts'
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
    const conversion = conversionOf(query)
    if (!conversion.ok) {
      const { kind, text } = conversion.refusal
      throw kind === 'unknown_pair' ? quoteNotFound() : badRequest(text)
    }
    const pairs = conversion.value.legs.map(({ pair }) => pair)
    const { date, time } = query
    if (date === undefined && time !== undefined) throw badRequest('time necesita date')
    const dated = date === undefined ? null : dateQuery({ date, time }, now)
    if (dated && !dated.ok) throw badRequest(dated.refusal)

    const quotes = dated
      ? await readQuotes(c, pairs, dated.value)
      : await currentQuotes(c, deps, pairs)
    const requestedAt = dated && dated.value.requestedAt
    const printed = printConversion(conversion.value, quotes, requestedAt)
    if (!printed.ok) throw badRequest(printed.refusal)
    const answer = {
      body: csv ? csvOf(printed.value) : JSON.stringify(printed.value),
      contentType: csv ? CSV_TYPE : JSON_TYPE,
      maxAgeSeconds: dated ? maxAgeOfDay(dated.value.day, now) : TODAY_MAX_AGE,
      vary: 'Accept',
    }
    return respondDated(c, deps, answer, now)
  })
  return app
}

async function currentQuotes(
  c: Context<EdgeContext>,
  { board, now }: AppDeps,
  pairs: readonly Pair[],
) {
  const read = await board.read(c.env, c.executionCtx as ExecutionContext, now)
  if (!read) throw unavailable(SERVICE_UNAVAILABLE, BOARD_RETRY_SECONDS)

  const quotes = pairs.map((pair) => pointOnBoard(read.board, pair))
  if (quotes.includes(null)) throw quoteNotFound()
  return quotes
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
