import * as z from 'zod'
import { conversion as conversionSchema, convertAmount } from '../../../shared/api/convert.ts'
import { MODES } from '../../../shared/board/board.ts'
import { pointOnBoard } from '../../../shared/board/current-quote.ts'
import { formatArgentine } from '../../../shared/argentine-time.ts'
import { quotesAsOf } from '../../../shared/db/quotes/points.ts'
import {
  type Conversion,
  conversionOf,
  convert,
  expressionOf,
} from '../../../shared/market/conversion.ts'
import { dateQuery } from '../../../shared/market/date-query.ts'
import { refuseFlood } from './refuse-flood.ts'
import { defineTool, ToolError } from './tool.ts'
import { orUnavailable, type ToolContext } from './tool-context.ts'
import { QUOTE_NOT_FOUND } from '../../../shared/sentences.ts'

const { format: _, ...input } = convertAmount.query!().shape
const { requestedAt, result, decimals, expression, origin } = conversionSchema().shape
const output = z.object({
  requestedAt,
  result,
  decimals,
  expression,
  origin,
  mode: z.enum(MODES).nullable().describe('live: precios reales'),
})

/** An amount in another currency, now or at a date, where the limit of date reads applies. */
export function convertTool(context: ToolContext) {
  return defineTool({
    ...convertAmount.tool!,
    input: z.strictObject(input),
    output,
    run: async ({ date, time, ...wanted }) => {
      const conversion = conversionOf(wanted)
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
    const quotes = legs.map(({ pair }) => {
      const point = pointOnBoard(board, pair)
      if (!point) throw new ToolError(QUOTE_NOT_FOUND)
      return point
    })
    return { quotes, requestedAt: null, mode: board.mode }
  }
  await refuseFlood(context)
  const query = dateQuery({ date, time }, context.now())
  if (!query.ok) throw new ToolError(query.refusal)

  const pairs = legs.map(({ pair }) => pair)
  const reading = quotesAsOf(context.env.DB, pairs, query.value.effectiveAt)
  const { quotes } = await orUnavailable(reading, 'date_read_failed')
  return { quotes, requestedAt: formatArgentine(query.value.requestedAt), mode: null }
}
