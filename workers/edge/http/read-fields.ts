/** Reads the values of a request by the schemas of its operation. */
import * as z from 'zod/mini'
import { ok, refuse, type Result } from '../../../shared/result.ts'
import { DATE_FORM } from '../../../shared/sentences.ts'

/** The field that is wrong, and the Spanish sentence about it. */
export interface FieldRefusal {
  field: string
  text: string
}

/** The values that a schema reads, or its first refusal. */
export function readFields<Schema extends z.ZodMiniObject>(
  schema: Schema,
  values: unknown,
): Result<z.output<Schema>, FieldRefusal> {
  const parsed = schema.safeParse(values)
  if (parsed.success) return ok(parsed.data)

  const field = String(parsed.error.issues[0]!.path[0] ?? '')
  return refuse({ field, text: refusalText(schema, field) })
}

/** The Spanish rule of fields whose schema has no sentence of its own. */
const WORDS: Readonly<Record<string, string>> = {
  amount: 'amount debe ser un número de hasta 11 cifras, y hasta 4 decimales con punto',
  date: DATE_FORM,
  max_age: 'max_age debe ser un número entero de segundos, cero o más',
  pairs: 'Falta pairs, con la forma usd/blue,usd/bolsa',
}

function refusalText({ shape }: z.ZodMiniObject, name: string): string {
  const words = WORDS[name]
  if (words) return words
  const field = shape[name]
  if (!field) return 'Los valores no son válidos'

  const { enum: values, format, minimum, maximum } = z.toJSONSchema(field as z.ZodMiniType)
  if (values?.length === 1) return `El único valor de ${name} es ${values[0]}`
  if (values && (name === 'from' || name === 'to'))
    return `from y to deben ser dos de ${values.join(', ').toUpperCase()}`
  if (values) return `${name} debe ser ${values.slice(0, -1).join(', ')} o ${values.at(-1)}`
  if (minimum !== undefined) return `${name} debe ser un número entero de ${minimum} a ${maximum}`
  if (format !== 'date') return `${name} falta o no es válido`
  return 'dates' in shape
    ? `${name} debe tener fechas que existan, como AAAA-MM-DD`
    : `${name} debe ser una fecha que exista, con la forma AAAA-MM-DD`
}
