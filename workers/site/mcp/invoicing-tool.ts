import * as z from 'zod'
import { argentineDay } from '../../../shared/argentine-time.ts'
import { readInvoicing } from '../../../shared/db/quotes/invoicing.ts'
import {
  findInvoicingCurrency,
  INVOICING_CURRENCIES,
  invoicingRate,
  isCloseKnown,
  parseIssueDate,
} from '../../../shared/market/invoicing.ts'
import { refuseFlood } from './refuse-flood.ts'
import { codes } from './schemas.ts'
import { defineTool, ToolError } from './tool.ts'
import { orUnavailable, type ToolContext } from './tool-context.ts'
import { CLOSE_UNKNOWN } from '../../../shared/sentences.ts'

/** The rate that an invoice must use. It reads the database, so it has the limit of date reads. */
export function invoicingTool(context: ToolContext) {
  return defineTool({
    name: 'invoicing_rate',
    title: 'Tipo de cambio para facturar',
    description:
      'El vendedor divisa del Banco Nación al cierre del día hábil anterior a la emisión, que pide la RG 5616/2024 para facturas en moneda extranjera.',
    input: z.strictObject({
      currency: codes(INVOICING_CURRENCIES.map(({ code }) => code)).describe('Moneda: usd, eur…'),
      date: z.string().optional().describe('Fecha de emisión, AAAA-MM-DD; sin ella, hoy'),
    }),
    output: z.object({
      currency: z.string(),
      name: z.string(),
      date: z.string(),
      rateDate: z.string().nullable().describe('De qué día es la cotización'),
      units: z.number().nullable().describe('Por cuántas unidades son los precios'),
      buy: z.number().nullable(),
      sell: z.number().nullable().describe('El que usa la factura'),
      publishedAt: z.string().nullable(),
      source: z.string().nullable(),
      rule: z.string(),
      stale: z
        .boolean()
        .nullable()
        .describe(
          'true: falta la del día hábil anterior y esta es más vieja; null: no hay ninguna',
        ),
    }),
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
