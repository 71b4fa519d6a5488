import * as z from 'zod'
import {
  ALERT_NOT_FOUND,
  ALERT_PAUSED,
  DELIVERY_NOT_FOUND,
  DELIVERY_OPEN,
  WEBHOOK_NOT_FOUND,
  WEBHOOK_PAUSED,
} from '../../../../shared/sentences.ts'
import type { SubscriptionKind } from '../../../../shared/webhooks/webhook.ts'
import { OPEN_REDELIVERIES } from '../../../../shared/subscriptions/redeliver.ts'
import { emptyBody, sinceBody } from '../../../../shared/subscriptions/webhook-bodies.ts'
import { privateJson, privateRefusal, ref } from '../responses.ts'
import * as examples from '../examples.ts'
import { idInPath, managed, uuidInPath } from '../managed.ts'
import type { PathItem } from '../openapi.ts'
import { testQueued } from '../schemas/webhooks.ts'
import { toBody } from '../to-schemas.ts'
import { alert } from './alert-examples.ts'
import type { Extension } from './extension.ts'

const TAG = 'Reenvíos'

export const redelivered = z
  .object({
    redelivered: z.int().min(0).max(OPEN_REDELIVERIES).describe('Cuántas salen otra vez.'),
    remaining: z
      .int()
      .min(0)
      .describe('Cuántas desde entonces siguen sin llegar: se piden con otra llamada.'),
  })
  .describe('Lo que se reenvía.')

const WORDS = {
  webhook: {
    Name: 'Webhook',
    path: '/api/v2/webhooks',
    example: examples.webhook.id,
    of: 'del webhook',
    notFound: WEBHOOK_NOT_FOUND,
    paused: WEBHOOK_PAUSED,
  },
  alert: {
    Name: 'Alert',
    path: '/api/v2/alerts',
    example: alert.id,
    of: 'de la alerta',
    notFound: ALERT_NOT_FOUND,
    paused: ALERT_PAUSED,
  },
} as const satisfies Record<SubscriptionKind, object>

export const redeliveryExtension: Extension = {
  tag: { name: TAG, description: 'Lo que un receptor se perdió, otra vez.' },
  paths: () => ({ ...pathsOf('webhook'), ...pathsOf('alert') }),
  schemas: { RedeliveryQueued: testQueued, Redelivered: redelivered },
}

function pathsOf(kind: SubscriptionKind): Record<string, PathItem> {
  const { Name, path, example, of, notFound, paused } = WORDS[kind]
  return {
    [`${path}/deliveries/{deliveryId}/redeliver`]: {
      post: managed(`redeliver${Name}Delivery`, 'Reenviar una entrega', {
        tag: TAG,
        description:
          'Una entrega que terminó y todavía se conserva sale otra vez: el mismo identificador, los mismos bytes, hasta cuatro intentos más, que `attempts` sigue contando. Va a la URL de ahora, sin esperar a otras, y no cuenta para la pausa. 409 si no terminó o si hay que activar antes.',
        parameters: [
          uuidInPath('deliveryId', 'El `deliveryId` de la entrega.', examples.delivery.deliveryId),
        ],
        body: toBody(emptyBody, {}),
        bodyOptional: true,
        example: {},
        accepted: privateJson('En cola.', ref('RedeliveryQueued'), {
          id: 42,
          deliveryId: examples.delivery.deliveryId,
          status: 'pending',
        }),
        notFound: privateRefusal('No existe, venció o es de otra cuenta.', DELIVERY_NOT_FOUND),
        conflict: DELIVERY_OPEN,
      }),
    },
    [`${path}/{id}/redeliver`]: {
      post: managed(`redeliver${Name}`, 'Reenviar lo que no llegó', {
        tag: TAG,
        description: `Las entregas ${of} que desde ese momento terminaron sin llegar (\`dead\` y \`cancelled\`, sin las pruebas) salen otra vez, de la más vieja a la más nueva y de a una, hasta ${OPEN_REDELIVERIES} por llamada. Pueden llegar después de un valor más nuevo: \`updatedAt\` lo dice. No demoran lo nuevo ni cuentan para la pausa; una pausa las cancela. 503 si ya hay ${OPEN_REDELIVERIES} esperando.`,
        parameters: [idInPath(of, example)],
        body: toBody(sinceBody, {
          since: 'Desde cuándo, por su `createdAt`: fecha y hora con `Z` o con diferencia horaria.',
        }),
        example: { since: '2026-03-02T12:00:00.000Z' },
        accepted: privateJson('En cola.', ref('Redelivered'), { redelivered: 24, remaining: 0 }),
        notFound: privateRefusal('No existe o es de otra cuenta.', notFound),
        conflict: paused,
      }),
    },
  }
}
