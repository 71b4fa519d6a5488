import * as z from 'zod'
import { datedQuote as datedQuoteSchema, readQuoteAsOf } from '../../../shared/api/dates.ts'
import { dateQuery, type DateQuery } from '../../../shared/market/date-query.ts'
import { datedQuote } from '../../../shared/market/dated-quote.ts'
import { quotesAsOf } from '../../../shared/db/quotes/points.ts'
import type { Pair } from '../../../shared/market/catalog.ts'
import { requestedPairs } from './requested-pairs.ts'
import { refuseFlood } from './refuse-flood.ts'
import { defineTool, ToolError } from './tool.ts'
import { orUnavailable, type ToolContext } from './tool-context.ts'

const { date, currency, origin } = readQuoteAsOf.params!.shape
const { format: _, ...query } = readQuoteAsOf.query!.shape
const input = z.strictObject({ date, currency, origin: origin.optional(), ...query })

/**
 * The value in effect at a past instant. It reads the database, so it has the limit of date reads.
 */
export function dateTool(context: ToolContext) {
  return defineTool({
    ...readQuoteAsOf.tool!,
    input,
    output: z.object({ quotes: z.array(datedQuoteSchema) }),
    run: async ({ date, currency, origin, time, max_age: maxAge }) => {
      await refuseFlood(context)
      const pairs = requestedPairs(currency, origin)
      const query = dateQuery({ date, time, maxAge }, context.now())
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
