import type * as z from 'zod/mini'
import { formatError } from './source-error.ts'

/**
 * The document as its schema describes it. HTML where JSON is due, `Invalid pair` and a changed
 * shape are `format`; the message names the first field that differs, never its value.
 */
export function parseJson<Schema extends z.ZodMiniType>(
  body: string,
  schema: Schema,
): z.infer<Schema> {
  const result = schema.safeParse(readJson(body))
  if (result.success) return result.data

  const path = result.error.issues[0]?.path.join('.') ?? ''
  throw formatError(`has another shape at "${path.slice(0, 60)}"`)
}

/** The items of a list that fit: one odd row costs only itself. */
export function fitting<Schema extends z.ZodMiniType>(
  items: readonly unknown[],
  schema: Schema,
): z.infer<Schema>[] {
  return items.flatMap((item) => {
    const result = schema.safeParse(item)
    return result.success ? [result.data] : []
  })
}

function readJson(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    throw formatError('is not JSON')
  }
}
