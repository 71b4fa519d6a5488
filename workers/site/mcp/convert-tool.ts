import * as z from 'zod'
import { type Board, quoteOf, MODES } from '../../../shared/board/board.ts'
import { formatArgentine } from '../../../shared/argentine-time.ts'
import { quotesAsOf } from '../../../shared/db/quotes/points.ts'
import {
  type Conversion,
  convert,
  DEFAULT_DECIMALS,
  expressionOf,
  MAX_DECIMALS,
  MONEY_CODES,
  parseConversion,
  SIDES,
} from '../../../shared/market/conversion.ts'
import { parseDateQuery } from '../../../shared/market/date-query.ts'
import { numberToPrice } from '../../../shared/market/price.ts'
import type { QuotedPoint } from '../../../shared/market/quoted-point.ts'
import { refuseFlood } from './refuse-flood.ts'
import { codes, origin, timeOfDay } from './schemas.ts'
import { defineTool, ToolError } from './tool.ts'
import { orUnavailable, type ToolContext } from './tool-context.ts'
import { QUOTE_NOT_FOUND } from '../../../shared/sentences.ts'

const money = codes(MONEY_CODES)

/** An amount in another currency, now or at a date, where the limit of date reads applies. */
export function convertTool(context: ToolContext) {
  return defineTool({
    name: 'convert_amount',
    title: 'Convertir un monto',
    description:
      'Cuánto es un monto en otra moneda, con la cuenta exacta: entre pesos (ars) y usd, eur, brl, clp o uyu, o entre dos de ellas.',
    input: z.strictObject({
      amount: z.string().describe('El monto, con punto decimal: 1500.50'),
      from: money.describe('De qué moneda; ars son pesos'),
      to: money.describe('A qué moneda'),
      origin: origin.optional().describe('De qué cotización; sin él, oficial'),
      side: z.enum(SIDES).optional().describe('sell: venta (sin él); buy: compra; mid: promedio'),
      date: z.string().optional().describe('Día argentino, AAAA-MM-DD; sin él, ahora'),
      time: timeOfDay.optional(),
      decimals: z
        .int()
        .min(0)
        .max(MAX_DECIMALS)
        .optional()
        .describe(
          `Decimales del resultado; sin él, ${DEFAULT_DECIMALS}, o los que dejen dos cifras significativas`,
        ),
    }),
    output: z.object({
      requestedAt: z.string().nullable().describe('El instante pedido; null es ahora'),
      result: z.number().nullable().describe('El monto convertido; null si todavía no cotizaba'),
      decimals: z.number().describe('Decimales del resultado'),
      expression: z.string().nullable().describe('La cuenta que se hizo'),
      origin: z.string(),
      mode: z.enum(MODES).nullable().describe('live: precios reales'),
    }),
    run: async ({ amount, from, to, origin, side, date, time, decimals }) => {
      const conversion = parseConversion({
        amount,
        from,
        to,
        decimals: decimals === undefined ? null : String(decimals),
        origin: origin ?? null,
        side: side ?? null,
      })
      if (!conversion.ok) throw new ToolError(conversion.refusal.text)
      const { quotes, ...rest } = await quotesOf(context, conversion.value, { date, time })
      const result = convert(conversion.value, quotes)
      if (!result.ok) throw new ToolError(result.refusal)

      return {
        ...rest,
        result: result.value.result === null ? null : Number(result.value.result),
        decimals: result.value.decimals,
        expression: expressionOf(conversion.value, quotes),
        origin: conversion.value.origin,
      }
    },
  })
}

async function quotesOf(
  context: ToolContext,
  { legs }: Conversion,
  { date, time }: Record<'date' | 'time', string | undefined>,
) {
  if (date === undefined) {
    if (time !== undefined) throw new ToolError('time necesita date')
    const board = await context.readBoard()
    const quotes = legs.map((leg) => currentQuote(board, leg))
    return { quotes, requestedAt: null, mode: board.mode }
  }
  await refuseFlood(context)
  const query = parseDateQuery({ date, time: time ?? null, maxAge: null }, context.now())
  if (!query.ok) throw new ToolError(query.refusal)

  const pairs = legs.map(({ pair }) => pair)
  const reading = quotesAsOf(context.env.DB, pairs, query.value.effectiveAt)
  const { quotes } = await orUnavailable(reading, 'date_read_failed')
  return { quotes, requestedAt: formatArgentine(query.value.requestedAt), mode: null }
}

function currentQuote(board: Board, { pair }: Conversion['legs'][number]): QuotedPoint {
  const quote = quoteOf(board, pair.currency, pair.origin)
  if (!quote) throw new ToolError(QUOTE_NOT_FOUND)
  const { buy, sell, updatedAt } = quote
  return { at: Date.parse(updatedAt), buy: numberToPrice(buy), sell: numberToPrice(sell) }
}
