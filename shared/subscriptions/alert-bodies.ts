/** The bodies that the alert routes accept: strict, so that a misspelt field is refused. */
import * as z from 'zod/mini'
import { CURRENCIES, ORIGINS } from '../market/catalog.ts'
import { deliveriesQuery as ofWebhooks } from './deliveries-query.ts'
import { createBody as ofWebhook, editBody as editOfWebhook, uuid } from './webhook-bodies.ts'
import { CHANNELS, CONDITIONS, SIDES } from '../alerts/alert.ts'

const side = z.enum(SIDES)

const against = z.strictObject({
  currency: z.enum(CURRENCIES),
  origin: z.enum(ORIGINS),
  side: z._default(side, 'sell'),
})

const { operationId, currency, origin, enabled, receiverAuthorization } = ofWebhook.shape

export const createBody = z.strictObject({
  operationId,
  currency,
  origin,
  side: z._default(side, 'sell'),
  condition: z.enum(CONDITIONS),
  threshold: z.number(),
  hysteresis: z._default(z.number(), 0),
  against: z._default(z.nullable(against), null),
  repeat: z._default(z.boolean(), false),
  channel: z._default(z.enum(CHANNELS), 'webhook'),
  url: z.optional(z.string()),
  enabled,
  receiverAuthorization,
})

export const editBody = z.strictObject({
  version: editOfWebhook.shape.version,
  currency: z.optional(z.enum(CURRENCIES)),
  origin: z.optional(z.enum(ORIGINS)),
  side: z.optional(side),
  condition: z.optional(z.enum(CONDITIONS)),
  threshold: z.optional(z.number()),
  hysteresis: z.optional(z.number()),
  against: z.optional(z.nullable(against)),
  repeat: z.optional(z.boolean()),
  channel: z.optional(z.enum(CHANNELS)),
  url: z.optional(z.string()),
  enabled: z.optional(z.boolean()),
  receiverAuthorization: editOfWebhook.shape.receiverAuthorization,
})

const { deliveryId, status, cursor, limit } = ofWebhooks.shape

export const deliveriesQuery = z.strictObject({
  alertId: z.optional(uuid),
  deliveryId,
  status,
  cursor,
  limit,
})
