/** The responses of the webhook routes, and the bodies of deliveries. */
import * as z from 'zod'
import {
  WEBHOOK_LIMIT,
  WEBHOOK_STATES,
  WEBHOOK_SOURCES,
} from '../../../../shared/webhooks/webhook.ts'
import { currency, origin, utcInstant, valueType } from '../../../../shared/api/fields.ts'
import { UUID } from '../../../../shared/uuid.ts'
import {
  DELIVERY_TYPES,
  DELIVERY_STATUSES,
  DELIVERY_ERRORS,
} from '../../../../shared/webhooks/delivery.ts'
import { MAX_ATTEMPTS } from '../../../../shared/webhooks/retry.ts'
import { DELIVERY_PAGE_MAX } from '../../../../shared/subscriptions/deliveries-query.ts'

export const uuid = z.string().regex(UUID)
const rowId = z.int().min(1)

const webhookFields = {
  id: uuid.describe('Identifica el webhook.'),
  operationId: uuid.describe('El que se dio al crearlo.'),
  currency,
  origin,
  destination: z.string().describe('La URL enmascarada: la ruta puede ser una credencial.'),
  enabled: z.boolean(),
  receiverAuthorizationConfigured: z
    .boolean()
    .describe('Si hay una credencial guardada para el receptor.'),
  state: z
    .enum(WEBHOOK_STATES)
    .describe(
      '`active`: envía. `manual`: lo pausó su dueño. `failure`: pausado por diez fallas seguidas. `capacity`: espera lugar. `inherited`: viene de v1 y espera que lo activen.',
    ),
  source: z.enum(WEBHOOK_SOURCES).describe('La generación que lo creó.'),
  version: z.int().min(1).describe('Crece con cada cambio; toda modificación la exige.'),
  needsSync: z.boolean().describe('Si se debe una sincronización.'),
  createdAt: utcInstant,
}

export const webhook = z.object(webhookFields).describe('Una suscripción a un par.')

export const ownWebhook = z
  .object({
    ...webhookFields,
    url: z.string().max(2048).describe('La URL completa; solo en esta lectura.'),
  })
  .describe('Una suscripción con su URL.')

const secret = z
  .string()
  .regex(/^[0-9a-f]{64}$/)
  .describe('Con él se verifican las firmas. Se muestra esta única vez.')

export const webhookList = z.object({
  webhooks: z.array(webhook),
  limit: z.literal(WEBHOOK_LIMIT).describe('Webhooks que puede crear una cuenta.'),
})

export const webhookRead = z.object({ webhook: ownWebhook })
export const webhookIssued = z.object({
  webhook,
  secret,
  reconciled: z.literal(false),
})
export const webhookReconciled = z.object({ webhook, reconciled: z.literal(true) })
export const webhookEdited = z.object({ webhook, reconciled: z.literal(false) })
export const webhookDeleted = z.object({ deleted: z.literal(true) })

export const testQueued = z
  .object({
    id: rowId,
    deliveryId: z.string(),
    status: z.literal('pending').describe('Aceptada, todavía no recibida.'),
  })
  .describe('La prueba quedó en cola.')

export const delivery = z
  .object({
    id: rowId,
    deliveryId: z.string().describe('El mismo en todos los intentos.'),
    webhookId: uuid,
    currency,
    origin,
    destination: z.string().describe('Enmascarado.'),
    type: z.enum(DELIVERY_TYPES),
    status: z.enum(DELIVERY_STATUSES),
    attempts: z.int().min(0).describe(`Hasta ${MAX_ATTEMPTS}, y otros tantos por cada reenvío.`),
    code: z.int().min(100).max(599).nullable().describe('Código HTTP del receptor.'),
    errorType: z
      .enum(DELIVERY_ERRORS)
      .nullable()
      .describe('`expired`: cumplió siete días, o no llega al próximo intento.'),
    createdAt: utcInstant,
    lastAttemptAt: utcInstant.nullable(),
    resolvedAt: utcInstant.nullable(),
  })
  .describe('Un envío y cómo le fue.')

export const deliveryPage = z.object({
  deliveries: z.array(delivery).max(DELIVERY_PAGE_MAX).describe('De la más nueva a la más vieja.'),
  nextCursor: z
    .string()
    .regex(/^v1:\d+$/)
    .nullable()
    .describe('Para `cursor` de la página siguiente; `null` en la última.'),
})

export const webhookEvent = z
  .object({
    event: z.enum(['rate.updated', 'manual.trigger']),
    currency,
    origin,
    buy: z.number(),
    sell: z.number(),
    prevBuy: z.number(),
    prevSell: z.number(),
    changePct: z.number().describe('Variación de la venta en por ciento; 0 si la anterior era 0.'),
    valueType,
    updatedAt: utcInstant.describe('La hora verdadera del dato.'),
    timestamp: utcInstant.describe('Cuándo se produjo el evento.'),
    isManual: z.literal(true).optional().describe('Solo en `manual.trigger`.'),
  })
  .describe('El cuerpo de un envío; no cambia entre intentos.')
