import { renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  type Document,
  operationsOf,
  type Schema,
} from '../../../workers/site/reference/openapi.ts'
import { ROOT } from '../../support/process.ts'
import { RELEASED } from '../openapi.ts'

const FILE = join(ROOT, 'clients/javascript/api.ts')
const NOTE =
  '// Made by `npm run types` from the OpenAPI documents; not committed, and not to be edited.'

/** Writes the types of what the API answers and takes, from its documents. */
export function writeClientTypes(): void {
  const schemas = Object.assign({}, ...RELEASED.map(({ current }) => schemasOf(current)))
  const types = Object.entries<Schema>(schemas).map(
    ([name, schema]) => `${commentOf(schema)}export interface ${name} ${typeOf(schema)}\n`,
  )
  // Moved there whole: builds and checks that run at once may read it.
  const made = `${FILE}.${process.pid}`
  writeFileSync(made, [NOTE, ...types].join('\n'))
  renameSync(made, FILE)
}

/** The objects that a document names, and the bodies of its requests, named after the operation. */
function schemasOf(document: Document): Record<string, Schema> {
  const { Error: _, ...named } = document.components.schemas
  const bodies = operationsOf(document).flatMap(({ operation: { operationId, requestBody } }) => {
    const name = `${operationId[0]!.toUpperCase()}${operationId.slice(1)}Body`
    return requestBody?.required
      ? [[name, requestBody.content['application/json']!.schema] as const]
      : []
  })
  return { ...named, ...Object.fromEntries(bodies) }
}

/** A JSON schema as TypeScript, for the forms that documents have. */
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

interface Forms {
  $ref?: string
  enum?: unknown[]
  anyOf?: Schema[]
  type?: string | string[]
  items?: Schema
  prefixItems?: Schema[]
  properties?: Record<string, Schema>
  required?: string[]
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
