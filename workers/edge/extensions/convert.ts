import type { Context } from 'hono'
import { Hono } from '../hono.ts'
import { formatArgentine, type Instant } from '../../../shared/argentine-time.ts'
import {
  type Conversion,
  convert,
  expressionOf,
  parseConversion,
  priceOf,
} from '../../../shared/market/conversion.ts'
import { parseDateQuery } from '../../../shared/market/date-query.ts'
import { priceToNumber } from '../../../shared/market/price.ts'
import type { QuotedPoint } from '../../../shared/market/quoted-point.ts'
import type { AppDeps, EdgeContext } from '../context.ts'
import { pointOnBoard } from '../current/point-on-board.ts'
import { badRequest, quoteNotFound, unavailable } from '../errors.ts'
import { maxAgeOfDay, TODAY_MAX_AGE } from '../http/cacheable.ts'
import { CSV_TYPE, toCsv } from '../http/csv.ts'
import { respondDated } from '../date-responses.ts'
import { readQuotes } from '../db/read-quotes.ts'
import { readQuery } from '../../../shared/query.ts'
import { wantsCsv } from '../http/wants-csv.ts'
import { JSON_TYPE } from '../http/json.ts'
import { SERVICE_UNAVAILABLE } from '../../../shared/sentences.ts'

const PARAMETERS = ['amount', 'from', 'to', 'origin', 'side', 'decimals', 'date', 'time', 'format']
const FIELDS = [
  'requestedAt',
  'amount',
  'from',
  'to',
  'origin',
  'side',
  'result',
  'decimals',
  'expression',
] as const

const BOARD_RETRY_SECONDS = 15

/**
 * An amount in another currency: now, from the board in memory, or at a date, which counts as a
 * date read.
 */
export function convertRoutes(deps: AppDeps) {
  const { dateRateLimit } = deps

  return new Hono<EdgeContext>().get(
    '/api/v2/convert',
    (c, next) => (c.req.query('date') === undefined ? next() : dateRateLimit(c, next)),
    async (c) => {
      const now = deps.now()
      const query = readQuery(c.req.raw, PARAMETERS)
      const conversion = conversionOf(query)
      const csv = wantsCsv(query, c.req.raw)
      const date = query.get('date')
      if (date === null && query.has('time')) throw badRequest('time necesita date')

      if (date === null) {
        const quotes = await currentQuotes(c, deps, conversion)
        return respond(c, deps, { conversion, quotes, csv, requestedAt: null, now })
      }
      const parsed = parseDateQuery({ date, time: query.get('time'), maxAge: null }, now)
      if (!parsed.ok) throw badRequest(parsed.refusal)
      const { requestedAt, day } = parsed.value
      const pairs = conversion.legs.map(({ pair }) => pair)
      const quotes = await readQuotes(c, pairs, parsed.value)
      const maxAge = maxAgeOfDay(day, now)
      return respond(c, deps, { conversion, quotes, csv, requestedAt, maxAge, now })
    },
  )
}

function conversionOf(query: URLSearchParams): Conversion {
  const conversion = parseConversion({
    amount: query.get('amount'),
    from: query.get('from'),
    to: query.get('to'),
    origin: query.get('origin'),
    side: query.get('side'),
    decimals: query.get('decimals'),
  })
  if (conversion.ok) return conversion.value
  if (conversion.refusal.kind === 'unknown_pair') throw quoteNotFound()
  throw badRequest(conversion.refusal.text)
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
  const { amount, legs, ...rest } = conversion
  const result = convert(conversion, quotes)
  if (!result.ok) throw badRequest(result.refusal)

  const expression = expressionOf(conversion, quotes)
  const body = {
    requestedAt: requestedAt === null ? null : formatArgentine(requestedAt),
    amount: Number(amount),
    ...rest,
    decimals: result.value.decimals,
    result: result.value.result === null ? null : Number(result.value.result),
    rounding: 'half_away_from_zero',
    expression,
    legs: legs.map((leg, index) => printLeg(leg, quotes[index] ?? null, conversion.side)),
  }
  const printed = {
    body: csv
      ? toCsv(FIELDS, [{ ...body, expression: expression && inCell(expression) }])
      : JSON.stringify(body),
    contentType: csv ? CSV_TYPE : JSON_TYPE,
    maxAgeSeconds: maxAge,
    vary: 'Accept',
  }
  return respondDated(c, deps, printed, answer.now)
}

/**
 * Brackets a leading negative number: a spreadsheet may take a cell that begins with a minus sign
 * for a formula.
 */
function inCell(expression: string): string {
  return expression.replace(/^-[\d.]+/, '($&)')
}

function printLeg(
  { pair, operation }: Conversion['legs'][number],
  quote: QuotedPoint | null,
  side: Conversion['side'],
) {
  return {
    currency: pair.currency,
    origin: pair.origin,
    name: pair.name,
    operation,
    buy: quote && priceToNumber(quote.buy),
    sell: quote && priceToNumber(quote.sell),
    price: priceOf(quote, side),
    quotedAt: quote && formatArgentine(quote.at),
  }
}
