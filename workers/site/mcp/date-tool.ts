import * as z from 'zod'
import { type DateQuery, parseDateQuery } from '../../../shared/market/date-query.ts'
import { datedQuote } from '../../../shared/market/dated-quote.ts'
import { quotesAsOf } from '../../../shared/db/quotes/points.ts'
import type { Pair } from '../../../shared/market/catalog.ts'
import { requestedPairs } from './requested-pairs.ts'
import { refuseFlood } from './refuse-flood.ts'
import { currency, datedQuotes, origin, timeOfDay } from './schemas.ts'
import { defineTool, ToolError } from './tool.ts'
import { orUnavailable, type ToolContext } from './tool-context.ts'

/**
 * The value in effect at a past instant. It reads the database, so it has the limit of date reads.
 */
export function dateTool(context: ToolContext) {
  return defineTool({
    name: 'quote_at_date',
    title: 'Cotización a una fecha',
    description:
      'Valor de una moneda/origen en una fecha pasada: el que regía en ese momento, nunca uno posterior.',
    input: z.strictObject({
      date: z.string().describe('Día argentino, AAAA-MM-DD, no posterior a hoy'),
      currency,
      origin: origin.optional(),
      time: timeOfDay.optional(),
      max_age: z
        .int()
        .min(0)
        .optional()
        .describe('Antigüedad máxima en segundos; un valor más viejo viene sin precios'),
    }),
    output: datedQuotes,
    run: async ({ date, currency, origin, time, max_age: maxAge }) => {
      await refuseFlood(context)
      const pairs = requestedPairs(currency, origin)
      const query = parseDateQuery(
        { date, time: time ?? null, maxAge: maxAge === undefined ? null : String(maxAge) },
        context.now(),
      )
      if (!query.ok) throw new ToolError(query.refusal)

      return { quotes: await read(context, pairs, query.value) }
    },
  })
}

async function read({ env }: ToolContext, pairs: readonly Pair[], query: DateQuery) {
  const reading = quotesAsOf(env.DB, pairs, query.effectiveAt)
  const { quotes } = await orUnavailable(reading, 'date_read_failed')
  return pairs.map((pair, index) => datedQuote(pair, quotes[index] ?? null, query))
}
