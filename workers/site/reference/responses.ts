/** The responses that many routes share, with their headers. */
import type { ApiResponse, Header, PathItem, Schema } from './openapi.ts'
import { METHOD_NOT_ALLOWED, MINUTE_QUOTA_SPENT } from '../../../shared/sentences.ts'

export const ref = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` })

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

export function json(description: string, schema: Schema, example: unknown): ApiResponse {
  return { description, content: { 'application/json': { schema, example } } }
}

/** A private response, with the quota in its headers. */
export function privateJson(description: string, schema: Schema, example: unknown): ApiResponse {
  return { ...json(description, schema, example), headers: { ...NO_STORE, ...QUOTA } }
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

/** A refusal behind the gate; the request counted. */
export const privateRefusal = (description: string, error: string) =>
  errorResponse(description, error, QUOTA)

export const unavailable = (description: string, error: string) =>
  errorResponse(description, error, RETRY)

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
