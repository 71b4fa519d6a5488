import { createBody, editBody, emptyBody, versionBody } from '../management/webhook-bodies.ts'
import { deliveriesQuery, DELIVERY_PAGE_MAX } from '../management/deliveries-query.ts'
import { privateJson, privateRefusal, ref } from './answers.ts'
import * as examples from './examples.ts'
import {
  AUTHORIZATION,
  deliveryParameters,
  managed,
  type Described,
  URL_WORDS,
  VERSION,
} from './managed.ts'
import type { Operation, Parameter, PathItem } from './openapi.ts'
import { toBody } from './to-schemas.ts'
import {
  IN_PREPARATION,
  PAGE_NOT_FOUND,
  SEND_IN_FLIGHT,
  WEBHOOK_NOT_FOUND,
  WRONG_QUERY,
} from '../../../shared/sentences.ts'
import { WEBHOOK_LIMIT } from '../../../shared/webhooks/webhook.ts'
import { MAX_ATTEMPTS } from '../../../shared/webhooks/retry.ts'

const { webhook, secret, operationId, url } = examples

const id: Parameter = {
  name: 'id',
  in: 'path',
  required: true,
  description: 'El `id` del webhook, un UUID en minúsculas.',
  schema: { type: 'string', format: 'uuid' },
  example: webhook.id,
}

const fields = {
  url: URL_WORDS,
  currency: 'Moneda del par.',
  origin: 'Origen del par; tiene que existir en el catálogo.',
  enabled: 'Si envía.',
}
const notFound = privateRefusal('No existe, venció o es de otra cuenta.', WEBHOOK_NOT_FOUND)

