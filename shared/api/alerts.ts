/** Alerts: a notification when a value crosses a threshold. */
import * as z from 'zod/mini'
import { CHANNELS, CONDITIONS, PHASES, SIDES } from '../alerts/alert.ts'
import { CURRENCIES, ORIGINS } from '../market/catalog.ts'
import type { AlertEdit, NewAlert } from '../subscriptions/alerts.ts'
import { currency, origin, utcInstant } from './fields.ts'
import { doc, exampleOf, named, resource } from './operation.ts'
import * as part from './subscription-fields.ts'
import { type Described, managementOf, redeliveriesOf } from './subscriptions.ts'

export const EXAMPLE_ID = '3c1f7a52-90de-4b7c-8a4e-6d2f1b0c9e8a'

export const side = () => doc(z.enum(SIDES), '`buy` es la compra y `sell` la venta.', 'sell')
export const percent = () =>
  doc(z.nullable(z.number()), 'El por ciento de `change` y `gap`, con signo; si no, `null`.', null)

export const rule = () => ({
  currency: currency(),
  origin: origin(),
  side: side(),
  condition: doc(
    z.enum(CONDITIONS),
    '`above`: llega al umbral o lo supera. `below`: llega o baja más. `change`: se aparta tanto por ciento del último valor anterior a la medianoche argentina, para arriba o para abajo. `gap`: se aparta tanto por ciento del par de `against`.',
  ),
  threshold: doc(z.number(), 'Un precio en `above` y `below`; un por ciento en las otras.', 1500),
  hysteresis: doc(z.number(), 'Cuánto debe alejarse el valor del umbral para rearmarla.', 10),
  against: doc(
    z.nullable(z.object({ currency: currency(), origin: origin(), side: side() })),
    'El otro par de `gap`; `null` en las otras condiciones.',
    null,
  ),
  repeat: doc(z.boolean(), 'Si después de disparar vuelve a armarse.'),
})

const fields = () => ({
  ...part.subscriptionFields(EXAMPLE_ID),
  ...rule(),
  channel: doc(z.enum(CHANNELS), 'Por dónde avisa: un POST firmado, o tu correo.'),
  destination: part.destination(z.nullable(z.string()), 'La URL enmascarada; `null` por correo.'),
  phase: doc(
    z.enum(PHASES),
    '`armed`: dispara cuando se cumpla. `waiting`: ya se cumplía, y primero tiene que dejar de cumplirse. `done`: disparó y no repite.',
  ),
  isMet: doc(z.nullable(z.boolean()), 'Si se cumple ahora; `null` sin cotización.', false),
  value: doc(z.nullable(z.number()), 'El valor vigente que mira.', 1430),
  percent: percent(),
  firedAt: doc(z.nullable(utcInstant()), 'Cuándo disparó por última vez.', null),
})

const alert = named('Alert', 'Una alerta y lo que mira, como está ahora.', fields)
const ownAlert = named('OwnAlert', 'Una alerta con su URL.', () => ({
  ...fields(),
  url: doc(z.nullable(part.wholeUrl()), 'La URL completa; `null` por correo.', part.RECEIVER),
}))

const schemas = {
  shown: alert,
  own: ownAlert,
  issued: () => doc(z.optional(part.secret()), '', exampleOf(part.secret())),
  testQueued: named(
    'AlertTestQueued',
    'La prueba quedó en cola; por correo no es una entrega, y los identificadores son nulos.',
    () => ({
      id: z.nullable(part.deliveryFields().id),
      deliveryId: doc(z.nullable(z.string()), '', part.DELIVERY_ID),
      status: z.literal('pending'),
    }),
  ),
}

const against = () =>
  z.nullable(
    z.strictObject({
      currency: z.enum(CURRENCIES),
      origin: z.enum(ORIGINS),
      side: z._default(z.enum(SIDES), 'sell'),
    }),
  )

