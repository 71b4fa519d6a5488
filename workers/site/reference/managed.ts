/** What the operations of webhooks and those of alerts have in common. */
import type * as z from 'zod'
import { privateRefusal, quotaExhausted, unauthorized, unavailable } from './responses.ts'
import type { ApiResponse, Operation, Parameter, Schema } from './openapi.ts'
import { withKey } from './security.ts'
import { toFields } from './to-schemas.ts'
import {
  DAILY_BUDGET_SPENT,
  IN_PREPARATION,
  NOT_JSON,
  UNKNOWN_FIELDS,
} from '../../../shared/sentences.ts'
import { MAX_BODY_BYTES } from '../../../shared/body-limit.ts'

export const VERSION = 'La `version` que se leyó; si ya no es la actual, 409.'
export const URL_WORDS =
  'HTTPS pública de hasta 2048 caracteres, sin usuario ni fragmento, que no apunte a este servicio; no se siguen redirecciones.'
export const AUTHORIZATION =
  'Credencial para el receptor; se envía tal cual en `Authorization`. ASCII imprimible, sin espacios al principio ni al final; otra cosa es 400.'

/** The description of an operation of webhooks or alerts. */
export interface Described {
  tag: string
  description: string
  parameters?: Parameter[]
  /** The text of the 400 of a read that refuses parameters. */
  refusesQuery?: string
  body?: Schema
  bodyOptional?: boolean
  example?: unknown
  ok?: ApiResponse
  created?: ApiResponse
  accepted?: ApiResponse
  notFound?: ApiResponse
  /** The text of the 409. */
  conflict?: string
}

/** An operation behind a key, with all the refusals that follow from what it takes. */
export function managed(operationId: string, summary: string, described: Described): Operation {
  const { body, parameters, ok, created, accepted, notFound, conflict } = described

  return {
    operationId,
    summary,
    description: described.description,
    tags: [described.tag],
    security: withKey,
    ...(parameters && { parameters }),
    ...(body && {
      requestBody: {
        required: !described.bodyOptional,
        content: { 'application/json': { schema: body, example: described.example } },
      },
    }),
    responses: {
      ...(ok && { '200': ok }),
      ...(created && { '201': created }),
      ...(accepted && { '202': accepted }),
      ...((body || described.refusesQuery) && {
        '400': privateRefusal(
          body
            ? 'El cuerpo no es válido o tiene campos desconocidos.'
            : 'La consulta no es válida.',
          body ? UNKNOWN_FIELDS : described.refusesQuery!,
        ),
      }),
      '401': unauthorized,
      ...(notFound && { '404': notFound }),
      ...(conflict && { '409': privateRefusal('No se puede en el estado actual.', conflict) }),
      ...(body && {
        '413': privateRefusal(
          'El cuerpo es demasiado largo.',
          `El cuerpo supera los ${MAX_BODY_BYTES} bytes`,
        ),
        '415': privateRefusal('El cuerpo no es JSON.', NOT_JSON),
      }),
      '429': quotaExhausted,
      '503': unavailable(
        'La función está en preparación, se agotó la capacidad de envíos o la diaria, o la base de datos no responde.',
        created || accepted ? IN_PREPARATION : DAILY_BUDGET_SPENT,
      ),
    },
  }
}

/** An id of the path; `whose` is `del webhook`. */
export const idInPath = (whose: string, example: string): Parameter =>
  uuidInPath('id', `El \`id\` ${whose}, un UUID en minúsculas.`, example)

export function uuidInPath(name: string, description: string, example: string): Parameter {
  return {
    name,
    in: 'path',
    required: true,
    description,
    schema: { type: 'string', format: 'uuid' },
    example,
  }
}

/** The parameters of a list of deliveries; `descriptions` are those of its own parameters. */
export function deliveryParameters(
  query: z.core.$ZodType,
  descriptions: Readonly<Record<string, string>>,
): Parameter[] {
  const fields = toFields(query, {
    deliveryId: 'Solo la de este identificador.',
    status: 'Solo las que están así.',
    cursor: 'El `nextCursor` de la página anterior.',
    limit: 'Cuántas por página.',
    ...descriptions,
  })
  return Object.entries(fields).map(([name, { description, ...schema }]) => ({
    name,
    in: 'query',
    description,
    schema,
  }))
}
