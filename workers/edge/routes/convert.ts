import type { Context, MiddlewareHandler } from 'hono'
import { CONVERSION_COLUMNS, convertAmount } from '../../../shared/api/convert.ts'
import type { Pair } from '../../../shared/market/catalog.ts'
import type { EdgeContext } from '../context.ts'
import { badRequest, quoteNotFound } from '../errors.ts'
import { CSV_TYPE, toCsv } from '../../../shared/csv.ts'
import { JSON_TYPE } from '../http/answer.ts'
import { dateQuery, maxAgeOfDay, readQuotes, respondDated, TODAY_MAX_AGE } from '../http/dated.ts'
import { type App, type AppDeps, route } from '../http/route.ts'
import { type Board, quoteOf } from '../../../shared/board/board.ts'
import { numberToPrice, type QuotedPoint } from '../../../shared/market/price.ts'
import { conversionOf, printConversion } from './conversion.ts'

/** Converts an amount: now, from the board in memory, or at a date, which counts as a date read. */
export function convertRoutes(app: App, deps: AppDeps): void {
  const limited: MiddlewareHandler<EdgeContext> = (c, next) =>
    c.req.query('date') === undefined ? next() : deps.dateRateLimit(c, next)

  route(app, convertAmount, [limited], async (c, { query, csv }) => {
    const now = deps.now()
    const conversion = conversionOf(query)
    const pairs = conversion.legs.map(({ pair }) => pair)
    const { date, time } = query
    if (date === undefined && time !== undefined) throw badRequest('time necesita date')
    const dated = date === undefined ? null : dateQuery(date, time, now)

    const quotes = dated ? await readQuotes(c, pairs, dated) : await currentQuotes(c, deps, pairs)
    const printed = printConversion(conversion, quotes, dated && dated.requestedAt)
    const answer = {
      body: csv ? csvOf(printed) : JSON.stringify(printed),
      contentType: csv ? CSV_TYPE : JSON_TYPE,
      maxAgeSeconds: dated ? maxAgeOfDay(dated.day, now) : TODAY_MAX_AGE,
      vary: 'Accept',
    }
    return respondDated(c, deps, answer, now)
  })
}

async function currentQuotes(c: Context<EdgeContext>, deps: AppDeps, pairs: readonly Pair[]) {
  const { board } = await deps.board.mustRead(c)
  const quotes = pairs.map((pair) => pointOnBoard(board, pair))
  if (quotes.includes(null)) throw quoteNotFound()
  return quotes
}

/** The value in effect of a pair; null when it was never quoted. */
function pointOnBoard(board: Board, { currency, origin }: Pair): QuotedPoint | null {
  const quote = quoteOf(board, currency, origin)
  if (!quote) return null
  const { buy, sell, updatedAt } = quote
  return { at: Date.parse(updatedAt), buy: numberToPrice(buy), sell: numberToPrice(sell) }
}

/**
 * A leading negative number is in parentheses: a spreadsheet may take a cell that begins with a
 * minus sign for a formula.
 */
function csvOf(printed: ReturnType<typeof printConversion>): string {
  const expression = printed.expression?.replace(/^-[\d.]+/, '($&)') ?? null
  return toCsv([{ ...printed, expression }], CONVERSION_COLUMNS)
}
