/** The forms of the contract's answers. */
import * as z from 'zod'
import { CURRENCIES, ORIGINS } from '../../shared/market/catalog.ts'

/** `YYYY-MM-DDTHH:MM:SS.mmm-03:00`. */
export const argentine = z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}-03:00$/)
export const utc = z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
export const uuid = z.string().regex(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)

/** At most the four decimals that any pair keeps: no noise of floats. */
const price = z
  .number()
  .refine((value) => /^\d+(\.\d{1,4})?$/.test(String(value)), 'has float noise')
const valueType = z.enum(['money', 'points', 'coefficient'])
const pair = { currency: z.enum(CURRENCIES), name: z.string().min(1), origin: z.enum(ORIGINS) }

export const quote = z.strictObject({
  ...pair,
  buy: price,
  sell: price,
  updatedAt: argentine,
  lastScrapedAt: argentine,
  valueType,
})
export type Quote = z.infer<typeof quote>

export const quoteWithChange = quote.extend({
  change: z
    .strictObject({ amount: z.number(), percent: z.number(), referenceValue: price })
    .nullable(),
})

export const quoteV1 = z.strictObject({
  moneda: z.enum(CURRENCIES),
  nombre: z.string().min(1),
  origen: z.enum(ORIGINS),
  compra: price,
  venta: price,
  actualizado: argentine,
})

export const datedQuote = z.strictObject({
  requestedAt: argentine,
  ...pair,
  buy: price.nullable(),
  sell: price.nullable(),
  valueType,
  quotedAt: argentine.nullable(),
  sameDay: z.boolean(),
  daysStale: z.int().nullable(),
  ageSeconds: z.int().nullable(),
})

export const webhook = z.strictObject({
  id: uuid,
  operationId: uuid,
  currency: z.enum(CURRENCIES),
  origin: z.enum(ORIGINS),
  destination: z.string(),
  enabled: z.boolean(),
  receiverAuthorizationConfigured: z.boolean(),
  state: z.enum(['active', 'manual', 'failure', 'capacity', 'inherited']),
  source: z.enum(['v1', 'v2']),
  version: z.int().min(1),
  needsSync: z.boolean(),
  createdAt: utc,
})
