import type * as z from 'zod/mini'
import { formatError } from './source-error.ts'

/**
 * The most values of a document, several times those of the longest known one, because each invalid
 * value costs time.
 */
const MAX_VALUES = 50_000

/**
 * The document as its schema describes it. HTML instead of JSON, `Invalid pair` and a changed shape
 * are `format`; the message names the first field that differs, never its value.
 */
export function parseJson<Schema extends z.ZodMiniType>(
  body: string,
  schema: Schema,
): z.infer<Schema> {
  const result = check(readJson(body), schema)
  if (result.success) return result.data

  const path = result.error.issues[0]?.path.join('.') ?? ''
  throw formatError(`has another shape at "${path.slice(0, 60)}"`)
}

/** A list with more invalid rows than the stack bears also counts as a changed shape. */
function check<Schema extends z.ZodMiniType>(value: unknown, schema: Schema) {
  try {
    return schema.safeParse(value)
  } catch (error) {
    if (error instanceof RangeError) throw formatError('has another shape')
    throw error
  }
}

/** The valid items of a list. */
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
  const value = parsed(body)
  if (countValues(value) > MAX_VALUES) throw formatError('has more values than one that we know')
  return value
}

/** Stops when there are too many. */
function countValues(value: unknown): number {
  const open = [value]
  let count = 0
  for (let next = open.pop(); next !== undefined && count <= MAX_VALUES; next = open.pop()) {
    count += 1
    if (typeof next !== 'object' || next === null) continue
    const inside: unknown[] = Object.values(next)
    if (inside.length > MAX_VALUES) return inside.length
    open.push(...inside)
  }
  return count
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    throw formatError('is not JSON')
  }
}
