/** The responses of the alert routes, and the bodies of their deliveries. */
import * as z from 'zod'
import {
  ALERT_LIMIT,
  CHANNELS,
  CONDITIONS,
  PHASES,
  SIDES,
} from '../../../../shared/alerts/alert.ts'
import { WEBHOOK_STATES } from '../../../../shared/webhooks/webhook.ts'
import { currency, origin, utcInstant, valueType } from '../../../../shared/api/fields.ts'
import { delivery as webhookDelivery, uuid, webhookIssued } from '../schemas/webhooks.ts'

const side = z.enum(SIDES).describe('`buy` es la compra y `sell` la venta.')
const percent = z
  .number()
  .nullable()
  .describe('El por ciento de `change` y de `gap`, con signo; `null` en las otras condiciones.')

const watch = {
  currency,
  origin,
  side,
  condition: z
    .enum(CONDITIONS)
    .describe(
      '`above`: llega al umbral o lo supera. `below`: llega o baja más. `change`: se aparta tanto por ciento del último valor anterior a la medianoche argentina, para arriba o para abajo. `gap`: se aparta tanto por ciento del par de `against`.',
    ),
  threshold: z.number().describe('Un precio en `above` y `below`; un por ciento en las otras.'),
  hysteresis: z
    .number()
    .describe('Cuánto tiene que alejarse del umbral para poder volver a disparar.'),
  against: z
    .object({ currency, origin, side })
    .nullable()
    .describe('El otro par de `gap`; `null` en las otras condiciones.'),
  repeat: z.boolean().describe('Si después de disparar vuelve a armarse.'),
}

const alertFields = {
  id: uuid.describe('Identifica la alerta.'),
  operationId: uuid.describe('El que se dio al crearla.'),
  ...watch,
  channel: z.enum(CHANNELS).describe('Por dónde avisa: un POST firmado, o tu correo.'),
  destination: z.string().nullable().describe('La URL enmascarada; `null` por correo.'),
  receiverAuthorizationConfigured: z.boolean(),
  enabled: z.boolean(),
  state: z.enum(WEBHOOK_STATES).describe('Como en los webhooks.'),
  phase: z
    .enum(PHASES)
    .describe(
      '`armed`: dispara cuando se cumpla. `waiting`: ya se cumplía, y primero tiene que dejar de cumplirse. `done`: disparó y no repite.',
    ),
  isMet: z.boolean().nullable().describe('Si se cumple ahora; `null` sin cotización.'),
  value: z.number().nullable().describe('El valor vigente que mira.'),
  percent,
  version: z.int().min(1).describe('Crece con cada cambio tuyo; toda modificación la exige.'),
  firedAt: utcInstant.nullable().describe('Cuándo disparó por última vez.'),
  createdAt: utcInstant,
}

const alert = z.object(alertFields).describe('Una alerta y lo que mira, como está ahora.')
const ownAlert = z
  .object({
    ...alertFields,
    url: z.string().max(2048).nullable().describe('La URL completa; `null` por correo.'),
  })
  .describe('Una alerta con su URL.')

const { secret } = webhookIssued.shape

const delivery = webhookDelivery
  .omit({ webhookId: true })
  .extend({ alertId: uuid })
  .describe('Un envío de una alerta y cómo le fue.')

const since = { updatedAt: utcInstant.describe('Desde cuándo rige el valor.') }

const alertEvent = z
  .object({
    event: z.enum(['alert.triggered', 'alert.test', 'alert.withdrawn']),
    alertId: uuid,
    ...watch,
    value: z.number().describe('El valor que cumplió la condición.'),
    buy: z.number(),
    sell: z.number(),
    valueType,
    base: z
      .number()
      .nullable()
      .describe('Desde qué valor se midió el por ciento; `null` en `above` y `below`.'),
    percent,
    against: z
      .object({ currency, origin, side, buy: z.number(), sell: z.number(), ...since })
      .nullable(),
    ...since,
    timestamp: utcInstant.describe('Cuándo se produjo el aviso.'),
    isManual: z.literal(true).optional().describe('Solo en `alert.test`.'),
    withdraws: z
      .string()
      .optional()
      .describe('Solo en `alert.withdrawn`: el `X-Service-Delivery-Id` del aviso que se retira.'),
    corrected: z
      .object({
        currency,
        origin,
        buy: z.number().nullable(),
        sell: z.number().nullable(),
        isBase: z
          .literal(true)
          .optional()
          .describe('Cuando es el último valor del día anterior, desde el que se mide `change`.'),
      })
      .optional()
      .describe('Solo en `alert.withdrawn`: el valor correcto, o nulos si el valor se quitó.'),
  })
  .describe('El cuerpo de un envío; no cambia entre intentos.')

export const alertSchemas = {
  Alert: alert,
  OwnAlert: ownAlert,
  AlertList: z.object({
    alerts: z.array(alert),
    limit: z.literal(ALERT_LIMIT).describe('Alertas que puede tener una cuenta.'),
  }),
  AlertRead: z.object({ alert: ownAlert }),
  AlertIssued: z.object({
    alert,
    secret: secret.optional(),
    reconciled: z.literal(false),
  }),
  AlertReconciled: z.object({ alert, reconciled: z.literal(true) }),
  AlertEdited: z.object({ alert, reconciled: z.literal(false) }),
  AlertRotated: z.object({ alert, secret, reconciled: z.literal(false) }),
  AlertDeleted: z.object({ deleted: z.literal(true) }),
  AlertTestQueued: z
    .object({
      id: z.int().min(1).nullable(),
      deliveryId: z.string().nullable(),
      status: z.literal('pending'),
    })
    .describe(
      'La prueba quedó en cola; por correo no es una entrega, y los identificadores son nulos.',
    ),
  AlertDelivery: delivery,
  AlertDeliveryPage: z.object({
    deliveries: z.array(delivery).max(50).describe('De la más nueva a la más vieja.'),
    nextCursor: z
      .string()
      .regex(/^v1:\d+$/)
      .nullable()
      .describe('Para `cursor` de la página siguiente; `null` en la última.'),
  }),
  AlertEvent: alertEvent,
}
