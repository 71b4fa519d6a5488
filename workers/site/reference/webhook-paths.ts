import { WEBHOOK_NOT_FOUND } from '../../../shared/sentences.ts'
import { MAX_ATTEMPTS } from '../../../shared/webhooks/retry.ts'
import { WEBHOOK_LIMIT } from '../../../shared/webhooks/webhook.ts'
import {
  deliveriesQuery,
  DELIVERY_PAGE_MAX,
} from '../../../shared/subscriptions/deliveries-query.ts'
import * as bodies from '../../../shared/subscriptions/webhook-bodies.ts'
import { privateRefusal } from './responses.ts'
import { delivery, operationId, url, webhook } from './examples.ts'
import { URL_WORDS } from './managed.ts'
import { subscriptionPaths } from './subscription-paths.ts'

/** The management of webhooks and their deliveries. */
export const webhookPaths = subscriptionPaths({
  kind: 'webhook',
  plural: 'webhooks',
  limit: WEBHOOK_LIMIT,
  tag: 'Webhooks',
  deliveriesTag: 'Entregas',
  Name: 'Webhook',
  infix: '',
  rotated: 'WebhookIssued',
  words: {
    many: 'webhooks',
    one: 'un webhook',
    The: 'El webhook',
    of: 'del webhook',
    end: 'o',
    created: 'Creado. El secreto no se vuelve a mostrar.',
  },
  summaryOfDeliveries: 'Listar entregas',
  descriptions: {
    list: 'Los de la cuenta, sin URL ni secreto. `destination` es el esquema y el host, y `/***` si la URL tiene ruta o consulta.',
    create:
      'Sigue un par y envía un POST firmado a la URL con cada cambio. Repetir `operationId` devuelve el primero, sin secreto: una respuesta perdida se resuelve así, y un secreto perdido, rotándolo. Crear no envía nada: el primer aviso llega con el primer cambio, y el primer valor que un par tiene no es un cambio.',
    deliveries: `De la más nueva a la más vieja, hasta ${DELIVERY_PAGE_MAX} por página. Se conservan 7 días. Un \`webhookId\` o \`deliveryId\` ajeno o desconocido da 200 con una página vacía. \`attempts\` cuenta los intentos, hasta ${MAX_ATTEMPTS}; en \`errorType\`, \`destination\` es una dirección que no se admite y \`network\` un nombre que no se resuelve: se reintentan y cuentan como fallas. \`interrupted\` y \`configuration\` son fallas nuestras y no cuentan para la pausa. Otros parámetros son 400.`,
    read: 'Con su URL completa, en su forma normalizada; nunca con el secreto ni la credencial del receptor.',
    edit: 'Cambia lo que el cuerpo nombra. Cancela los envíos que esperaban y pide una sincronización. Si esa sincronización falla sus cuatro intentos no se repite sola: `needsSync` sigue en `true` hasta el próximo aviso entregado o la próxima sincronización. `enabled: true` activa desde cualquier pausa.',
    test: 'Pone en cola un `manual.trigger`, también si está pausado. 202 es aceptada: solo `delivered` prueba que el receptor respondió 2xx.',
  },
  refusesQuery: false,
  bodies,
  deliveriesQuery,
  fields: {
    url: URL_WORDS,
    currency: 'Moneda del par.',
    origin: 'Origen del par; tiene que existir en el catálogo.',
    enabled: 'Si envía.',
  },
  filter: { webhookId: 'Solo las de este webhook.' },
  notFound: privateRefusal('No existe, venció o es de otra cuenta.', WEBHOOK_NOT_FOUND),
  example: webhook,
  creation: { operationId, url, currency: 'USD', origin: 'BLUE', enabled: true },
  edit: { enabled: false },
  edited: { enabled: false, state: 'manual' },
  delivery,
})
