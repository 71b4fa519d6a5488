import * as z from 'zod'
import { invoicingRate as rateSchema, readInvoicingRate } from '../../../shared/api/invoicing.ts'
import { argentineDay } from '../../../shared/argentine-time.ts'
import { readInvoicing } from '../../../shared/db/quotes/invoicing.ts'
import {
  findInvoicingCurrency,
  invoicingRate,
  isCloseKnown,
  parseIssueDate,
} from '../../../shared/market/invoicing.ts'
import { refuseFlood } from './refuse-flood.ts'
import { defineTool, ToolError } from './tool.ts'
import { orUnavailable, type ToolContext } from './tool-context.ts'
import { CLOSE_UNKNOWN } from '../../../shared/sentences.ts'

const { date } = readInvoicingRate.query!.shape

/** The rate that an invoice must use. It reads the database, so it has the limit of date reads. */
export function invoicingTool(context: ToolContext) {
  return defineTool({
    ...readInvoicingRate.tool!,
    input: z.strictObject({ ...readInvoicingRate.params!.shape, date }),
    output: rateSchema,
    run: async ({ currency: code, date: text }) => {
      await refuseFlood(context)
      const now = context.now()
      const date = parseIssueDate(text ?? null, now)
      if (!date.ok) throw new ToolError(date.refusal)

      const currency = findInvoicingCurrency(code)!
      const reading = readInvoicing(context.env.DB, [currency.code], date.value, now)
      const known = await orUnavailable(reading, 'invoicing_read_failed')
      if (date.value > argentineDay(now) && !isCloseKnown(now, known))
        throw new ToolError(CLOSE_UNKNOWN)
      return invoicingRate(currency, date.value, known.rates[0] ?? null, known)
    },
  })
}
