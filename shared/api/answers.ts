/** The answers that many operations share, with their headers. */
import * as z from 'zod/mini'
import { type CsvValue, toCsv } from '../csv.ts'
import * as sentence from '../sentences.ts'
import { numberText } from '../market/spanish-text.ts'
import { errorObject } from './fields.ts'
import {
  type Answer,
  exampleOf,
  type Header,
  type JsonSchema,
  type Deployment,
} from './operation.ts'

const TEXT: JsonSchema = { type: 'string' }
const COUNT: JsonSchema = { type: 'integer', minimum: 0 }

export const always = (description: string, schema: JsonSchema): Header => ({
  description,
  required: true,
  schema,
})

const RETRY = {
  'Retry-After': always('Segundos que conviene esperar.', { type: 'integer', minimum: 1 }),
}
const NO_STORE = { 'Cache-Control': always('Nunca se guarda.', { const: 'no-store' }) }

/** Headers of every answer behind the gate. */
const QUOTA = {
  'RateLimit-Limit': always('El límite más ajustado de los que corresponden.', COUNT),
  'RateLimit-Remaining': always('Lo que queda de él.', COUNT),
  'RateLimit-Reset': always('Segundos hasta que se renueva.', COUNT),
}

const CACHED = {
  ETag: always('Etiqueta fuerte: devolvela en `If-None-Match` para recibir 304.', TEXT),
  'Cache-Control': always('Cuánto se puede guardar.', {
    type: 'string',
    pattern: '^public, max-age=\\d+$',
  }),
}

export function json(
  description: string,
  schema: z.ZodMiniType,
  example: unknown = exampleOf(schema),
): Answer {
  return { description, content: { 'application/json': { schema, example } } }
}

/** A public answer, which caches may keep. */
export function publicJson(description: string, schema: z.ZodMiniType, example?: unknown): Answer {
  return { ...json(description, schema, example), headers: CACHED }
}

/** A public answer as text. */
export function publicText(description: string, type: string, example?: string): Answer {
  const media = { schema: z.string(), ...(example !== undefined && { example }) }
  return { description, headers: CACHED, content: { [type]: media } }
}

/** A private answer, with the quota in its headers. */
export function privateJson(description: string, schema: z.ZodMiniType, example?: unknown): Answer {
  return { ...json(description, schema, example), headers: { ...NO_STORE, ...QUOTA } }
}

/** Adds CSV to an answer. The rows of the CSV example are by default those of the JSON example. */
export function orCsv(
  answer: Answer,
  rows: readonly unknown[] = [answer.content!['application/json']!.example].flat(),
  columns?: readonly string[],
): Answer {
  const example = toCsv(rows as Record<string, CsvValue>[], columns)
  return {
    ...answer,
    headers: { ...answer.headers, Vary: always('`Accept` elige entre JSON y CSV.', TEXT) },
    content: { ...answer.content, 'text/csv': { schema: z.string(), example } },
  }
}

export const notModified: Answer = {
  description: 'Sin cambios desde la etiqueta dada en `If-None-Match`; sin cuerpo.',
  headers: CACHED,
}

function errorAnswer(
  description: string,
  error: string,
  headers: Readonly<Record<string, Header>>,
): Answer {
  const answer = json(description, errorObject(), { error })
  return { ...answer, headers: { ...NO_STORE, ...headers } }
}

/** A refusal of a public operation. */
export const refusal = (description: string, error: string) => errorAnswer(description, error, {})

/** A refusal behind the gate. The refused request counts for the quota. */
export const privateRefusal = (description: string, error: string) =>
  errorAnswer(description, error, QUOTA)

export const unavailable = (description: string, error: string) =>
  errorAnswer(description, error, RETRY)

export const currencyNotFound = () => refusal('La moneda no existe.', sentence.RESOURCE_NOT_FOUND)

export const noData = (error: string) =>
  unavailable('No hay datos disponibles por unos segundos.', error)

export const noDatabase = (error: string) =>
  unavailable('La base no responde por unos segundos.', error)

/** The refusals of the gate before private operations. `error` is the sentence of the 503. */
export const gateRefusals = (
  { unknownKeys }: Deployment,
  error: string,
  why = 'La clave no se puede verificar ahora, la base no responde, o se agotó la capacidad diaria.',
) => ({
  401: errorAnswer('Falta la clave, no es válida o fue revocada.', 'No autorizado', {
    'WWW-Authenticate': always('El esquema esperado.', { const: 'Bearer' }),
  }),
  429: errorAnswer(
    `Se agotó la cuota por minuto de la clave, o desde tu dirección llegaron más de ${numberText(unknownKeys)} claves que nadie tiene en un minuto.`,
    sentence.MINUTE_QUOTA_SPENT,
    { ...RETRY, ...QUOTA },
  ),
  503: unavailable(why, error),
})

export const tooManyReads = (description: string, example: string): Answer => ({
  description,
  headers: { ...NO_STORE, ...RETRY },
  content: { 'text/plain': { schema: z.string(), example } },
})

export const dateLimit = ({ dateReads }: Deployment) =>
  tooManyReads(
    `Más de ${numberText(dateReads)} consultas en 10 segundos desde una IP: espera de 10 segundos. Texto plano.`,
    sentence.TOO_MANY_DATES,
  )

/** The 404 of a pair outside the catalogue is an HTML page unless `Accept` prefers JSON. */
export const pairNotFound = (): Answer => ({
  description:
    'El par no existe o todavía no cotizó. Fuera del catálogo, el cuerpo es una página HTML salvo que `Accept` prefiera JSON; con `format=value`, un renglón de texto.',
  headers: NO_STORE,
  content: {
    'application/json': { schema: errorObject(), example: { error: sentence.QUOTE_NOT_FOUND } },
    'text/html': { schema: z.string() },
    'text/plain': { schema: z.string(), example: sentence.QUOTE_NOT_FOUND },
  },
})

/** The answer of every path to a method that it does not support. */
export const methodNotAllowed = () =>
  errorAnswer('La ruta no admite el método.', sentence.METHOD_NOT_ALLOWED, {
    Allow: always('Los que admite.', TEXT),
  })
