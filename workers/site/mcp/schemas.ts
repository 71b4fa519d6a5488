/** The schemas of the tools' input and output, as clients see them. */
import * as z from 'zod'
import { CURRENCIES, ORIGINS, pairsOf } from '../../../shared/market/catalog.ts'
import { MODES } from '../../../shared/board/board.ts'

/** Codes of the catalogue, accepted in any letter case and shown in lower case. */
export const codes = (all: readonly string[]) =>
  z.preprocess(
    (value) => (typeof value === 'string' ? value.toLowerCase() : value),
    z.enum(all.map((code) => code.toLowerCase())),
  )

export const currency = codes(CURRENCIES).describe(
  'Moneda: usd, eur, brl, clp, uyu, o arg para los índices argentinos',
)
export const origin = codes(ORIGINS).describe(
  'Tipo de cotización; sin él, todas las de la moneda. No toda moneda tiene todas',
)
export const dollarOrigin = codes(pairsOf('usd')!.map((pair) => pair.origin)).describe(
  'Tipo de dólar; sin él, todos. bolsa es el MEP',
)

export const timeOfDay = z
  .string()
  .describe('Hora argentina, HH:MM o HH:MM:SS; sin ella, el final del día. Necesita date')

const quote = {
  currency: z.string(),
  name: z.string().describe('Nombre legible del par'),
  origin: z.string(),
  valueType: z
    .string()
    .describe('money: pesos; points: puntos (riesgo país); coefficient: coeficiente (CER)'),
}

/** Other than `live`: simulated or replayed prices. */
const mode = z.enum(MODES).describe('live: precios reales')

export const currentQuotes = z.object({
  mode,
  quotes: z.array(
    z.object({
      ...quote,
      buy: z.number().describe('Compra, en pesos por unidad'),
      sell: z.number().describe('Venta, en pesos por unidad, o el valor del índice'),
      updatedAt: z.string().describe('Cuándo cambió el valor por última vez, hora argentina'),
      lastScrapedAt: z.string().describe('Cuándo una fuente lo confirmó por última vez'),
      change: z
        .object({ amount: z.number(), percent: z.number(), referenceValue: z.number() })
        .nullable()
        .describe('Variación de la venta contra el cierre del día anterior'),
    }),
  ),
})

export const datedQuotes = z.object({
  quotes: z.array(
    z.object({
      ...quote,
      requestedAt: z.string().describe('El instante pedido, hora argentina'),
      buy: z.number().nullable().describe('Compra; null si el par todavía no cotizaba'),
      sell: z.number().nullable().describe('Venta; null si el par todavía no cotizaba'),
      quotedAt: z.string().nullable().describe('Desde cuándo regía ese valor'),
      sameDay: z.boolean(),
      daysStale: z.number().nullable().describe('Días de antigüedad del valor'),
      ageSeconds: z.number().nullable(),
    }),
  ),
})
