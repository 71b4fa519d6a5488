/**
 * The type of an operation of the public API. The file of its resource describes each operation
 * once. The edge's routes and their validation, the OpenAPI documents, the reference and the tools
 * for assistants are made from these definitions.
 */
import * as z from 'zod/mini'

export type JsonSchema = Readonly<Record<string, unknown>>

/** The address, limits and options of this deployment that documents and pages mention. */
export interface Deployment {
  origin: string
  /** Date reads of one client in ten seconds. */
  dateReads: number
  /** Unknown keys of one client in a minute. */
  unknownKeys: number
  /** Private requests accepted per UTC day, of all keys together. */
  dailyBudget: number
  /** Seconds before the second, third and fourth attempt of a delivery. */
  waits: readonly number[]
  /** Whether the compatibility addresses answer. */
  compatibility: boolean
}

export interface Header {
  description: string
  /** Present on every answer of its status. */
  required?: boolean
  schema: JsonSchema
}

export interface Answer {
  description: string
  headers?: Readonly<Record<string, Header>>
  /** By content type. */
  content?: Readonly<Record<string, { schema: z.ZodMiniType; example?: unknown }>>
}

/** By status. */
export type Answers = Readonly<Record<number, Answer>>

/** Schemas of values that requests send as text. Their JSON Schema describes the parsed value. */
export type Fields = Readonly<Record<string, z.core.$ZodType>>

export type Method = 'get' | 'post' | 'patch' | 'delete'

/**
 * Functions make the schemas: making a schema costs more than using it, and the edge, which loads
 * every operation, makes only the schemas of requested operations.
 */
export interface Operation<
  Params extends z.ZodMiniObject = z.ZodMiniObject,
  Query extends z.ZodMiniObject = z.ZodMiniObject,
  Body extends z.ZodMiniType = z.ZodMiniType,
> {
  id: string
  method: Method
  /** Path with its parameters in braces. */
  path: string
  summary: string
  description: string
  /** Whether requests need an API key. */
  key?: boolean
  /** Path parameters. A refused value is a 404, except a date. */
  params?: () => Params
  /** The sentence of that 404; when absent, the sentence for quotes. */
  notFoundText?: string
  /**
   * Query parameters. A strict schema refuses others with 400. Without a schema, all are ignored.
   */
  query?: () => Query
  /** The sentence of that 400, if all errors have the same sentence. */
  queryText?: string
  /** Request headers. */
  headers?: () => Fields
  body?: { schema: () => Body; example: unknown; optional?: boolean }
  answers: (deployment: Deployment) => Answers
  /** Whether query and 400 exist only for spreadsheets. The OpenAPI documents then omit both. */
  sheets?: true
  /** The assistants' tool that runs this operation. */
  tool?: Tool
}

/** The parts of a read that differ between the reads of a resource. */
export type Read<Params extends z.ZodMiniObject = z.ZodMiniObject, Ok = Answer> = Pick<
  Operation<Params>,
  'id' | 'path' | 'summary' | 'params' | 'notFoundText' | 'headers' | 'tool'
> & { ok: () => Ok }

/** The type of a request's parsed query. */
export type QueryOf<Described extends { query?: () => z.ZodMiniObject }> = z.output<
  ReturnType<NonNullable<Described['query']>>
>

export interface Tool {
  name: string
  title: string
  description: string
}

/** Operations on one subject, in the sequence of the documents. */
export interface Resource {
  tag: { name: string; description: string }
  operations: readonly Operation[]
}

export const resource = (
  name: string,
  description: string,
  operations: readonly Operation[],
): Resource => ({ tag: { name, description }, operations })

/** Returns its argument, typed by the operation's schemas. */
export function operation<
  Params extends z.ZodMiniObject,
  Query extends z.ZodMiniObject,
  Body extends z.ZodMiniType,
>(definition: Operation<Params, Query, Body>): Operation<Params, Query, Body> {
  return definition
}

/** Examples of schemas, stored separately from the rest of their documentation. */
export const examples = z.registry<{ example: unknown }>()

/** Adds documentation to a new schema: text, an example, and JSON Schema. */
export function doc<Schema extends z.ZodMiniType>(
  schema: Schema,
  description: string,
  example?: unknown,
  more: object = {},
): Schema {
  const known = z.globalRegistry.get(schema)
  z.globalRegistry.add(schema, { ...known, ...(description && { description }), ...more })
  if (example !== undefined) examples.add(schema, { example })
  return schema
}

/** The example of a schema: its own, or else the examples of its parts, or its first value. */
export function exampleOf(schema: z.core.$ZodType): unknown {
  const own = examples.get(schema)
  if (own) return own.example

  if (schema instanceof z.ZodMiniObject) {
    const shown = Object.entries<z.core.$ZodType>(schema.shape).filter(
      ([, field]) => !(field instanceof z.ZodMiniOptional) || examples.has(field),
    )
    return Object.fromEntries(shown.map(([name, field]) => [name, exampleOf(field)]))
  }
  if (schema instanceof z.ZodMiniArray) return [exampleOf(schema.def.element)]
  if (schema instanceof z.ZodMiniNullable) return exampleOf(schema.def.innerType)
  if (schema instanceof z.ZodMiniEnum) return schema.options[0]
  if (schema instanceof z.ZodMiniLiteral) return schema.def.values[0]
  if (schema instanceof z.ZodMiniBoolean) return true
  throw new Error(`no example of ${JSON.stringify(z.globalRegistry.get(schema))}`)
}

/** The schemas that have a name in documents. */
export const registry = z.registry<{ id: string }>()

/** An object schema with a name in documents, made at its first use. */
export function named<const Shape extends z.core.$ZodLooseShape>(
  id: string,
  description: string,
  shape: () => Shape,
) {
  const make = () => {
    const schema = z.object(shape())
    return doc(schema, description).register(registry, { id })
  }
  let made: ReturnType<typeof make> | undefined
  return () => (made ??= make())
}
