/** Schemas that several resources share. */
import * as z from 'zod/mini'
import { isDay } from '../argentine-time.ts'
import { CURRENCIES, findPair, ORIGINS } from '../market/catalog.ts'
import { doc, named } from './operation.ts'

const text = (form: RegExp, example: string) => doc(z.string().check(z.regex(form)), '', example)
export const argentineInstant = () =>
  text(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}-03:00$/, '2026-03-02T11:55:00.000-03:00')
export const utcInstant = () =>
  text(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/, '2026-03-02T15:00:00.000Z')
export const day = () => text(/^\d{4}-\d{2}-\d{2}$/, '2026-03-02')

export const currency = () => doc(z.enum(CURRENCIES), 'Código de la moneda, en mayúsculas.')
export const origin = () => doc(z.enum(ORIGINS), 'Código del origen, en mayúsculas.', 'BLUE')
export const pairName = () => doc(z.string(), 'Nombre legible del par.', 'Dólar Blue')
export const valueType = () =>
  doc(
    z.enum(['money', 'points', 'coefficient']),
    '`money`: pesos; `points`: puntos enteros (riesgo país); `coefficient`: coeficiente (CER).',
  )

/** A number of a quote that may be missing. */
export const price = (description: string, example: number) =>
  doc(z.nullable(z.number()), description, example)

export const errorObject = named('Error', 'El objeto de todo error JSON.', () => ({
  error: doc(z.string(), 'Qué pasó, en una oración en castellano.'),
}))

/** Codes that requests may write in any letter case. */
export const codes = <const Code extends string>(all: readonly Code[]) =>
  z.pipe(
    z.transform((value) =>
      typeof value === 'string' ? value.replace(/[A-Z]/g, (letter) => letter.toLowerCase()) : value,
    ),
    z.enum(all.map((code) => code.toLowerCase() as Lowercase<Code>)),
  )

export const wholeNumber = (least: number, most = Number.MAX_SAFE_INTEGER) =>
  z.int().check(z.minimum(least), z.maximum(most))

/** A whole number, written in a query as text. */
export const wholeNumberInQuery = (least: number, most?: number, form = /^(0|[1-9]\d*)$/) =>
  z.pipe(
    z.pipe(z.union([z.string().check(z.regex(form)), z.number()]), z.transform(Number)),
    wholeNumber(least, most),
  )

/** A day that exists. */
export const requestedDay = () =>
  doc(z.string().check(z.refine(isDay)), '', undefined, { format: 'date' })

const currencyInPath = () =>
  doc(codes(CURRENCIES), 'Código de la moneda, en mayúsculas o minúsculas.', 'usd')
const dateInPath = () =>
  doc(requestedDay(), 'Día argentino `AAAA-MM-DD`; no puede ser posterior a hoy.', '2026-03-02')
const pairInPath = () => ({
  currency: currencyInPath(),
  origin: doc(codes(ORIGINS), 'Código del origen; cuáles valen depende de la moneda.', 'blue'),
})
const isPair = ({ currency, origin }: { currency: string; origin: string }) =>
  findPair(currency, origin) !== undefined

export const ofCurrency = () => z.object({ currency: currencyInPath() })
export const ofPair = () => z.object(pairInPath()).check(z.refine(isPair))
export const onDate = () => z.object({ date: dateInPath() })
export const ofCurrencyOnDate = () => z.object({ date: dateInPath(), currency: currencyInPath() })
export const ofPairOnDate = () =>
  z.object({ date: dateInPath(), ...pairInPath() }).check(z.refine(isPair))

export const noQuery = () => z.strictObject({})

export const ifNoneMatch = () => ({
  'If-None-Match': doc(z.optional(z.string()), 'El `ETag` anterior: si nada cambió, 304.'),
})

export const csvFormat = () =>
  doc(z.optional(z.enum(['csv'])), '`csv`, o `Accept: text/csv`: una tabla con encabezado.')

/** `HH:MM` or `HH:MM:SS`. */
export const TIME = /^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d)?$/

/** A text without a check: the edge checks the form of the time after the form of the date. */
export const timeOfDay = (more = '') =>
  doc(
    z.optional(z.string()),
    `Hora argentina \`HH:MM\` o \`HH:MM:SS\`; sin ella, el fin del día.${more}`,
    undefined,
    { pattern: TIME.source },
  )