const wanted = () => ({
  side: doc(z.enum(SIDES), 'Qué valor mira: la compra o la venta.'),
  condition: doc(z.enum(CONDITIONS), 'Cuándo dispara.'),
  threshold: doc(
    z.number(),
    'Mayor que 0. En `above` y `below` un precio, con los decimales del par; en `change` y `gap` un por ciento, con hasta 2 decimales.',
  ),
  hysteresis: doc(z.number(), 'En la misma unidad, de 0 a menos que el umbral.'),
  against: doc(against(), 'El otro par de `gap`, de la misma moneda; solo en esa condición.'),
  repeat: doc(z.boolean(), 'Si vuelve a armarse después de disparar.'),
  channel: doc(
    z.enum(CHANNELS),
    '`webhook`: un POST firmado a `url`. `email`: al correo de la cuenta, uno por hora como mucho, y diez por hora entre todas las alertas y sus pruebas.',
  ),
  url: doc(z.optional(z.string()), `${part.URL_WORDS} Solo por webhook.`),
  enabled: doc(z.boolean(), 'Si avisa.'),
})

const createBody = () => {
  const { side, hysteresis, against, repeat, channel, enabled, ...others } = wanted()
  return z.strictObject({
    operationId: part.given.operationId(),
    ...part.given.pair(),
    ...others,
    side: z._default(side, 'sell'),
    hysteresis: z._default(hysteresis, 0),
    against: z._default(against, null),
    repeat: z._default(repeat, false),
    channel: z._default(channel, 'webhook'),
    enabled: z._default(enabled, true),
    receiverAuthorization: part.given.receiverAuthorization(),
  })
}
const editBody = () =>
  z.strictObject({
    version: part.given.version(),
    ...z.partial(z.object({ ...part.given.pair(), ...wanted() })).shape,
    receiverAuthorization: part.given.editedAuthorization(),
  })

const described: Described<NewAlert, AlertEdit> = {
  kind: 'alert',
  exampleId: EXAMPLE_ID,
  descriptions: {
    created: 'Creada. El secreto no se vuelve a mostrar; por correo no hay.',
    gone: 'No existe o es de otra cuenta.',
    list: 'Las de la cuenta, con el valor que mira cada una y si su condición se cumple ahora. Un parámetro es 400.',
    create:
      'Avisa una vez cuando el valor cruza el umbral, o cada vez con `repeat`. Si la condición ya se cumple al crearla, lo dice (`phase: "waiting"`) y espera a que deje de cumplirse. Repetir `operationId` devuelve la primera, sin secreto.',
    deliveries: `De la más nueva a la más vieja, hasta ${part.DELIVERY_PAGE_MAX} por página, como las de webhooks. Los correos no son entregas. Otros parámetros son 400.`,
    read: 'Con su URL completa; nunca con el secreto ni la credencial del receptor. Un parámetro es 400.',
    edit: 'Cambia lo que el cuerpo nombra y cancela los envíos que esperaban. Otra condición, otro umbral o una activación la arman de nuevo, o la dejan esperando si ya se cumple; `enabled: true` también arma una que terminó. Una condición de otra unidad pide un `threshold` nuevo. La que pasa de correo a webhook tiene un secreto que no se mostró: pedile uno a `rotate-secret`.',
    test: 'Pone en cola un `alert.test` con los valores vigentes, también si está pausada. Por correo sale enseguida, o con el próximo si la cuenta ya tuvo sus diez de la hora.',
  },
  refusesQuery: true,
  createBody,
  editBody,
  schemas,
  creation: {
    operationId: part.OPERATION_ID,
    currency: 'USD',
    origin: 'BLUE',
    condition: 'above',
    threshold: 1500,
    hysteresis: 10,
    repeat: true,
    url: part.RECEIVER,
  },
  edit: { threshold: 1550 },
  edited: { threshold: 1550 },
}

const management = managementOf(described)
export const alertOperations = { ...management, ...redeliveriesOf(described) }

export const alerts = resource(
  'Alertas',
  'Un aviso cuando un valor cruza un umbral, por webhook o por correo.',
  Object.values(management),
)
