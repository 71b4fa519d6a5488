/** The forms of the contract's answers: those of the reference, with no other field beside them. */
import * as z from 'zod'
import * as current from '../../../shared/api/current.ts'
import * as dates from '../../../shared/api/dates.ts'
import * as history from '../../../shared/api/history.ts'
import * as service from '../../../shared/api/service.ts'
import * as webhooks from '../../../shared/api/webhooks.ts'

const strict = <Shape extends z.ZodRawShape>({ shape }: z.ZodObject<Shape>) => z.strictObject(shape)

/** At most the four decimals that any pair keeps: no noise of floats. */
const price = z
  .number()
  .refine((value) => /^\d+(\.\d{1,4})?$/.test(String(value)), 'has float noise')
const named = { name: z.string().min(1) }
const priced = { ...named, buy: price, sell: price }

export const quote = strict(current.quote).extend(priced)
export const quoteWithChange = quote.extend({
  change: strict(current.change).extend({ referenceValue: price }).nullable(),
})
export const legacyQuote = strict(current.legacyQuote).extend({
  nombre: named.name,
  compra: price,
  venta: price,
})
export const datedQuote = strict(dates.datedQuote).extend({
  ...named,
  buy: price.nullable(),
  sell: price.nullable(),
})
export const historyPoint = strict(history.historyPoint)
export const candles = strict(history.candles).extend({ points: z.array(strict(history.candle)) })
export const keyCheck = strict(service.keyCheck)
export const serviceStatus = strict(service.serviceStatus)

const webhook = strict(webhooks.webhook)
export const created = strict(webhooks.webhookSchemas.issued).extend({ webhook })
export const reconciled = strict(webhooks.webhookSchemas.reconciled).extend({ webhook })
export const edited = strict(webhooks.webhookSchemas.edited).extend({ webhook })
export const ownWebhook = z.strictObject({ webhook: strict(webhooks.ownWebhook) })
export const webhookList = strict(webhooks.webhookSchemas.list).extend({
  webhooks: z.array(webhook),
})
export const deleted = strict(webhooks.webhookSchemas.deleted)
export const deliveryPage = strict(webhooks.webhookSchemas.deliveryPage).extend({
  deliveries: z.array(strict(webhooks.webhookDelivery)).max(50),
})
