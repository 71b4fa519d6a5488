import type * as z from 'zod/mini'
import { badRequest } from '../../../shared/http-error.ts'
import { UNKNOWN_FIELDS } from '../../../shared/sentences.ts'

/** The value that a schema reads, or a 400 that names the field and repeats nothing of the input. */
export function parse<Schema extends z.ZodMiniType>(
  schema: Schema,
  value: unknown,
): z.output<Schema> {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data

  const [issue] = parsed.error.issues
  if (issue?.code === 'unrecognized_keys') throw badRequest(UNKNOWN_FIELDS)
  const [field] = issue?.path ?? []
  if (field === undefined) throw badRequest('El cuerpo debe ser un objeto JSON')
  throw badRequest(`El campo ${String(field)} falta o no es válido`)
}
