/** Webhooks: subscriptions to the changes of a pair. */
import * as z from 'zod/mini'
import { MAX_ATTEMPTS } from '../webhooks/retry.ts'
import type { NewWebhook, WebhookEdit } from '../subscriptions/webhooks.ts'
import { WEBHOOK_SOURCES } from '../webhooks/webhook.ts'
import { doc, named, resource } from './operation.ts'
import * as part from './subscription-fields.ts'
import { type Described, managementOf, redeliveriesOf } from './subscriptions.ts'

const EXAMPLE_ID = '0b9d2c1e-8a55-4d6f-9a0e-3f1c2b4d5e6f'

const fields = () => ({
  ...part.subscriptionFields(EXAMPLE_ID),
  destination: part.destination(z.string(), 'La URL enmascarada: su ruta puede ser secreta.'),
  source: doc(z.enum(WEBHOOK_SOURCES), 'La generación que lo creó.', 'v2'),
  needsSync: doc(z.boolean(), 'Si se debe una sincronización.', false),
})

export const webhook = named('Webhook', 'Una suscripción a un par.', fields)
const ownWebhook = named('OwnWebhook', 'Una suscripción con su URL.', () => ({
  ...fields(),
  url: doc(part.wholeUrl(), 'La URL completa; solo en esta lectura.', part.RECEIVER),
}))

const schemas = {
  shown: webhook,
  own: ownWebhook,
  issued: part.secret,
  testQueued: named('TestQueued', 'La prueba quedó en cola.', part.queuedFields),
}

const url = () => doc(z.string(), part.URL_WORDS)
const enabled = () => doc(z.boolean(), 'Si envía.')

const createBody = () =>
  z.strictObject({
    operationId: part.given.operationId(),
    url: url(),
    ...part.given.pair(),
    enabled: z._default(enabled(), true),
    receiverAuthorization: part.given.receiverAuthorization(),
  })
const editBody = () =>
  z.strictObject({
    version: part.given.version(),
    ...z.partial(z.object({ url: url(), ...part.given.pair(), enabled: enabled() })).shape,
    receiverAuthorization: part.given.editedAuthorization(),
  })

const described: Described<NewWebhook, WebhookEdit> = {
  kind: 'webhook',
  exampleId: EXAMPLE_ID,
  descriptions: {
    created: 'Creado. El secreto no se vuelve a mostrar.',
    gone: 'No existe, venció o es de otra cuenta.',
    list: 'Los de la cuenta, sin URL ni secreto. `destination` es el esquema y el host, y `/***` si la URL tiene ruta o consulta.',
    create:
      'Sigue un par y envía un POST firmado a la URL con cada cambio. Repetir `operationId` devuelve el primero, sin secreto: una respuesta perdida se resuelve así, y un secreto perdido, rotándolo. Crear no envía nada: el primer aviso llega con el primer cambio, y el primer valor que un par tiene no es un cambio.',
    deliveries: `De la más nueva a la más vieja, hasta ${part.DELIVERY_PAGE_MAX} por página. Se conservan 7 días. Un \`webhookId\` o \`deliveryId\` ajeno o desconocido da 200 con una página vacía. \`attempts\` cuenta los intentos, hasta ${MAX_ATTEMPTS}; en \`errorType\`, \`destination\` es una dirección que no se admite y \`network\` un nombre que no se resuelve: se reintentan y cuentan como fallas. \`interrupted\` y \`configuration\` son fallas nuestras y no cuentan para la pausa. Otros parámetros son 400.`,
    read: 'Con su URL completa, en su forma normalizada; nunca con el secreto ni la credencial del receptor.',
    edit: 'Cambia lo que el cuerpo nombra. Cancela los envíos que esperaban y pide una sincronización. Si esa sincronización falla sus cuatro intentos no se repite sola: `needsSync` sigue en `true` hasta el próximo aviso entregado o la próxima sincronización. `enabled: true` activa desde cualquier pausa.',
    test: 'Pone en cola un `manual.trigger`, también si está pausado. 202 es aceptada: solo `delivered` prueba que el receptor respondió 2xx.',
  },
  refusesQuery: false,
  createBody,
  editBody,
  schemas,
  creation: {
    operationId: part.OPERATION_ID,
    url: part.RECEIVER,
    currency: 'USD',
    origin: 'BLUE',
    enabled: true,
  },
  edit: { enabled: false },
  edited: { enabled: false, state: 'manual' },
}

export const webhookOperations = { ...managementOf(described), ...redeliveriesOf(described) }

const { deliveries, redeliver: _, redeliverSince: __, ...managed } = webhookOperations

/** The resources in the OpenAPI document of webhooks. */
export const webhookResources = [
  resource('Webhooks', 'Crear, leer, editar, borrar, rotar y probar.', Object.values(managed)),
  resource('Entregas', 'Qué se envió y cómo fue.', [deliveries]),
]
