import * as z from 'zod'
import type { Schema } from './openapi.ts'

/** Named zod schemas as the components of a document: each refers to the others by name. */
export function toComponents(named: Readonly<Record<string, z.ZodType>>): Record<string, Schema> {
  const registry = z.registry<{ id: string }>()
  for (const [id, schema] of Object.entries(named)) registry.add(schema, { id })

  const { schemas } = z.toJSONSchema(registry, {
    uri: (id) => `#/components/schemas/${id}`,
  })
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [name, withoutAddress(schema)]),
  )
}

/**
 * The schema of a checked body, with descriptions by field. They stand here because the edge
 * carries none.
 */
export function toBody(
  schema: z.core.$ZodType,
  descriptions: Readonly<Record<string, string>>,
): Schema {
  const json = withoutAddress(z.toJSONSchema(schema, { io: 'input' }))
  return { ...json, properties: described((json['properties'] ?? {}) as object, descriptions) }
}

/** The fields of a checked query, with the types of their values. */
export function toFields(
  schema: z.core.$ZodType,
  descriptions: Readonly<Record<string, string>>,
): Record<string, Schema & { description: string }> {
  return described(z.toJSONSchema(schema, { io: 'output' }).properties ?? {}, descriptions)
}

/** A field without a description, and a description without a field, is a mistake of ours. */
function described(properties: object, descriptions: Readonly<Record<string, string>>) {
  const names = Object.keys(properties)
  const odd = [
    ...names.filter((name) => !(name in descriptions)),
    ...Object.keys(descriptions).filter((name) => !names.includes(name)),
  ]
  if (odd.length > 0) throw new Error(`fields and descriptions differ: ${odd.join(', ')}`)

  return Object.fromEntries(
    Object.entries(properties).map(([name, property]) => [
      name,
      { ...(property as Schema), description: descriptions[name]! },
    ]),
  )
}

/** A schema in a document has no dialect and no address of its own. */
function withoutAddress(schema: object): Schema {
  return Object.fromEntries(
    Object.entries(schema).filter(([name]) => name !== '$schema' && name !== '$id'),
  )
}
