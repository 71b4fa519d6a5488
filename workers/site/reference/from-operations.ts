/** The parts of an OpenAPI document, from the definitions of the operations. */
import * as z from 'zod/mini'
import { methodNotAllowed } from '../../../shared/api/answers.ts'
import {
  type Answer,
  exampleOf,
  examples,
  type Fields,
  type JsonSchema,
  type Operation,
  registry,
  type Resource,
  type Deployment,
} from '../../../shared/api/operation.ts'
import type * as openapi from './openapi.ts'

/** A key goes in either header. A request with both must have the same key in both. */
export const securitySchemes: Record<string, openapi.Schema> = {
  bearer: {
    type: 'http',
    scheme: 'bearer',
    description: '`Authorization: Bearer <clave>`, lo recomendado.',
  },
  apiKey: {
    type: 'apiKey',
    in: 'header',
    name: 'x-api-key',
    description: 'La misma clave en `x-api-key`.',
  },
}

const withKey: Record<string, string[]>[] = [{ bearer: [] }, { apiKey: [] }]

/**
 * A resource without CSV and bare numbers: generated clients would type JSON or text as
 * `string | object`.
 */
export function inJson(resource: Resource): Resource {
  const operations = resource.operations.map(({ query, ...operation }) => ({
    ...operation,
    ...(query && !operation.sheets && { query: () => withoutFormat(query()) }),
    answers: (deployment: Deployment) => {
      const { 400: refused, ...answers } = operation.answers(deployment)
      const shown = Object.entries(answers).map(([status, answer]) => [status, jsonOf(answer)])
      return { ...Object.fromEntries(shown), ...(refused && !operation.sheets && { 400: refused }) }
    },
  }))
  return { ...resource, operations }
}

function jsonOf(answer: Answer): Answer {
  const { 'text/csv': _, 'text/plain': __, ...content } = answer.content ?? {}
  return 'application/json' in content ? { ...answer, content } : answer
}

function withoutFormat({ shape }: z.ZodMiniObject): z.ZodMiniObject {
  const { format: _, ...others } = shape
  return z.strictObject(others)
}

/** The same operations with other ids, for the document about their CSV answers. */
export function asSheets(resource: Resource): Resource {
  const operations = resource.operations.map((operation) => ({
    ...operation,
    id: `sheet${operation.id[0]!.toUpperCase()}${operation.id.slice(1)}`,
    summary: `${operation.summary}, también como tabla`,
  }))
  return { ...resource, operations }
}

/** The paths of the operations, each in the order of its resource. */
export function pathsOf(
  resources: readonly Resource[],
  deployment: Deployment,
): openapi.Document['paths'] {
  const paths: openapi.Document['paths'] = {}
  for (const { tag, operations } of resources)
    for (const operation of operations) {
      const { path, method } = operation
      paths[path] = { ...paths[path], [method]: operationOf(operation, tag.name, deployment) }
    }
  return paths
}

/** The named schemas that these parts refer to, directly or through other named schemas. */
export function componentsOf(...parts: unknown[]): Record<string, openapi.Schema> {
  const { schemas } = z.toJSONSchema(registry, { uri: addressOf })
  const used = new Set<string>()
  const use = (part: unknown): void => {
    for (const [, name] of JSON.stringify(part).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      if (used.has(name!)) continue
      used.add(name!)
      use(schemas[name!])
    }
  }
  use(parts)
  return Object.fromEntries(
    Object.entries(schemas)
      .filter(([name]) => used.has(name))
      .map(([name, schema]) => [name, withoutAddress(schema)]),
  )
}

const addressOf = (id: string) => `#/components/schemas/${id}`

function operationOf(operation: Operation, tag: string, deployment: Deployment): openapi.Operation {
  const { id, summary, description, key, params, query, headers, body } = operation
  const parameters = [
    ...parametersOf('path', params?.().shape),
    ...parametersOf('query', query?.().shape),
    ...parametersOf('header', headers?.()),
  ]
  const answers = { ...operation.answers(deployment), 405: methodNotAllowed() }
  return {
    operationId: id,
    summary,
    description,
    tags: [tag],
    security: key ? withKey : [],
    ...(parameters.length > 0 && { parameters }),
    ...(body && { requestBody: bodyOf(body.schema(), body.example, !body.optional) }),
    responses: Object.fromEntries(
      Object.entries(answers).map(([status, answer]) => [status, answerOf(answer)]),
    ),
  }
}

/** Describes the events of one kind of receiver, each as a POST. `changes` alter the example. */
export function eventsOf(tag: string, headers: Fields, schema: z.ZodMiniType) {
  return (
    described: Pick<openapi.Operation, 'operationId' | 'summary' | 'description'>,
    changes: object = {},
  ) => {
    const post: openapi.Operation = {
      ...described,
      tags: [tag],
      security: [],
      parameters: parametersOf('header', headers),
      requestBody: bodyOf(schema, { ...(exampleOf(schema) as object), ...changes }, true),
      responses: { '2XX': { description: 'Recibido. El cuerpo de la respuesta no se lee.' } },
    }
    return { post }
  }
}

function bodyOf(schema: z.ZodMiniType, example: unknown, required: boolean) {
  return {
    required,
    content: { 'application/json': { schema: schemaOf(schema, 'input'), example } },
  }
}

function answerOf({ description, headers, content }: Answer): openapi.ApiResponse {
  return {
    description,
    ...(headers && { headers }),
    ...(content && {
      content: Object.fromEntries(
        Object.entries(content).map(([type, { schema, ...example }]) => [
          type,
          { schema: schemaOf(schema, 'output'), ...example },
        ]),
      ),
    }),
  }
}

function parametersOf(location: openapi.Parameter['in'], fields: Fields = {}): openapi.Parameter[] {
  return Object.entries(fields).map(([name, field]) => {
    const { description, ...schema } = fieldSchema(field)
    const example = examples.get(field)?.example
    return {
      name,
      in: location,
      ...(!z.safeParse(field, undefined).success && { required: true }),
      description: String(description),
      schema,
      ...(example !== undefined && { example }),
    }
  })
}

/** The JSON schema of a value that a request carries as text. */
function fieldSchema(field: z.core.$ZodType): JsonSchema {
  const { maximum, ...schema } = withoutAddress(z.toJSONSchema(field, { io: 'output' }))
  return {
    ...schema,
    ...(maximum !== undefined && maximum !== Number.MAX_SAFE_INTEGER && { maximum }),
    ...(Array.isArray(schema['enum']) && { enum: inBothCases(field, schema['enum']) }),
  }
}

/** The values; in upper case too if the field accepts it, because quotes print `currency` so. */
function inBothCases(field: z.core.$ZodType, values: readonly string[]): string[] {
  const upper = values.map((value) => value.toUpperCase())
  const taken = upper.filter((value) => z.safeParse(field, value).success)
  return [...new Set([...values, ...taken])]
}

/** A reference to a named schema, or a list of such references; other schemas in full. */
function schemaOf(schema: z.ZodMiniType, io: 'input' | 'output'): openapi.Schema {
  const name = registry.get(schema)?.id
  if (name) return { $ref: addressOf(name) }
  if (schema instanceof z.ZodMiniArray) {
    return { type: 'array', items: schemaOf(schema.def.element as z.ZodMiniType, io) }
  }
  return withoutAddress(z.toJSONSchema(schema, { io }))
}

/** Removes `$schema` and `$id`, which a schema inside a document does not have. */
function withoutAddress(schema: object): openapi.Schema {
  const { $schema: _, $id: __, ...rest } = schema as Record<string, unknown>
  return rest
}
