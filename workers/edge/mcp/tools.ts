/** The tools for assistants: how the arguments of each become requests of the API. */
import * as z from 'zod/mini'
import { conversion, convertAmount } from '../../../shared/api/convert.ts'
import {
  currentQuote,
  listQuotes,
  listQuotesOfCurrency,
  readQuote,
} from '../../../shared/api/current.ts'
import { datedQuote, listQuotesOfCurrencyAsOf, readQuoteAsOf } from '../../../shared/api/dates.ts'
import { codes } from '../../../shared/api/fields.ts'
import { invoicingRate, readInvoicingRate } from '../../../shared/api/invoicing.ts'
import { doc, type Operation } from '../../../shared/api/operation.ts'
import { findPair, type Pair, PAIRS, pairsOf } from '../../../shared/market/catalog.ts'
import { type DefinedTool, defineTool, ToolError } from './call-tool.ts'

/** Makes the tools and their schemas, which only a call of the MCP endpoint needs. */
export function makeTools(): readonly DefinedTool[] {
  const { date, currency, origin } = readQuoteAsOf.params!().shape
  const ofPair = { currency, origin: z.optional(origin) }
  const { format: _, ...dateOptions } = readQuoteAsOf.query!().shape
  const { format: __, ...convertOptions } = convertAmount.query!().shape
  const dollars = codes(pairsOf('usd')!.map((pair) => pair.origin))

  /** Quotes with their change of the day, which the API's lists do not have. */
  const current = {
    output: { quotes: z.array(currentQuote()) },
    fields: (quotes: unknown[]) => ({ quotes }),
  }

  return [
    defineTool({
      ...readQuote.tool!,
      ...current,
      input: z.strictObject({
        origin: doc(z.optional(dollars), 'Tipo de dólar; sin él, todos. bolsa es el MEP'),
      }),
      requests: ({ origin }) => readsOf(requestedPairs('usd', origin)),
    }),
    defineTool({
      ...listQuotesOfCurrency.tool!,
      ...current,
      input: z.strictObject(ofPair),
      requests: ({ currency, origin }) => readsOf(requestedPairs(currency, origin)),
    }),
    defineTool({
      ...listQuotes.tool!,
      ...current,
      input: z.strictObject({}),
      requests: () => readsOf(PAIRS),
    }),
    defineTool({
      ...readQuoteAsOf.tool!,
      input: z.strictObject({ date, ...ofPair, ...dateOptions }),
      output: { quotes: z.array(datedQuote()) },
      requests: (values) => {
        requestedPairs(values.currency, values.origin)
        return [pathOf(values.origin ? readQuoteAsOf : listQuotesOfCurrencyAsOf, values)]
      },
      fields: (answers) => ({ quotes: answers.flat() }),
    }),
    defineTool({
      ...convertAmount.tool!,
      input: z.strictObject(convertOptions),
      output: conversion().shape,
      requests: (values) => [pathOf(convertAmount, values)],
      fields: ([answer]) => answer as object,
    }),
    defineTool({
      ...readInvoicingRate.tool!,
      input: z.strictObject({
        ...readInvoicingRate.params!().shape,
        date: readInvoicingRate.query!().shape.date,
      }),
      output: invoicingRate().shape,
      requests: (values) => [pathOf(readInvoicingRate, values)],
      fields: ([answer]) => answer as object,
    }),
  ]
}

const readsOf = (pairs: readonly Pair[]) =>
  pairs.map(({ currency, origin }) => pathOf(readQuote, { currency, origin }))

/** The path and query of an operation with these values. */
function pathOf({ path }: Pick<Operation, 'path'>, values: Record<string, unknown>): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(values)) {
    if (value !== undefined && !path.includes(`{${name}}`)) query.set(name, String(value))
  }
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(values[name])),
  )
  return query.size === 0 ? filled : `${filled}?${query}`
}

/** The pairs of a currency, or the pair of an origin. An unknown origin throws a tool error. */
function requestedPairs(currency: string, origin: string | undefined): readonly Pair[] {
  const all = pairsOf(currency)!
  if (origin === undefined) return all

  const pair = findPair(currency, origin)
  if (pair) return [pair]

  const origins = all.map((pair) => pair.origin.toLowerCase()).join(', ')
  throw new ToolError(`Cotización no encontrada: ${currency} tiene ${origins}`)
}
