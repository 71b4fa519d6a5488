import type { ApiResponse, Document, Operation, Schema } from '../../../../workers/site/reference/openapi.ts'
import type { HttpResponse } from '../../../support/http-client.ts'
import { isValid } from './described.ts'

/** How an answer differs from what its operation declares; empty when it does not. */
export function answerProblems(operation: Operation, document: Document, response: HttpResponse): string[] {
  const { status, headers, text } = response
  const answer: ApiResponse | undefined = operation.responses[String(status)]
  if (!answer) return [`${status} is not declared`]

  return [
    ...Object.entries(answer.headers ?? {}).flatMap(([name, { required, schema }]) =>
      headerProblems(name, headers.get(name), schema, required === true, document),
    ),
    ...bodyProblems(answer, document, headers.get('Content-Type'), text),
  ].map((problem) => `${status}: ${problem}`)
}

function headerProblems(
  name: string,
  value: string | null,
  schema: Schema,
  required: boolean,
  document: Document,
): string[] {
  if (value === null) return required ? [`${name} is missing`] : []
  const read = schema['type'] === 'integer' ? Number(value) : value
  return isValid(schema, read, document) ? [] : [`${name} is not as declared: ${value}`]
}

function bodyProblems(
  { content }: ApiResponse,
  document: Document,
  contentType: string | null,
  text: string,
): string[] {
  if (!content) return text === '' ? [] : ['a body where none is declared']
  const type = contentType?.split(';')[0] ?? ''
  const media = content[type]
  if (!media) return [`the type ${type || '(none)'} is not declared`]
  if (type !== 'application/json') return []

  const body: unknown = JSON.parse(text)
  return isValid(media.schema, body, document)
    ? []
    : [`the body is not as declared: ${text.slice(0, 200)}`]
}
