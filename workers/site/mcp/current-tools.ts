import * as z from 'zod'
import { requestedPairs } from './requested-pairs.ts'
import { printQuoteWithChange } from '../../../shared/board/current-quote.ts'
import { type Pair, PAIRS } from '../../../shared/market/catalog.ts'
import { currency, currentQuotes, dollarOrigin, origin } from './schemas.ts'
import { defineTool, ToolError } from './tool.ts'
import type { ToolContext } from './tool-context.ts'
import { QUOTE_NOT_FOUND } from '../../../shared/sentences.ts'

/** The tools over the current quotes. */
export function currentTools(context: ToolContext) {
  return [
    defineTool({
      name: 'dollar_quote',
      title: 'Cotización del dólar',
      description:
        'Devuelve la cotización actual del dólar en Argentina: blue, oficial, MEP (bolsa), CCL, cripto, tarjeta y demás, o una sola.',
      input: z.strictObject({ origin: dollarOrigin.optional() }),
      output: currentQuotes,
      run: ({ origin }) => quotesOf(context, requestedPairs('usd', origin)),
    }),
    defineTool({
      name: 'currency_quote',
      title: 'Cotización de una moneda',
      description:
        'Cotización actual de cualquier moneda del mercado argentino: usd, eur, brl, clp, uyu, o índices arg (riesgo país, CER, UVA).',
      input: z.strictObject({ currency, origin: origin.optional() }),
      output: currentQuotes,
      run: ({ currency, origin }) => quotesOf(context, requestedPairs(currency, origin)),
    }),
    defineTool({
      name: 'all_quotes',
      title: 'Listar todas las cotizaciones',
      description:
        'Lista todas las cotizaciones e índices disponibles con su valor actual (todas las monedas y orígenes de una sola vez).',
      input: z.strictObject({}),
      output: currentQuotes,
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
