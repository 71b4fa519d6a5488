import { renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  type Document,
  operationsOf,
  type Schema,
} from '../../../workers/site/reference/openapi.ts'
import { ROOT } from '../../support/process.ts'
import { RELEASED } from '../openapi.ts'
import { type Forms, pythonTypes } from './python-types.ts'

const FILE = join(ROOT, 'clients/javascript/api.ts')
const PYTHON_FILE = join(ROOT, 'clients/python/cotizaciones/types.py')
const NOTE =
  '// Made by `npm run types` from the OpenAPI documents; not committed, and not to be edited.'

/** Writes the types of the API's answers and bodies, from its OpenAPI documents. */
export function writeClientTypes(): void {
  const answers = Object.assign({}, ...RELEASED.map(({ current }) => answersOf(current)))
  const bodies = Object.assign({}, ...RELEASED.map(({ current }) => bodiesOf(current)))
  const types = Object.entries<Schema>({ ...answers, ...bodies }).map(
    ([name, schema]) => `${commentOf(schema)}export interface ${name} ${typeOf(schema)}\n`,
  )
  write(FILE, [NOTE, ...types].join('\n'))
  write(PYTHON_FILE, pythonTypes(answers))
}

/** Replaces the file atomically, because a build or check may be reading it. */
function write(file: string, text: string): void {
  const made = `${file}.${process.pid}`
  writeFileSync(made, text)
  renameSync(made, file)
}

/** The named schemas of a document, without the error. */
function answersOf({ components: { schemas } }: Document): Record<string, Schema> {
  const { Error: _, ...named } = schemas
  return named
}

/** The bodies of a document's requests, named after the operation. */
function bodiesOf(document: Document): Record<string, Schema> {
  const bodies = operationsOf(document).flatMap(({ operation: { operationId, requestBody } }) => {
    const name = `${operationId[0]!.toUpperCase()}${operationId.slice(1)}Body`
    return requestBody?.required
      ? [[name, requestBody.content['application/json']!.schema] as const]
      : []
  })
  return Object.fromEntries(bodies)
}

/** A JSON schema as TypeScript, for the keywords that our documents use. */
function typeOf(schema: Schema): string {
  const { $ref, enum: values, anyOf, type, items, prefixItems } = schema as Forms
  if ($ref) return $ref.split('/').at(-1)!
  if ('const' in schema) return JSON.stringify(schema['const'])
  if (values) return values.map((value) => JSON.stringify(value)).join(' | ')
  if (anyOf) return anyOf.map(typeOf).join(' | ')
  if (type === 'object') return `{\n${fieldsOf(schema as Forms)}}`
  if (type !== 'array') return [type].flat().join(' | ').replace('integer', 'number')
  const list = `(${typeOf(items!)})[]`
  return prefixItems ? `[${prefixItems.map(typeOf).join(', ')}, ...${list}]` : list
}

const fieldsOf = ({ properties = {}, required = [] }: Forms) =>
  Object.entries(properties)
    .map(([name, schema]) => {
      const type = required.includes(name)
        ? `: ${typeOf(schema)}`
        : `?: ${typeOf(schema)} | undefined`
      return `${commentOf(schema)}${name}${type}\n`
    })
    .join('')

const commentOf = ({ description }: Schema) =>
  description ? `/** ${String(description)} */\n` : ''
