/** The fields, bodies and examples of webhooks, alerts and their deliveries. */
import * as z from 'zod/mini'
import { CURRENCIES, ORIGINS } from '../market/catalog.ts'
import { isUuid, UUID } from '../crypto/random.ts'
import { DELIVERY_ERRORS, DELIVERY_STATUSES, DELIVERY_TYPES } from '../webhooks/delivery.ts'
import { MAX_ATTEMPTS } from '../webhooks/retry.ts'
import { WEBHOOK_STATES } from '../webhooks/webhook.ts'
import { currency, origin, utcInstant, wholeNumber, wholeNumberInQuery } from './fields.ts'
import { doc } from './operation.ts'

export const uuid = (example = '0b9d2c1e-8a55-4d6f-9a0e-3f1c2b4d5e6f') =>
  doc(z.string().check(z.regex(UUID)), '', example)
const SECRET = '0123456789abcdef'.repeat(4)
export const OPERATION_ID = '5f0c1f0e-6f0a-4a4e-9d59-0d7c2a1b3c4d'
export const RECEIVER = 'https://receptor.example/cotizaciones'
export const DELIVERY_ID = '0195575e-1f00-7c3a-8a8b-1c2d3e4f5a6b'
export const destination = <Schema extends z.ZodMiniType>(schema: Schema, description: string) =>
  doc(schema, description, 'https://receptor.example/***')

export const uuidInPath =
  <Name extends string>(name: Name, description: string, example: string) =>
  () => {
    const uuid = doc(z.string().check(z.refine(isUuid)), description, example, { format: 'uuid' })
    return z.object({ [name]: uuid } as Record<Name, typeof uuid>)
  }

/** The fields that webhooks and alerts share. */
export const subscriptionFields = (id: string) => ({
  id: uuid(id),
  operationId: doc(uuid(OPERATION_ID), 'El de su creación.'),
  currency: currency(),
  origin: origin(),
  enabled: z.boolean(),
  receiverAuthorizationConfigured: doc(z.boolean(), 'Si hay una credencial guardada.', false),
  state: doc(
    z.enum(WEBHOOK_STATES),
    '`active`: envía. `manual`: la pausó su dueño. `failure`: la pausaron diez fallas seguidas. `capacity`: espera lugar. `inherited`: viene de v1 y espera que la activen.',
  ),
  version: doc(wholeNumber(1), 'La exige toda modificación, y crece con cada una.', 1),
  createdAt: utcInstant(),
})

/** A URL as a read shows it. */
export const wholeUrl = () => z.string().check(z.maxLength(2048))

/** Deliveries per page. */
export const DELIVERY_PAGE_MAX = 50

export const secret = () =>
  doc(z.string().check(z.regex(/^[0-9a-f]{64}$/)), 'Para las firmas; se muestra esta vez.', SECRET)

const cursor = () => doc(z.string().check(z.regex(/^v1:\d+$/)), '', 'v1:42')

/** A delivery, without the field that names its subscription. */
export const deliveryFields = () => ({
  id: doc(wholeNumber(1), '', 42),
  deliveryId: doc(z.string(), 'El mismo en todos los intentos.', DELIVERY_ID),
  currency: currency(),
  origin: origin(),
  destination: destination(z.string(), 'Enmascarado.'),
  type: z.enum(DELIVERY_TYPES),
  status: doc(z.enum(DELIVERY_STATUSES), '', 'delivered'),
  attempts: doc(wholeNumber(0, MAX_ATTEMPTS), 'Un reenvío los cuenta de nuevo.', 1),
  code: doc(z.nullable(wholeNumber(100, 599)), 'Código HTTP del receptor.', 200),
  errorType: doc(z.nullable(z.enum(DELIVERY_ERRORS)), '`expired`: venció a los siete días.', null),
  createdAt: utcInstant(),
  lastAttemptAt: z.nullable(utcInstant()),
  resolvedAt: z.nullable(utcInstant()),
})

/** The fields of a delivery in the answer to a test or a redelivery. */
export const queuedFields = () => ({
  id: deliveryFields().id,
  deliveryId: deliveryFields().deliveryId,
  status: doc(z.literal('pending'), 'Aceptada, todavía no recibida.'),
})

export const pageOf = <Delivery extends z.ZodMiniType>(delivery: Delivery) => ({
  deliveries: doc(
    z.array(delivery).check(z.maxLength(DELIVERY_PAGE_MAX)),
    'De la más nueva a la más vieja.',
  ),
  nextCursor: doc(z.nullable(cursor()), 'El `cursor` de la página siguiente; `null` en la última.'),
})

/** The query of a list of deliveries; `whose` is the parameter that selects a subscription. */
export const deliveriesQuery = (whose: 'webhookId' | 'alertId', what: string) =>
  z.strictObject({
    ...({ [whose]: doc(z.optional(uuid()), `Solo las de ${what}.`) } as Record<
      typeof whose,
      z.ZodMiniOptional<z.ZodMiniString>
    >),
    deliveryId: doc(z.optional(z.string().check(z.minLength(1), z.maxLength(200))), 'Solo esta.'),
    status: doc(z.optional(z.enum(DELIVERY_STATUSES)), 'Solo las que están así.'),
    cursor: doc(z.optional(cursor()), 'El `nextCursor` de la página anterior.'),
    limit: doc(
      z._default(wholeNumberInQuery(1, DELIVERY_PAGE_MAX, /^\d+$/), DELIVERY_PAGE_MAX),
      'Cuántas por página.',
    ),
  })

const VERSION = 'La `version` que se leyó; si ya no es la actual, 409.'
const AUTHORIZATION =
  'Credencial para el receptor; se envía tal cual en `Authorization`. ASCII imprimible, sin espacios al principio ni al final; otra cosa es 400.'
export const URL_WORDS =
  'HTTPS pública de hasta 2048 caracteres, sin usuario ni fragmento, que no apunte a este servicio; no se siguen redirecciones.'

/**
 * Printable ASCII without spaces at its ends, which a header transports unchanged (decision 30:
 * printable ASCII alone).
 */
const authorization = () =>
  z.string().check(z.maxLength(2048), z.regex(/^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/))

/** The fields of bodies. The destination policy checks URLs, so the schema does not. */
export const given = {
  operationId: () => doc(uuid(), 'UUID nuevo por cada creación.'),
  version: () => doc(wholeNumber(1), VERSION),
  pair: () => ({
    currency: doc(z.enum(CURRENCIES), 'Moneda del par.'),
    origin: doc(z.enum(ORIGINS), 'Origen del par; tiene que existir en el catálogo.'),
  }),
  receiverAuthorization: () => doc(z.optional(authorization()), AUTHORIZATION),
  editedAuthorization: () =>
    doc(z.optional(z.nullable(authorization())), `${AUTHORIZATION} \`null\` la quita.`),
}

export const versionBody = () => z.strictObject({ version: given.version() })
export const emptyBody = () => z.optional(z.strictObject({}))
export const sinceBody = () =>
  z.strictObject({
    since: doc(z.iso.datetime({ offset: true }), 'Desde qué `createdAt`, con `Z` o con desfase.'),
  })
