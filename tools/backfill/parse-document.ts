import type * as z from 'zod/mini'
import { parseJson } from '../harness/ask.ts'
import { formatError } from '../../workers/scraper/sources/parsing/source-error.ts'

/** The document as its schema describes it. Unlike a source's, it may have all the rows of decades. */
export function parseDocument<Schema extends z.ZodMiniType>(
  body: string,
  schema: Schema,
): z.infer<Schema> {
  const json = parseJson(body)
  if (json === undefined) throw formatError('is not JSON')
  const result = schema.safeParse(json)
  if (result.success) return result.data

  const path = result.error.issues[0]?.path.join('.') ?? ''
  throw formatError(`has another shape at "${path.slice(0, 60)}"`)
}
