import type { Document, Schema } from '../../../workers/site/reference/openapi.ts'

/** The documents that the schemas of a comparison point into. */
export interface Compared {
  before: Document
  after: Document
}

/** What an answer no longer promises: a field that is gone, or may be absent, or is of more types. */
export function widenings(at: string, was: Schema, is: Schema, documents: Compared): string[] {
  return walk(at, was, is, documents, (place, before, after) => [
    ...difference(typesOf(after), typesOf(before)).map((type) => `${place} may now be ${type}`),
    ...difference(fieldsOf(before), fieldsOf(after)).map((name) => `${place}.${name} is gone`),
    ...difference(requiredOf(before), requiredOf(after))
      .filter((name) => fieldsOf(after).includes(name))
      .map((name) => `${place}.${name} may now be absent`),
  ])
}

/** What a request may no longer be: a type, a value or a length that was taken, a field left out. */
export function narrowings(at: string, was: Schema, is: Schema, documents: Compared): string[] {
  return walk(at, was, is, documents, (place, before, after) => [
    ...difference(typesOf(before), typesOf(after)).map(
      (type) => `${place} may no longer be ${type}`,
    ),
    ...difference(valuesOf(before), valuesOf(after)).map(
      (value) => `${place} no longer takes ${value}`,
    ),
    ...difference(fieldsOf(before), fieldsOf(after)).map((name) => `${place}.${name} is gone`),
    ...difference(requiredOf(after), requiredOf(before)).map(
      (name) => `${place}.${name} is now required`,
    ),
    ...boundsBreaks(place, before, after),
  ])
}

type Rule = (place: string, before: Schema, after: Schema) => string[]

/** Applies the rule to both schemas, and to all that both have inside. */
function walk(at: string, was: Schema, is: Schema, documents: Compared, rule: Rule): string[] {
  const before = resolve(was, documents.before)
  const after = resolve(is, documents.after)
  const inner = fieldsOf(before).flatMap((name) => {
    const [one, other] = [before, after].map((schema) => propertiesOf(schema)[name])
    return one && other ? walk(`${at}.${name}`, one, other, documents, rule) : []
  })
  const items = [before['items'], after['items']] as [Schema?, Schema?]
  const inItems = items[0] && items[1] ? walk(`${at}[]`, items[0], items[1], documents, rule) : []
  return [...rule(at, before, after), ...inner, ...inItems]
}

/** The schema itself: behind its name, and of `X or null` the X, which remembers the null. */
function resolve(schema: Schema, document: Document): Schema {
  const pointer = schema['$ref']
  if (typeof pointer === 'string') {
    const name = pointer.split('/').at(-1)!
    return resolve(document.components.schemas[name] ?? {}, document)
  }
  const choices = schema['anyOf'] as readonly Schema[] | undefined
  if (choices?.length !== 2) return schema

  const [one, other] = choices.map((choice) => resolve(choice, document)) as [Schema, Schema]
  if (other['type'] !== 'null') return schema
  return { ...one, type: [...typesOf(one), 'null'] }
}

/** A whole number is a number. */
function typesOf({ type }: Schema): string[] {
  const types = type === undefined ? [] : ([type].flat() as string[])
  return types.includes('number') ? [...types, 'integer'] : types
}

function propertiesOf(schema: Schema): Record<string, Schema> {
  return (schema['properties'] ?? {}) as Record<string, Schema>
}

function fieldsOf(schema: Schema): string[] {
  return Object.keys(propertiesOf(schema))
}

function requiredOf(schema: Schema): string[] {
  return (schema['required'] ?? []) as string[]
}

function valuesOf(schema: Schema): string[] {
  return ((schema['enum'] ?? []) as unknown[]).map(String)
}

const LEAST = ['minimum', 'minLength', 'minItems'] as const
const MOST = ['maximum', 'maxLength', 'maxItems'] as const

function boundsBreaks(place: string, before: Schema, after: Schema): string[] {
  return [
    ...LEAST.filter((name) => bound(after, name, -Infinity) > bound(before, name, -Infinity)),
    ...MOST.filter((name) => bound(after, name, Infinity) < bound(before, name, Infinity)),
  ].map((name) => `${place} has a narrower ${name}`)
}

function bound(schema: Schema, name: string, absent: number): number {
  return typeof schema[name] === 'number' ? schema[name] : absent
}

/** Those of the first that the second lacks. */
function difference(some: readonly string[], others: readonly string[]): string[] {
  return some.filter((one) => !others.includes(one))
}
