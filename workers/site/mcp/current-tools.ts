import * as z from 'zod'
import { requestedPairs } from './requested-pairs.ts'
import { printQuoteWithChange } from '../../../shared/board/current-quote.ts'
import { MODES } from '../../../shared/board/board.ts'
import { type Pair, PAIRS, pairsOf } from '../../../shared/market/catalog.ts'
import {
  currentQuote,
  listQuotes,
  listQuotesOfCurrency,
  readQuote,
} from '../../../shared/api/current.ts'
import { codes, ofPair } from '../../../shared/api/fields.ts'
import { defineTool, ToolError } from './tool.ts'
import type { ToolContext } from './tool-context.ts'
import { QUOTE_NOT_FOUND } from '../../../shared/sentences.ts'

const { currency, origin } = ofPair().shape
const input = z.strictObject({ currency, origin: z.optional(origin) })
const dollars = z.strictObject({
  origin: z
    .optional(codes(pairsOf('usd')!.map((pair) => pair.origin)))
    .describe('Tipo de dólar; sin él, todos. bolsa es el MEP'),
})
const output = z.object({ mode: z.enum(MODES), quotes: z.array(currentQuote()) })

/** The tools over the current quotes. */
export function currentTools(context: ToolContext) {
  return [
    defineTool({
      ...readQuote.tool!,
      input: dollars,
      output,
      run: ({ origin }) => quotesOf(context, requestedPairs('usd', origin)),
    }),
    defineTool({
      ...listQuotesOfCurrency.tool!,
      input,
      output,
      run: ({ currency, origin }) => quotesOf(context, requestedPairs(currency, origin)),
    }),
    defineTool({
      ...listQuotes.tool!,
      input: z.strictObject({}),
      output,
      run: () => quotesOf(context, PAIRS),
    }),
  ]
}

async function quotesOf(context: ToolContext, pairs: readonly Pair[]) {
  const board = await context.readBoard()
  const now = context.now()
  const quotes = board.quotes
    .filter((quote) =>
      pairs.some(({ currency, origin }) => quote.currency === currency && quote.origin === origin),
    )
    .map((quote) => printQuoteWithChange(quote, now))
  if (quotes.length === 0) throw new ToolError(QUOTE_NOT_FOUND)

  return { mode: board.mode, quotes }
}
