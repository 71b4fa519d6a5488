import { type Document, type Operation, operationsOf, type Schema } from './openapi.ts'
import { type Block, code, type DocPage, heading, table } from './page.ts'

/** The whole reference as a page, made from the same documents that Scalar shows. */
export function referencePage(documents: Document[]): DocPage {
  return {
    path: '/docs/referencia',
    title: 'Referencia de la API',
    summary: 'Todas las rutas, con sus parámetros, respuestas y ejemplos.',
    blocks: documents.flatMap(documentBlocks),
  }
}

function documentBlocks(document: Document): Block[] {
  const { title, version, description } = document.info
  const events = Object.entries(document.webhooks ?? {}).flatMap(([name, { post }]) =>
    post ? operationBlocks(`Evento ${name}`, post) : [],
  )
  const schemas = Object.entries(document.components.schemas).flatMap(([name, schema]) => {
    const fields = fieldTable(schema)
    return fields.length === 0 ? [] : [heading(name, 3), ...fields]
  })

  return [
    heading(`${title}, versión ${version}`),
    description,
    ...operationsOf(document).flatMap(({ method, path, operation }) =>
      operationBlocks(`${method} ${path}`, operation),
    ),
    ...events,
    heading(`Objetos de ${title.toLowerCase()}`),
    ...schemas,
  ]
}

function operationBlocks(title: string, operation: Operation): Block[] {
  const { summary, description, parameters = [], requestBody, security, responses } = operation
  const body = requestBody?.content['application/json']
  const example = Object.values(responses).find(({ content }) => content)?.content?.[
    'application/json'
  ]?.example

  return [
    heading(title, 3),
    `**${summary}.** ${description}${security.length > 0 ? ' Necesita clave.' : ''}`,
    ...(parameters.length > 0
      ? [
          table(
            ['Parámetro', 'Dónde', 'Qué es'],
            ...parameters.map(({ name, in: location, required, description }) => [
              `\`${name}\``,
              LOCATIONS[location] + (required ? ', obligatorio' : ''),
              description,
            ]),
          ),
        ]
      : []),
    ...(body ? [...fieldTable(body.schema), code('json', print(body.example))] : []),
    table(
      ['Estado', 'Cuándo'],
      ...Object.entries(responses).map(([status, { description }]) => [status, description]),
    ),
    ...(example === undefined ? [] : [code('json', print(example))]),
  ]
}

const LOCATIONS = { path: 'ruta', query: 'consulta', header: 'encabezado' } as const

/** The fields of an object, as a table; nothing for other schemas. */
function fieldTable({ properties = {}, required = [] }: Schema): Block[] {
  const rows = Object.entries(properties as Record<string, Schema>).map(([name, field]) => [
    `\`${name}\`${(required as string[]).includes(name) ? '' : ' (opcional)'}`,
    typeOf(field),
    String(field['description'] ?? ''),
  ])
  return rows.length === 0 ? [] : [table(['Campo', 'Tipo', 'Qué es'], ...rows)]
}

function typeOf(schema: Schema): string {
  if (typeof schema['$ref'] === 'string') return schema['$ref'].split('/').at(-1)!
  if (Array.isArray(schema['anyOf'])) return schema['anyOf'].map(typeOf).join(' o ')
  if ('const' in schema) return `\`${JSON.stringify(schema['const'])}\``
  if (Array.isArray(schema['enum']))
    return schema['enum'].map((value) => `\`${String(value)}\``).join(', ')
  if (schema['type'] === 'array') return `lista de ${typeOf(schema['items'] as Schema)}`
  return TYPES[String(schema['type'])] ?? String(schema['type'])
}

const TYPES: Readonly<Record<string, string>> = {
  string: 'texto',
  number: 'número',
  integer: 'entero',
  boolean: 'sí o no',
  object: 'objeto',
  null: '`null`',
}

function print(value: unknown): string {
  return JSON.stringify(value, null, 2)
}
