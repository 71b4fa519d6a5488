/** The tools, each an operation of the API that is marked so, and what it answers. */
import * as z from 'zod'
import { conversion as conversionSchema, convertAmount } from '../../../shared/api/convert.ts'
import {
  currentQuote,
  listQuotes,
  listQuotesOfCurrency,
  readQuote,
} from '../../../shared/api/current.ts'
import { datedQuote as datedQuoteSchema, readQuoteAsOf } from '../../../shared/api/dates.ts'
import { codes } from '../../../shared/api/fields.ts'
import { invoicingRate as rateSchema, readInvoicingRate } from '../../../shared/api/invoicing.ts'
import { MODES } from '../../../shared/board/board.ts'
import { pointOnBoard, printQuoteWithChange } from '../../../shared/board/current-quote.ts'
import { readInvoicing } from '../../../shared/db/quotes/invoicing.ts'
import { quotesAsOf } from '../../../shared/db/quotes/points.ts'
import { findPair, type Pair, PAIRS, pairsOf } from '../../../shared/market/catalog.ts'
import { conversionOf, printConversion } from '../../../shared/market/conversion.ts'
import { dateQuery, type RequestedDate } from '../../../shared/market/date-query.ts'
import { datedQuote } from '../../../shared/market/dated-quote.ts'
import {
  findInvoicingCurrency,
  invoicingRate,
  isCloseKnown,
  parseIssueDate,
} from '../../../shared/market/invoicing.ts'
import { CLOSE_UNKNOWN, QUOTE_NOT_FOUND } from '../../../shared/sentences.ts'
import { defineTool, orUnavailable, type ToolContext, ToolError, valueOf } from './tool.ts'

const { date, currency, origin } = readQuoteAsOf.params!().shape
const ofPair = { currency, origin: z.optional(origin) }
const { format: _, ...dateOptions } = readQuoteAsOf.query!().shape
const { format: __, ...convertOptions } = convertAmount.query!().shape
const dollars = codes(pairsOf('usd')!.map((pair) => pair.origin))
const mode = z.enum(MODES)

/** The tools over the current quotes. */
export function currentTools(context: ToolContext) {
  const output = z.object({ mode, quotes: z.array(currentQuote()) })
  return [
    defineTool({
      ...readQuote.tool!,
      input: z.strictObject({
        origin: z.optional(dollars).describe('Tipo de dólar; sin él, todos. bolsa es el MEP'),
      }),
      output,
      run: ({ origin }) => currentQuotes(context, requestedPairs('usd', origin)),
    }),
    defineTool({
      ...listQuotesOfCurrency.tool!,
      input: z.strictObject(ofPair),
      output,
      run: ({ currency, origin }) => currentQuotes(context, requestedPairs(currency, origin)),
    }),
    defineTool({
      ...listQuotes.tool!,
      input: z.strictObject({}),
      output,
      run: () => currentQuotes(context, PAIRS),
    }),
  ]
}

async function currentQuotes({ readBoard, now }: ToolContext, pairs: readonly Pair[]) {
  const { mode, quotes } = await readBoard()
  const instant = now()
  const shown = quotes
    .filter((quote) =>
      pairs.some(({ currency, origin }) => quote.currency === currency && quote.origin === origin),
    )
    .map((quote) => printQuoteWithChange(quote, instant))
  if (shown.length === 0) throw new ToolError(QUOTE_NOT_FOUND)

  return { mode, quotes: shown }
}

/** The value in effect at a past instant. */
export function dateTool(context: ToolContext) {
  return defineTool({
    ...readQuoteAsOf.tool!,
    input: z.strictObject({ date, ...ofPair, ...dateOptions }),
    output: z.object({ quotes: z.array(datedQuoteSchema()) }),
    run: async ({ currency, origin, max_age: maxAge, ...requested }) => {
      refuseFlood(context)
      const pairs = requestedPairs(currency, origin)
      const { query, points } = await pointsAsOf(context, pairs, requested)
      const quotes = pairs.map((pair, index) => datedQuote(pair, points[index]!, query, maxAge))
      return { quotes }
    },
  })
}

/** An amount in another currency, now or at a date. */
export function convertTool(context: ToolContext) {
  return defineTool({
    ...convertAmount.tool!,
    input: z.strictObject(convertOptions),
    output: z.object({
      ...conversionSchema().shape,
      mode: mode.nullable().describe('live: precios reales'),
    }),
    run: async ({ date, time, ...wanted }) => {
      const conversion = conversionOf(wanted)
      if (!conversion.ok) throw new ToolError(conversion.refusal.text)
      const pairs = conversion.value.legs.map(({ pair }) => pair)

      if (date === undefined) {
        if (time !== undefined) throw new ToolError('time necesita date')
        const board = await context.readBoard()
        const points = pairs.map((pair) => pointOnBoard(board, pair))
        if (points.includes(null)) throw new ToolError(QUOTE_NOT_FOUND)
        return { ...valueOf(printConversion(conversion.value, points, null)), mode: board.mode }
      }
      refuseFlood(context)
      const { query, points } = await pointsAsOf(context, pairs, { date, time })
      const printed = printConversion(conversion.value, points, query.requestedAt)
      return { ...valueOf(printed), mode: null }
    },
  })
}

/** The rate that an invoice must use. */
export function invoicingTool(context: ToolContext) {
  return defineTool({
    ...readInvoicingRate.tool!,
    input: z.strictObject({
      ...readInvoicingRate.params!().shape,
      date: readInvoicingRate.query!().shape.date,
    }),
    output: z.object(rateSchema().shape),
    run: async ({ currency: code, date: text }) => {
      refuseFlood(context)
      const now = context.now()
      const date = valueOf(parseIssueDate(text ?? null, now))
      const currency = findInvoicingCurrency(code)!
      const reading = readInvoicing(context.env.DB, [currency.code], date, now)
      const known = await orUnavailable(reading, 'invoicing_read_failed')
      if (!isCloseKnown(date, now, known)) throw new ToolError(CLOSE_UNKNOWN)
      return invoicingRate(currency, date, known.rates[0] ?? null, known)
    },
  })
}

/**
 * The pairs of a currency, or the pair with an origin; else a tool error that names the existing
 * ones.
 */
function requestedPairs(currency: string, origin: string | undefined): readonly Pair[] {
  const all = pairsOf(currency)!
  if (origin === undefined) return all

  const pair = findPair(currency, origin)
  if (pair) return [pair]

  const origins = all.map((pair) => pair.origin.toLowerCase()).join(', ')
  throw new ToolError(`Cotización no encontrada: ${currency} tiene ${origins}`)
}

/** Counts a read of the database against its client's limit of date reads. */
function refuseFlood({ admitDate }: ToolContext): void {
  const admission = admitDate()
  if (admission.allowed) return

  const { retryAfterSeconds } = admission
  throw new ToolError(
    `Demasiadas consultas por fecha: probá de nuevo en ${retryAfterSeconds} segundos`,
  )
}

async function pointsAsOf(
  { env, now }: ToolContext,
  pairs: readonly Pair[],
  requested: RequestedDate,
) {
  const query = valueOf(dateQuery(requested, now()))
  const reading = quotesAsOf(env.DB, pairs, query.effectiveAt)
  const { quotes } = await orUnavailable(reading, 'date_read_failed')
  return { query, points: quotes }
}
