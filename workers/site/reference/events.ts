/** The events that a subscriber's server gets, for the OpenAPI documents. */
import * as z from 'zod/mini'
import { alerts, EXAMPLE_ID, percent, side, rule } from '../../../shared/api/alerts.ts'
import { currency, origin, utcInstant, valueType } from '../../../shared/api/fields.ts'
import { type Deployment, doc, type Fields, named } from '../../../shared/api/operation.ts'
import { uuid } from '../../../shared/api/subscription-fields.ts'
import { eventsOf } from './from-operations.ts'
import { numberText } from '../../../shared/market/spanish-text.ts'

export const EVENTS = { name: 'Eventos', description: 'Lo que recibe tu servidor.' }

/** The headers of every delivery; `whose` describes the id in `X-Service-Webhook-Id`. */
const deliveryHeaders = (whose: string): Fields => ({
  'X-Service-Delivery-Id': doc(
    z.string(),
    'Un UUID v7, el mismo en todos los intentos: sirve para descartar repetidos.',
  ),
  'X-Service-Webhook-Id': doc(z.string(), whose),
  'X-Service-Timestamp': doc(z.string(), 'Segundos Unix del intento.'),
  'X-Service-Signature': doc(
    z.string(),
    '`sha256=` y el HMAC-SHA256 de `timestamp + "." + cuerpo`, en hexadecimal. No cubre el identificador: verificá `webhook-signature`.',
  ),
  'webhook-id': doc(
    z.string(),
    'Lo mismo que `X-Service-Delivery-Id`, como lo nombra Standard Webhooks.',
  ),
  'webhook-timestamp': doc(z.string(), 'Lo mismo que `X-Service-Timestamp`.'),
  'webhook-signature': doc(
    z.string(),
    '`v1,` y el HMAC-SHA256 de `id + "." + timestamp + "." + cuerpo`, en base64.',
  ),
})

export const webhookEvent = named(
  'WebhookEvent',
  'El cuerpo de un envío; no cambia entre intentos.',
  () => ({
    event: z.enum(['rate.updated', 'manual.trigger']),
    currency: currency(),
    origin: origin(),
    buy: doc(z.number(), '', 1410),
    sell: doc(z.number(), '', 1430),
    prevBuy: doc(z.number(), '', 1400),
    prevSell: doc(z.number(), '', 1420),
    changePct: doc(z.number(), 'Variación de la venta en por ciento; 0 si la anterior era 0.', 0.7),
    valueType: valueType(),
    updatedAt: doc(utcInstant(), 'La hora verdadera del dato.', '2026-03-02T14:55:00.000Z'),
    timestamp: doc(utcInstant(), 'Cuándo se produjo el evento.'),
    isManual: doc(z.optional(z.literal(true)), 'Solo en `manual.trigger`.'),
  }),
)

export const webhookHeaders = (): Fields => ({
  ...deliveryHeaders('El `id` del webhook.'),
  'X-Service-Delivery-Type': doc(z.optional(z.string()), '`sync` en las sincronizaciones.'),
})

/** The events that the server of a webhook gets, by the value of `event`. */
export function webhookEvents(deployment: Deployment) {
  const event = eventsOf(EVENTS.name, webhookHeaders(), webhookEvent())
  return {
    'rate.updated': event({
      operationId: 'rateUpdated',
      summary: 'El par cambió de valor',
      description: `También es la sincronización que sigue a una activación, una edición, una recuperación de capacidad o la corrección del valor vigente: valores previos iguales a los actuales y \`X-Service-Delivery-Type: sync\`. Hasta ${attemptLimits(deployment)}; solo un 2xx en 10 segundos confirma. Un \`Retry-After\` del receptor se respeta hasta el doble de la espera siguiente.`,
    }),
    'manual.trigger': event(
      {
        operationId: 'manualTrigger',
        summary: 'Una prueba pedida',
        description:
          'La pide `POST /api/v2/webhooks/{id}/test`; los valores previos son los actuales.',
      },
      { event: 'manual.trigger', prevBuy: 1410, prevSell: 1430, changePct: 0, isManual: true },
    ),
  }
}

const since = () => ({
  updatedAt: doc(utcInstant(), 'Desde cuándo rige el valor.', '2026-03-02T15:05:02.000Z'),
})

export const alertEvent = named(
  'AlertEvent',
  'El cuerpo de un envío; no cambia entre intentos.',
  () => ({
    event: z.enum(['alert.triggered', 'alert.test']),
    alertId: uuid(EXAMPLE_ID),
    ...rule(),
    value: doc(z.number(), 'El valor que cumplió la condición.', 1505),
    buy: doc(z.number(), '', 1485),
    sell: doc(z.number(), '', 1505),
    valueType: valueType(),
    base: doc(
      z.nullable(z.number()),
      'Desde qué valor se midió el por ciento; `null` en `above` y `below`.',
      null,
    ),
    percent: percent(),
    against: doc(
      z.nullable(
        z.object({
          currency: currency(),
          origin: origin(),
          side: side(),
          buy: z.number(),
          sell: z.number(),
          ...since(),
        }),
      ),
      '',
      null,
    ),
    ...since(),
    timestamp: doc(utcInstant(), 'Cuándo se produjo el aviso.', '2026-03-02T15:05:02.000Z'),
    isManual: doc(z.optional(z.literal(true)), 'Solo en `alert.test`.'),
  }),
)

/** The events that the server of an alert gets, by the value of `event`. */
export function alertEvents(deployment: Deployment) {
  const headers = deliveryHeaders('El `id` de la alerta.')
  const event = eventsOf(alerts.tag.name, headers, alertEvent())
  return {
    'alert.triggered': event({
      operationId: 'alertTriggered',
      summary: 'Una alerta disparó',
      description: `Con los valores que cumplieron la condición. Hasta ${attemptLimits(deployment)}, como un webhook.`,
    }),
    'alert.test': event(
      {
        operationId: 'alertTest',
        summary: 'Una prueba pedida',
        description: 'La pide `POST /api/v2/alerts/{id}/test`, con los valores vigentes.',
      },
      { event: 'alert.test', value: 1430, buy: 1410, sell: 1430, isManual: true },
    ),
  }
}

/** `4 intentos por envío, con esperas de 30 segundos, 5 minutos y 30 minutos`. */
export function attemptLimits({ waits }: Deployment): string {
  const durations = new Intl.ListFormat('es').format(waits.map(duration))
  return `${waits.length + 1} intentos por envío, con esperas de ${durations}`
}

function duration(seconds: number): string {
  if (seconds % 3600 === 0) return many(seconds / 3600, 'hora')
  if (seconds % 60 === 0) return many(seconds / 60, 'minuto')
  return many(seconds, 'segundo')
}

const many = (count: number, unit: string) =>
  `${numberText(count)} ${unit}${count === 1 ? '' : 's'}`
