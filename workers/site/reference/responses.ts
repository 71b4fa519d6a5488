/** The responses that many routes share, with their headers. */
import { type Terms, thousands } from './limits.ts'
import type { ApiResponse, Header, PathItem, Schema } from './openapi.ts'
import {
  METHOD_NOT_ALLOWED,
  MINUTE_QUOTA_SPENT,
  QUOTE_NOT_FOUND,
  RESOURCE_NOT_FOUND,
  TOO_MANY_DATES,
} from '../../../shared/sentences.ts'

export const ref = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` })
export const listOf = (name: string): Schema => ({ type: 'array', items: ref(name) })

const text: Schema = { type: 'string' }
const seconds: Schema = { type: 'integer', minimum: 1 }
const count: Schema = { type: 'integer', minimum: 0 }

const RETRY: Record<string, Header> = {
  'Retry-After': { description: 'Segundos que conviene esperar.', required: true, schema: seconds },
}

const NO_STORE: Record<string, Header> = {
  'Cache-Control': {
    description: 'Nunca se guarda.',
    required: true,
    schema: { const: 'no-store' },
  },
}

/** Headers of every response behind the gate. */
const QUOTA: Record<string, Header> = {
  'RateLimit-Limit': {
    description: 'El límite más ajustado de los que corresponden.',
    required: true,
    schema: count,
  },
  'RateLimit-Remaining': { description: 'Lo que queda de él.', required: true, schema: count },
  'RateLimit-Reset': {
    description: 'Segundos hasta que se renueva.',
    required: true,
    schema: count,
  },
}

const CACHED: Record<string, Header> = {
  ETag: {
    description: 'Etiqueta fuerte: devolvela en `If-None-Match` para recibir 304.',
    required: true,
    schema: text,
  },
  'Cache-Control': {
    description: 'Cuánto se puede guardar.',
    required: true,
    schema: { type: 'string', pattern: '^public, max-age=\\d+$' },
  },
}

export function json(description: string, schema: Schema, example: unknown): ApiResponse {
  return { description, content: { 'application/json': { schema, example } } }
}

/** A public response, which caches may keep. */
export function publicJson(description: string, schema: Schema, example: unknown): ApiResponse {
  return { ...json(description, schema, example), headers: CACHED }
}

/** A private response, with the quota in its headers. */
export function privateJson(description: string, schema: Schema, example: unknown): ApiResponse {
  return { ...json(description, schema, example), headers: { ...NO_STORE, ...QUOTA } }
}

/** The same response also as CSV. */
export function orCsv(answer: ApiResponse, example: string): ApiResponse {
  const vary: Header = {
    description: '`Accept` elige entre JSON y CSV.',
    required: true,
    schema: text,
  }
  return {
    ...answer,
    headers: { ...answer.headers, Vary: vary },
    content: { ...answer.content, 'text/csv': { schema: text, example } },
  }
}

export const notModified: ApiResponse = {
  description: 'Sin cambios desde la etiqueta dada en `If-None-Match`; sin cuerpo.',
  headers: CACHED,
}

function errorResponse(
  description: string,
  error: string,
  headers: Record<string, Header>,
): ApiResponse {
  return {
    description,
    headers: { ...NO_STORE, ...headers },
    content: { 'application/json': { schema: ref('Error'), example: { error } } },
  }
}

/** A refusal of a public route. */
export const refusal = (description: string, error: string) => errorResponse(description, error, {})

/** A refusal behind the gate; the request counted. */
export const privateRefusal = (description: string, error: string) =>
  errorResponse(description, error, QUOTA)

export const unavailable = (description: string, error: string) =>
  errorResponse(description, error, RETRY)

export const currencyNotFound = refusal('La moneda no existe.', RESOURCE_NOT_FOUND)

export const noData = (error: string) =>
  unavailable('No hay datos disponibles por unos segundos.', error)

export const unauthorized = errorResponse(
  'Falta la clave, no es válida o fue revocada.',
  'No autorizado',
  {
    'WWW-Authenticate': {
      description: 'El esquema esperado.',
      required: true,
      schema: { const: 'Bearer' },
    },
  },
)

export const quotaExhausted = errorResponse(
  'Se agotó la cuota por minuto de la clave, o desde tu dirección llegaron más de 30 claves que nadie tiene en un minuto.',
  MINUTE_QUOTA_SPENT,
  { ...RETRY, ...QUOTA },
)

export const tooManyReads = (description: string, example: string): ApiResponse => ({
  description,
  headers: { ...NO_STORE, ...RETRY },
  content: { 'text/plain': { schema: text, example } },
})

export const dateLimit = ({ dateReads }: Terms): ApiResponse =>
  tooManyReads(
    `Más de ${thousands(dateReads)} consultas en 10 segundos desde una IP: espera de 10 segundos. Texto plano.`,
    TOO_MANY_DATES,
  )

/** The gate's 404 of a pair outside the catalogue is a page unless `Accept` prefers JSON. */
export const pairNotFound: ApiResponse = {
  description:
    'El par no existe o todavía no cotizó. Fuera del catálogo, el cuerpo es una página HTML salvo que `Accept` prefiera JSON.',
  headers: NO_STORE,
  content: {
    'application/json': { schema: ref('Error'), example: { error: QUOTE_NOT_FOUND } },
    'text/html': { schema: text },
  },
}

const methodNotAllowed = errorResponse('La ruta no admite el método.', METHOD_NOT_ALLOWED, {
  Allow: { description: 'Los que admite.', required: true, schema: text },
})

/** The paths with the 405 that they give to other methods. */
export function withMethodRefusals(paths: Record<string, PathItem>): Record<string, PathItem> {
  return Object.fromEntries(Object.entries(paths).map(([path, item]) => [path, refusing(item)]))
}

function refusing(item: PathItem): PathItem {
  return Object.fromEntries(
    Object.entries(item).map(([method, operation]) => [
      method,
      { ...operation, responses: { ...operation.responses, '405': methodNotAllowed } },
    ]),
  )
}
