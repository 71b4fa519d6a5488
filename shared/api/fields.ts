/** Schemas that several resources share. */
import * as z from 'zod'
import { isDay } from '../argentine-time.ts'
import { CURRENCIES, findPair, ORIGINS } from '../market/catalog.ts'
import { TIME } from '../market/date-query.ts'
import { named } from './operation.ts'

export const argentineInstant = () =>
  z.string().regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}-03:00$/)
export const utcInstant = () => z.string().regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/)
export const day = () => z.string().regex(/^\d{4}-\d{2}-\d{2}$/)

export const currency = () => z.enum(CURRENCIES).describe('Código de la moneda, en mayúsculas.')
export const origin = () => z.enum(ORIGINS).describe('Código del origen, en mayúsculas.')
export const pairName = () => z.string().describe('Nombre legible del par.')
export const valueType = () =>
  z
    .enum(['money', 'points', 'coefficient'])
    .describe(
      '`money`: pesos; `points`: puntos enteros (riesgo país); `coefficient`: coeficiente (CER).',
    )

export const errorObject = named('Error', 'El objeto de todo error JSON.', () => ({
  error: z.string().describe('Qué pasó, en una oración en castellano.'),
}))

/** Codes that requests may write in any letter case. */
export const codes = <const Code extends string>(all: readonly Code[]) =>
  z.preprocess(
    (value) =>
      typeof value === 'string' ? value.replace(/[A-Z]/g, (letter) => letter.toLowerCase()) : value,
    z.enum(all.map((code) => code.toLowerCase() as Lowercase<Code>)),
  )

/** A whole number, written in a query as text. */
export const wholeNumber = (least: number, most: number, form = /^(0|[1-9]\d*)$/) =>
  z
    .union([z.string().regex(form), z.number()])
    .transform(Number)
    .pipe(z.int().min(least).max(most))

/** A day that exists. */
export const requestedDay = () => z.string().refine(isDay).meta({ format: 'date' })

const currencyInPath = () =>
  codes(CURRENCIES)
    .describe('Código de la moneda, en mayúsculas o minúsculas.')
    .meta({ example: 'usd' })
const dateInPath = () =>
  requestedDay()
    .describe('Día argentino `AAAA-MM-DD`; no puede ser posterior a hoy.')
    .meta({ example: '2026-03-02' })
const pairInPath = () => ({
  currency: currencyInPath(),
  origin: codes(ORIGINS)
    .describe('Código del origen, en mayúsculas o minúsculas. Cuáles valen depende de la moneda.')
    .meta({ example: 'blue' }),
})
const isPair = ({ currency, origin }: { currency: string; origin: string }) =>
  findPair(currency, origin) !== undefined

export const ofCurrency = () => z.object({ currency: currencyInPath() })
export const ofPair = () => z.object(pairInPath()).refine(isPair)
export const onDate = () => z.object({ date: dateInPath() })
export const ofCurrencyOnDate = () => z.object({ date: dateInPath(), currency: currencyInPath() })
export const ofPairOnDate = () => z.object({ date: dateInPath(), ...pairInPath() }).refine(isPair)

export const noQuery = () => z.strictObject({})

export const ifNoneMatch = () => ({
  'If-None-Match': z
    .string()
    .optional()
    .describe('El `ETag` de una respuesta anterior: si nada cambió, la respuesta es 304.'),
})

export const csvFormat = () =>
  z
    .enum(['csv'])
    .optional()
    .describe('`csv` para recibir CSV con encabezado; `Accept: text/csv` hace lo mismo.')

/** `dateQuery` checks it, after its date. */
export const timeOfDay = (more = '') =>
  z
    .string()
    .optional()
    .describe(`Hora argentina \`HH:MM\` o \`HH:MM:SS\`; sin ella, el fin del día.${more}`)
    .meta({ pattern: TIME.source })
