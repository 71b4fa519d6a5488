import type { Document, Operation, Parameter } from '../../../workers/site/reference/openapi.ts'
import { operationsOf } from '../../../workers/site/reference/openapi.ts'

const BODY_METHODS = new Set(['POST', 'PATCH', 'DELETE'])

/** A Bruno collection of every operation: its files by path. `{{baseUrl}}` and `{{apiKey}}` are the environment's. */
export function brunoCollection(documents: readonly Document[]): Map<string, string> {
  const files = new Map([
    [
      'bruno.json',
      `${JSON.stringify({ version: '1', name: 'Cotizaciones', type: 'collection' }, null, 2)}\n`,
    ],
    ['environments/local.bru', environment()],
  ])
  for (const document of documents) {
    for (const [index, { method, path, operation }] of operationsOf(document).entries()) {
      const folder = operation.tags[0] ?? 'API'
      files.set(
        `${folder}/${operation.operationId}.bru`,
        request(index + 1, method, path, operation),
      )
    }
  }
  return files
}

function environment(): string {
  return `${block('vars', ['baseUrl: http://127.0.0.1:8787'])}\nvars:secret [\n  apiKey\n]\n`
}

function request(seq: number, method: string, path: string, operation: Operation): string {
  const parameters = operation.parameters ?? []
  const body = bodyOf(method, operation)
  const isPrivate = (operation.security ?? []).length > 0
  const url = `{{baseUrl}}${path.replaceAll(/\{(\w+)\}/g, ':$1')}`
  const verb = [
    `url: ${url}`,
    `body: ${body === null ? 'none' : 'json'}`,
    `auth: ${isPrivate ? 'bearer' : 'none'}`,
  ]
  const of = (place: Parameter['in']) => parameters.filter((parameter) => parameter.in === place)
  return [
    block('meta', [`name: ${operation.summary}`, 'type: http', `seq: ${seq}`]),
    block(method.toLowerCase(), verb),
    ...(of('query').length === 0 ? [] : [block('params:query', of('query').map(optional))]),
    ...(of('path').length === 0 ? [] : [block('params:path', of('path').map(line))]),
    ...(isPrivate ? [block('auth:bearer', ['token: {{apiKey}}'])] : []),
    ...(body === null ? [] : [block('body:json', body.split('\n'))]),
  ].join('\n')
}

/** What is optional stands there switched off. */
function optional(parameter: Parameter): string {
  return `${parameter.required ? '' : '~'}${line(parameter)}`
}

function line({ name, example }: Parameter): string {
  return `${name}: ${example ?? ''}`
}

function bodyOf(method: string, { requestBody }: Operation): string | null {
  const media = requestBody?.content['application/json']
  return media && BODY_METHODS.has(method) ? JSON.stringify(media.example ?? {}, null, 2) : null
}

function block(name: string, lines: readonly string[]): string {
  return `${name} {\n${lines.map((text) => `  ${text}`).join('\n')}\n}\n`
}
