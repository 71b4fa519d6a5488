/** What several answers have in common. */
import * as z from 'zod'
import { CURRENCIES, ORIGINS } from '../../../../shared/market/catalog.ts'

export const argentineInstant = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}-03:00$/)

export const utcInstant = z.string().regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/)

export const day = z.string().regex(/^\d{4}-\d{2}-\d{2}$/)

export const currency = z.enum(CURRENCIES).describe('Código de la moneda, en mayúsculas.')
export const origin = z.enum(ORIGINS).describe('Código del origen, en mayúsculas.')
export const pairName = z.string().describe('Nombre legible del par.')

export const valueType = z
  .enum(['money', 'points', 'coefficient'])
  .describe(
    '`money`: pesos; `points`: puntos enteros (riesgo país); `coefficient`: coeficiente (CER).',
  )

export const errorObject = z
  .object({ error: z.string().describe('Qué pasó, en una oración en castellano.') })
  .describe('El objeto de todo error JSON.')
