import type { ApiResponse, Document, Schema } from '../../../../workers/site/reference/openapi.ts'
import { headerOf } from '../request.ts'
import type { WireAnswer } from '../wire/read-answer.ts'
import { type Described, isValid } from './described.ts'

/** How an answer differs from what its operation declares; empty when it does not. */
export function declarationProblems(
  { operation, document }: Described,
  { status, headers, body }: WireAnswer,
): string[] {
  const declared: ApiResponse | undefined = operation.responses[String(status)]
  if (!declared) return [`${status} is not declared`]

  return [
    ...Object.entries(declared.headers ?? {}).flatMap(([name, { required, schema }]) => {
      const value = headerOf(headers, name)
      if (value === undefined) return required ? [`${name} is missing`] : []
      const read = schema['type'] === 'integer' ? Number(value) : value
      return isValid(schema, read, document) ? [] : [`${name} is not as declared: ${value}`]
    }),
    ...bodyProblems(declared, document, headerOf(headers, 'content-type'), body),
  ].map((problem) => `${status}: ${problem}`)
}

function bodyProblems(
  { content }: ApiResponse,
  document: Document,
  contentType: string | undefined,
  body: Buffer,
): string[] {
  if (!content) return body.length === 0 ? [] : ['a body where none is declared']
  const type = contentType?.split(';')[0] ?? ''
  const media: { schema: Schema } | undefined = content[type]
  if (!media) return [`the type ${type || '(none)'} is not declared`]
  if (type !== 'application/json') return []

  const value: unknown = JSON.parse(body.toString())
  return isValid(media.schema, value, document) ? [] : ['the body is not as declared']
}
