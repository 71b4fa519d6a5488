import { ref } from './responses.ts'
import * as examples from './examples.ts'
import type { Terms } from '../../../shared/api/operation.ts'
import { attemptLimits } from './limits.ts'
import type { Parameter, PathItem } from './openapi.ts'

const header = (name: string, description: string, required = true): Parameter => ({
  name,
  in: 'header',
  required,
  description,
  schema: { type: 'string' },
})

/** What every delivery carries; `whose` is the id in `X-Service-Webhook-Id`. */
export const deliveryHeaders = (whose: string): Parameter[] => [
  header(
    'X-Service-Delivery-Id',
    'Un UUID v7, el mismo en todos los intentos: sirve para descartar repetidos.',
  ),
  header('X-Service-Webhook-Id', whose),
  header('X-Service-Timestamp', 'Segundos Unix del intento.'),
  header(
    'X-Service-Signature',
    '`sha256=` y el HMAC-SHA256 de `timestamp + "." + cuerpo`, en hexadecimal.',
  ),
  header('webhook-id', 'Lo mismo que `X-Service-Delivery-Id`, como lo nombra Standard Webhooks.'),
  header('webhook-timestamp', 'Lo mismo que `X-Service-Timestamp`.'),
  header(
    'webhook-signature',
    '`v1,` y el HMAC-SHA256 de `id + "." + timestamp + "." + cuerpo`, en base64.',
  ),
]

/** What receivers of webhooks get. */
export function webhookEvents(terms: Terms): Record<string, PathItem> {
  const type = header('X-Service-Delivery-Type', '`sync` en las sincronizaciones.', false)
  const headers = [...deliveryHeaders('El `id` del webhook.'), type]
  const event = eventOf({ tag: 'Eventos', schema: 'WebhookEvent', headers })
  return {
    'rate.updated': event(
      'rateUpdated',
      'El par cambió de valor',
      `También es la sincronización que sigue a una activación, una edición o una recuperación de capacidad: valores previos iguales a los actuales y \`X-Service-Delivery-Type: sync\`. Hasta ${attemptLimits(terms)}; solo un 2xx en 10 segundos confirma. Un \`Retry-After\` del receptor se respeta hasta el doble de la espera siguiente.`,
      examples.event,
    ),
    'manual.trigger': event(
      'manualTrigger',
      'Una prueba pedida',
      'La pide `POST /api/v2/webhooks/{id}/test`; los valores previos son los actuales.',
      {
        ...examples.event,
        event: 'manual.trigger',
        prevBuy: 1410,
        prevSell: 1430,
        changePct: 0,
        isManual: true,
      },
    ),
  }
}

interface Sent {
  tag: string
  schema: string
  headers: Parameter[]
}

/** What a receiver gets, with an example of its body. */
export const eventOf =
  ({ tag, schema, headers }: Sent) =>
  (operationId: string, summary: string, description: string, example: unknown): PathItem => ({
    post: {
      operationId,
      summary,
      description,
      tags: [tag],
      security: [],
      parameters: headers,
      requestBody: {
        required: true,
        content: { 'application/json': { schema: ref(schema), example } },
      },
      responses: { '2XX': { description: 'Recibido. El cuerpo de la respuesta no se lee.' } },
    },
  })
