/** Programs written against the documents of the last release go on working. */
import { existsSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { RELEASED } from '../../../tools/maintain/openapi.ts'
import {
  type Document,
  operationsOf,
  type Schema,
} from '../../../workers/site/reference/openapi.ts'

/** A place of a document that a program may rely on: an operation, a parameter, a field. */
interface Place {
  isRequest: boolean
  /** In a request: it must be given. In an answer: it is always there. */
  required: boolean
  parent: string
  schema: Schema
}

const LEAST = ['minimum', 'minLength', 'minItems'] as const
const MOST = ['maximum', 'maxLength', 'maxItems'] as const

function placesOf(document: Document): Map<string, Place> {
  const places = new Map<string, Place>()
  const add = (parent: string, name: string, isRequest: boolean, required: boolean, of: Schema) => {
    const at = parent + name
    const schema = resolve(of, document)
    places.set(at, { isRequest, required, parent, schema })
    const needed = (schema['required'] ?? []) as string[]
    for (const [field, inner] of Object.entries((schema['properties'] ?? {}) as object))
      add(at, `.${field}`, isRequest, needed.includes(field), inner as Schema)
    if (schema['items']) add(at, '[]', isRequest, false, schema['items'] as Schema)
  }
  for (const { method, path, operation } of operationsOf(document)) {
    const at = `${method} ${path}`
    const { parameters = [], requestBody, responses } = operation
    add('', at, true, false, {})
    for (const { name, in: kind, required = false, schema } of parameters)
      add(at, ` ${kind} ${name}`, true, required, schema)
    if (requestBody) add(at, ' body', true, requestBody.required, {})
    for (const [type, { schema }] of Object.entries(requestBody?.content ?? {}))
      add(`${at} body`, ` ${type}`, true, false, schema)
    for (const [status, { headers = {}, content = {} }] of Object.entries(responses)) {
      add(at, ` ${status}`, false, false, {})
      for (const [name, { required = false }] of Object.entries(headers))
        if (required) add(`${at} ${status}`, ` ${name}`, false, true, {})
      for (const [type, { schema }] of Object.entries(content))
        add(`${at} ${status}`, ` ${type}`, false, false, schema)
    }
  }
  return places
}

/** The schema itself: behind its name, and of `X or null` the X, which remembers the null. */
function resolve(schema: Schema, document: Document): Schema {
  const name = schema['$ref']
  if (typeof name === 'string')
    return resolve(document.components.schemas[name.split('/').at(-1)!] ?? {}, document)
  const choices = ((schema['anyOf'] ?? []) as Schema[]).map((one) => resolve(one, document))
  const [one, other] = choices
  if (choices.length !== 2 || other!['type'] !== 'null') return schema
  return { ...one, type: [...typesOf(one!), 'null'] }
}

/** A whole number is a number. */
function typesOf({ type = [] }: Schema): string[] {
  const types = [type].flat() as string[]
  return types.includes('number') ? [...types, 'integer'] : types
}

/** What is gone, what an answer no longer promises, what a request now demands. */
function breaks(before: Document, after: Document): string[] {
  const was = placesOf(before)
  const is = placesOf(after)
  const demanded = [...is]
    .filter(([at, one]) => one.isRequest && one.required && !was.get(at)?.required)
    .filter(([, { parent }]) => was.has(parent))
    .map(([at]) => `${at} is now required`)
  const changed = [...was].flatMap(([at, old]) => {
    const now = is.get(at)
    if (!now) return is.has(old.parent) || old.parent === '' ? [`${at} is gone`] : []
    return old.isRequest ? narrowed(at, old.schema, now.schema) : widened(at, old, now)
  })
  return [...changed, ...demanded]
}

function widened(at: string, old: Place, now: Place): string[] {
  const more = typesOf(now.schema).filter((type) => !typesOf(old.schema).includes(type))
  const absent = old.required && !now.required ? [`${at} may now be absent`] : []
  return [...absent, ...more.map((type) => `${at} may now be ${type}`)]
}

/** What a request may be. */
function valuesOf(schema: Schema): string[] {
  return [...typesOf(schema), ...((schema['enum'] ?? []) as unknown[]).map(String)]
}

function bound(schema: Schema, name: string, sign: number): number {
  return typeof schema[name] === 'number' ? sign * schema[name] : Infinity
}

function narrowed(at: string, old: Schema, now: Schema): string[] {
  const bounds = [
    ...LEAST.map((name) => [name, -1] as const),
    ...MOST.map((name) => [name, 1] as const),
  ]
  return [
    ...valuesOf(old)
      .filter((value) => !valuesOf(now).includes(value))
      .map((value) => `${at} no longer takes ${value}`),
    ...bounds
      .filter(([name, sign]) => bound(now, name, sign) < bound(old, name, sign))
      .map(([name]) => `${at} has a narrower ${name}`),
  ]
}

const released = RELEASED.filter(({ file }) => existsSync(file)).map(({ file, current }) => ({
  before: JSON.parse(readFileSync(file, 'utf8')) as Document,
  current,
}))

it('nothing that the last release promised is broken', () => {
  expect(released.length).toBeGreaterThan(1)
  expect(released.flatMap(({ before, current }) => breaks(before, current))).toEqual([])
})

/** The document of quotes with one thing of a history read or of its answer changed. */
function changed(change: (read: any, fields: any) => void): Document {
  const document = structuredClone(released[0]!.current) as any
  const read = document.paths['/api/v2/history/{currency}/{origin}'].get
  const answer = read.responses[200].content['application/json'].schema
  change(read, document.components.schemas[answer.$ref.split('/').at(-1)])
  return document as Document
}

it.each<[string, (read: any, fields: any) => void, string]>([
  ['a new demand', ({ parameters }) => (parameters.find(isQuery).required = true), 'now required'],
  ['a parameter less', (read) => (read.parameters = read.parameters.filter(isPath)), 'is gone'],
  [
    'a narrower bound',
    ({ parameters }) => (find(parameters, 'limit').maximum = 9),
    'narrower maximum',
  ],
  [
    'another type taken',
    ({ parameters }) => (find(parameters, 'limit').type = 'boolean'),
    'no longer takes',
  ],
  ['an answer less', (read) => delete read.responses[200], ' 200 is gone'],
  ['a field that may be absent', (_, fields) => fields.required.shift(), 'may now be absent'],
  ['a field less', (_, fields) => delete fields.properties[fields.required[0]], 'is gone'],
])('it would find %s', (_, change, words) => {
  const found = breaks(released[0]!.current, changed(change))
  expect(found).not.toEqual([])
  for (const one of found) expect(one).toContain(words)
})

const isPath = (parameter: { in: string }) => parameter.in === 'path'
const isQuery = (parameter: { in: string }) => parameter.in === 'query'
const find = (parameters: any[], name: string) => parameters.find((one) => one.name === name).schema