/** The management of webhooks and their deliveries. */
export const webhookPaths: Record<string, PathItem> = {
  '/api/v2/webhooks': {
    get: operation('listWebhooks', 'Listar webhooks', {
      description:
        'Los de la cuenta, sin URL ni secreto. `destination` es el esquema y el host, y `/***` si la URL tiene ruta o consulta.',
      ok: privateJson('Los webhooks y el límite.', ref('WebhookList'), {
        webhooks: [webhook],
        limit: WEBHOOK_LIMIT,
      }),
    }),
    post: operation('createWebhook', 'Crear un webhook', {
      description: `Sigue un par y envía un POST firmado a la URL con cada cambio. Repetir \`operationId\` devuelve el primero, sin secreto: una respuesta perdida se resuelve así, y un secreto perdido, rotándolo. Crear no envía nada: el primer aviso llega con el primer cambio, y el primer valor que un par tiene no es un cambio. Como máximo ${WEBHOOK_LIMIT} por cuenta.`,
      body: toBody(createBody, {
        ...fields,
        operationId: 'UUID nuevo por cada creación.',
        receiverAuthorization: AUTHORIZATION,
      }),
      example: { operationId, url, currency: 'USD', origin: 'BLUE', enabled: true },
      created: privateJson('Creado. El secreto no se vuelve a mostrar.', ref('WebhookIssued'), {
        webhook,
        ...secret,
        reconciled: false,
      }),
      ok: privateJson('Ya existía con ese `operationId`.', ref('WebhookReconciled'), {
        webhook,
        reconciled: true,
      }),
      conflict: `La cuenta llegó al límite de ${WEBHOOK_LIMIT} webhooks`,
    }),
  },
  '/api/v2/webhooks/deliveries': {
    get: operation('listDeliveries', 'Listar entregas', {
      description: `De la más nueva a la más vieja, hasta ${DELIVERY_PAGE_MAX} por página. Se conservan 7 días. Un \`webhookId\` o \`deliveryId\` ajeno o desconocido da 200 con una página vacía. \`attempts\` cuenta los intentos, hasta ${MAX_ATTEMPTS}; en \`errorType\`, \`destination\` es una dirección que no se admite y \`network\` un nombre que no se resuelve: se reintentan y cuentan como fallas. \`interrupted\` y \`configuration\` son fallas nuestras y no cuentan para la pausa. Otros parámetros son 400.`,
      parameters: deliveryParameters(deliveriesQuery, { webhookId: 'Solo las de este webhook.' }),
      refusesQuery: WRONG_QUERY,
      ok: privateJson('Una página.', ref('DeliveryPage'), {
        deliveries: [examples.delivery],
        nextCursor: 'v1:42',
      }),
      notFound: privateRefusal('El cursor es ajeno o ya no existe.', PAGE_NOT_FOUND),
    }),
  },
  '/api/v2/webhooks/{id}': {
    get: operation('readWebhook', 'Leer un webhook', {
      description:
        'Con su URL completa, en su forma normalizada; nunca con el secreto ni la credencial del receptor.',
      parameters: [id],
      ok: privateJson('El webhook.', ref('WebhookRead'), { webhook: { ...webhook, url } }),
      notFound,
    }),
    patch: operation('editWebhook', 'Editar, pausar o activar', {
      description:
        'Cambia lo que el cuerpo nombra. Cancela los envíos que esperaban y pide una sincronización. Si esa sincronización falla sus cuatro intentos no se repite sola: `needsSync` sigue en `true` hasta el próximo aviso entregado o la próxima sincronización. `enabled: true` activa desde cualquier pausa.',
      parameters: [id],
      body: toBody(editBody, {
        ...fields,
        version: VERSION,
        receiverAuthorization: `${AUTHORIZATION} \`null\` la quita.`,
      }),
      example: { version: 1, enabled: false },
      ok: privateJson('El webhook editado.', ref('WebhookEdited'), {
        webhook: { ...webhook, enabled: false, state: 'manual', version: 2 },
        reconciled: false,
      }),
      notFound,
      conflict: 'El webhook cambió: su versión ya no es la indicada',
    }),
    delete: operation('deleteWebhook', 'Borrar un webhook', {
      description: 'Borra su configuración, sus secretos y sus entregas.',
      parameters: [id],
      body: toBody(versionBody, { version: VERSION }),
      example: { version: 1 },
      ok: privateJson('Borrado.', ref('WebhookDeleted'), { deleted: true }),
      notFound,
      conflict: 'El webhook cambió: su versión ya no es la indicada',
    }),
  },
  '/api/v2/webhooks/{id}/rotate-secret': {
    post: operation('rotateSecret', 'Rotar el secreto', {
      description: 'El secreto nuevo firma desde el próximo intento. Con un envío en curso, 409.',
      parameters: [id],
      body: toBody(versionBody, { version: VERSION }),
      example: { version: 1 },
      ok: privateJson('El secreto nuevo, esta única vez.', ref('WebhookIssued'), {
        webhook: { ...webhook, version: 2 },
        ...secret,
        reconciled: false,
      }),
      notFound,
      conflict: SEND_IN_FLIGHT,
    }),
  },
  '/api/v2/webhooks/{id}/test': {
    post: operation('testWebhook', 'Enviar una prueba', {
      description:
        'Pone en cola un `manual.trigger`, también si está pausado. 202 es aceptada: solo `delivered` prueba que el receptor respondió 2xx.',
      parameters: [id],
      body: toBody(emptyBody, {}),
      bodyOptional: true,
      example: {},
      accepted: privateJson('En cola.', ref('TestQueued'), {
        id: 42,
        deliveryId: examples.delivery.deliveryId,
        status: 'pending',
      }),
      notFound,
      conflict: 'quote_unavailable',
    }),
  },
}

function operation(
  operationId: string,
  summary: string,
  described: Omit<Described, 'tag' | 'closed'>,
): Operation {
  const tag = operationId === 'listDeliveries' ? 'Entregas' : 'Webhooks'
  return managed(operationId, summary, {
    tag,
    closed: IN_PREPARATION,
    ...described,
  })
}
