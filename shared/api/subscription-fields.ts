/** The fields, bodies and examples of webhooks, alerts and their deliveries. */
import * as z from 'zod'
import { CURRENCIES, ORIGINS } from '../market/catalog.ts'
import { isUuid, UUID } from '../uuid.ts'
import { DELIVERY_ERRORS, DELIVERY_STATUSES, DELIVERY_TYPES } from '../webhooks/delivery.ts'
import { MAX_ATTEMPTS } from '../webhooks/retry.ts'
import { thousands } from './answers.ts'
import { currency, origin, utcInstant } from './fields.ts'
import type { Fields, Terms } from './operation.ts'

export const uuid = () => z.string().regex(UUID)

export const uuidInPath = (name: string, description: string, example: string) => () =>
  z.object({
    [name]: z.string().refine(isUuid).describe(description).meta({ format: 'uuid', example }),
  })

export const keyed = <Name extends string, Value>(name: Name, value: Value) =>
  ({ [name]: value }) as Record<Name, Value>

/** Deliveries of a page. */
export const DELIVERY_PAGE_MAX = 50

export const secret = () =>
  z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .describe('Con él se verifican las firmas. Se muestra esta única vez.')

const cursor = () => z.string().regex(/^v1:\d+$/)

/** A delivery, without whose it is. */
export const deliveryFields = () => ({
  id: z.int().min(1),
  deliveryId: z.string().describe('El mismo en todos los intentos.'),
  currency: currency(),
  origin: origin(),
  destination: z.string().describe('Enmascarado.'),
  type: z.enum(DELIVERY_TYPES),
  status: z.enum(DELIVERY_STATUSES),
  attempts: z
    .int()
    .min(0)
    .max(MAX_ATTEMPTS)
    .describe('Los de esta vuelta; un reenvío los cuenta de nuevo.'),
  code: z.int().min(100).max(599).nullable().describe('Código HTTP del receptor.'),
  errorType: z
    .enum(DELIVERY_ERRORS)
    .nullable()
    .describe('`expired`: cumplió siete días, o no llega al próximo intento.'),
  createdAt: utcInstant(),
  lastAttemptAt: utcInstant().nullable(),
  resolvedAt: utcInstant().nullable(),
})

export const pageOf = <Delivery extends z.ZodType>(delivery: Delivery) => ({
  deliveries: z.array(delivery).max(DELIVERY_PAGE_MAX).describe('De la más nueva a la más vieja.'),
  nextCursor: cursor()
    .nullable()
    .describe('Para `cursor` de la página siguiente; `null` en la última.'),
})

/** The query of a list of deliveries; `whose` is the parameter that names whose. */
export const deliveriesQuery = (whose: 'webhookId' | 'alertId', what: string) =>
  z.strictObject({
    ...keyed(whose, uuid().optional().describe(`Solo las de ${what}.`)),
    deliveryId: z.string().min(1).max(200).optional().describe('Solo la de este identificador.'),
    status: z.enum(DELIVERY_STATUSES).optional().describe('Solo las que están así.'),
    cursor: cursor().optional().describe('El `nextCursor` de la página anterior.'),
    limit: z
      .string()
      .regex(/^\d+$/)
      .transform(Number)
      .pipe(z.int().min(1).max(DELIVERY_PAGE_MAX))
      .default(DELIVERY_PAGE_MAX)
      .describe('Cuántas por página.'),
  })

const VERSION = 'La `version` que se leyó; si ya no es la actual, 409.'
const AUTHORIZATION =
  'Credencial para el receptor; se envía tal cual en `Authorization`. ASCII imprimible, sin espacios al principio ni al final; otra cosa es 400.'
export const URL_WORDS =
  'HTTPS pública de hasta 2048 caracteres, sin usuario ni fragmento, que no apunte a este servicio; no se siguen redirecciones.'

/**
 * Printable ASCII without spaces at its ends: what a header carries unchanged (decision 30:
 * printable ASCII alone).
 */
const authorization = () =>
  z
    .string()
    .max(2048)
    .regex(/^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/)

/** The fields of bodies. The destination policy checks everything of a URL. */
export const given = {
  operationId: () => uuid().describe('UUID nuevo por cada creación.'),
  version: () => z.int().min(1).max(Number.MAX_SAFE_INTEGER).describe(VERSION),
  pair: () => ({
    currency: z.enum(CURRENCIES).describe('Moneda del par.'),
    origin: z.enum(ORIGINS).describe('Origen del par; tiene que existir en el catálogo.'),
  }),
  receiverAuthorization: () => authorization().optional().describe(AUTHORIZATION),
  editedAuthorization: () =>
    authorization().nullable().optional().describe(`${AUTHORIZATION} \`null\` la quita.`),
}

export const versionBody = () => z.strictObject({ version: given.version() })
export const emptyBody = () => z.strictObject({}).optional()
export const sinceBody = () =>
  z.strictObject({
    since: z.iso
      .datetime({ offset: true })
      .describe('Desde cuándo, por su `createdAt`: fecha y hora con `Z` o con diferencia horaria.'),
  })

export const examples = {
  operationId: '5f0c1f0e-6f0a-4a4e-9d59-0d7c2a1b3c4d',
  url: 'https://receptor.example/cotizaciones',
  secret: '0123456789abcdef'.repeat(4),
  delivery: {
    id: 42,
    deliveryId: '0195575e-1f00-7c3a-8a8b-1c2d3e4f5a6b',
    currency: 'USD',
    origin: 'BLUE',
    destination: 'https://receptor.example/***',
    type: 'automatic',
    status: 'delivered',
    attempts: 1,
    code: 200,
    errorType: null,
    createdAt: '2026-03-02T15:00:00.000Z',
    lastAttemptAt: '2026-03-02T15:00:01.250Z',
    resolvedAt: '2026-03-02T15:00:01.480Z',
  },
}
/** What every delivery carries; `whose` is the id in `X-Service-Webhook-Id`. */
export const deliveryHeaders = (whose: string): Fields => ({
  'X-Service-Delivery-Id': z
    .string()
    .describe('Un UUID v7, el mismo en todos los intentos: sirve para descartar repetidos.'),
  'X-Service-Webhook-Id': z.string().describe(whose),
  'X-Service-Timestamp': z.string().describe('Segundos Unix del intento.'),
  'X-Service-Signature': z
    .string()
    .describe('`sha256=` y el HMAC-SHA256 de `timestamp + "." + cuerpo`, en hexadecimal.'),
  'webhook-id': z
    .string()
    .describe('Lo mismo que `X-Service-Delivery-Id`, como lo nombra Standard Webhooks.'),
  'webhook-timestamp': z.string().describe('Lo mismo que `X-Service-Timestamp`.'),
  'webhook-signature': z
    .string()
    .describe('`v1,` y el HMAC-SHA256 de `id + "." + timestamp + "." + cuerpo`, en base64.'),
})

/** `4 intentos por envío, con esperas de 30 segundos, 5 minutos y 30 minutos`. */
export function attemptLimits({ waits }: Terms): string {
  const durations = waits.map(duration)
  return `${waits.length + 1} intentos por envío, con esperas de ${durations.slice(0, -1).join(', ')} y ${durations.at(-1)}`
}

function duration(seconds: number): string {
  if (seconds % 3600 === 0) return many(seconds / 3600, 'hora')
  if (seconds % 60 === 0) return many(seconds / 60, 'minuto')
  return many(seconds, 'segundo')
}

const many = (count: number, unit: string) => `${thousands(count)} ${unit}${count === 1 ? '' : 's'}`
