/** Reads of current quotes in both generations: all pairs, the pairs of a currency, one pair. */
import * as z from 'zod/mini'
import { PAIR_NOTES } from '../market/catalog.ts'
import { FORMAT_NAMES, SERVICE_UNAVAILABLE } from '../sentences.ts'
import {
  currencyNotFound,
  noData,
  notModified,
  orCsv,
  pairNotFound,
  publicJson,
  refusal,
} from './answers.ts'
import * as field from './fields.ts'
import { doc, type Answer, exampleOf, named, type Operation, resource } from './operation.ts'

const FORMATS = ['csv', 'json', 'value'] as const
export const LOCALES = ['en-US', 'es-AR'] as const

export type Side = 'buy' | 'sell'

/** The sides of a pair, as each generation names them. */
export const SIDE_FIELDS = {
  1: { compra: 'buy', venta: 'sell' },
  2: { buy: 'buy', sell: 'sell' },
} as const satisfies Record<number, Record<string, Side>>

const quoteFields = () => ({
  currency: field.currency(),
  name: field.pairName(),
  origin: field.origin(),
  buy: field.price('Precio de compra en pesos; en índices y valores únicos, igual a `sell`.', 1410),
  sell: field.price('Precio de venta en pesos, o el valor del índice.', 1430),
  updatedAt: doc(field.argentineInstant(), 'Cuándo cambió el valor por última vez.'),
  lastScrapedAt: doc(field.argentineInstant(), 'Cuándo lo confirmó por última vez una fuente.'),
  valueType: field.valueType(),
})

const quote = named('Quote', 'Una cotización actual, como en las listas.', quoteFields)

const change = named('Change', 'La variación del día.', () => ({
  amount: doc(z.number(), 'Diferencia contra `referenceValue`; negativa si bajó.', 30),
  percent: doc(z.number(), 'La misma diferencia en por ciento, con 2 decimales.', 2.14),
  referenceValue: doc(z.number(), 'La última venta anterior a hoy, hora argentina.', 1400),
}))

export const currentQuote = named(
  'CurrentQuote',
  'Una cotización actual con la variación del día.',
  () => ({
    ...quoteFields(),
    change: doc(z.nullable(change()), '`null` si el par no tenía valor antes de la medianoche.'),
  }),
)

const legacyQuote = named(
  'LegacyQuote',
  'Una cotización de la generación 1: los datos de v2 con nombres en castellano.',
  () => ({
    moneda: field.currency(),
    nombre: field.pairName(),
    origen: field.origin(),
    compra: field.price('Precio de compra en pesos.', 1410),
    venta: field.price('Precio de venta en pesos, o el valor del índice.', 1430),
    actualizado: doc(field.argentineInstant(), 'Cuándo cambió el valor por última vez.'),
  }),
)

const choice = (description: string, values: readonly string[]) =>
  doc(z.optional(z.enum(values)), description)
const locale = () => choice('De una tabla o un número: cómo se escriben los decimales.', LOCALES)
const listQuery = () =>
  z.strictObject({
    format: choice('`csv`, o `Accept: text/csv`: una tabla con encabezado.', ['csv', 'json']),
    locale: locale(),
  })
const pairQuery = (generation: 1 | 2) => () =>
  z.strictObject({
    format: choice('`csv`, una tabla; `value`, un número solo.', FORMATS),
    field: choice('El número de `value`; sin él, la venta.', Object.keys(SIDE_FIELDS[generation])),
    locale: locale(),
  })

const CACHE =
  'Se puede guardar 60 segundos. Un valor nuevo tarda hasta 60 segundos en llegar a esta lectura, y hasta 120 a quien guarda la respuesta; el stream lo manda en el momento. Los parámetros de consulta se ignoran, salvo los de planillas (`format`, `field` y `locale`, en los agregados).'

type Read = Pick<
  Operation,
  'id' | 'path' | 'summary' | 'description' | 'params' | 'query' | 'tool'
> & { ok: () => Answer; notFound?: () => Answer }

/** A current read, in JSON and in the formats for spreadsheets. */
const read = ({ ok, notFound, ...described }: Read): Operation => ({
  ...described,
  method: 'get',
  description: `${described.description} ${CACHE}`,
  headers: field.ifNoneMatch,
  sheets: true,
  answers: () => ({
    200: ok(),
    304: notModified,
    400: refusal('Un parámetro de planillas no es válido, se repite o va con otro.', FORMAT_NAMES),
    ...(notFound && { 404: notFound() }),
    503: noData(SERVICE_UNAVAILABLE),
  }),
})

const list = (schema: () => z.ZodMiniType, described: Omit<Read, 'ok' | 'query'>) =>
  read({
    query: listQuery,
    ok: () => orCsv(publicJson('Las cotizaciones.', z.array(schema()))),
    ...described,
  })

const ofCurrency = { params: field.ofCurrency, notFound: currencyNotFound }

const ofPair = (generation: 1 | 2) => ({
  params: field.ofPair,
  query: pairQuery(generation),
  notFound: pairNotFound,
})

/** Adds the answer of `format=value`: a number alone, which does not depend on `Accept`. */
function orValue(answer: Answer): Answer {
  const { Vary, ...headers } = answer.headers!
  const number = z.string().check(z.regex(/^-?[0-9]+([.,][0-9]+)?$/))
  return {
    ...answer,
    headers: { ...headers, Vary: { ...Vary!, required: false } },
    content: { ...answer.content, 'text/plain': { schema: number, example: '1430' } },
  }
}

export const listQuotes = list(quote, {
  id: 'listQuotes',
  path: '/api/v2/quotes',
  summary: 'Todas las cotizaciones actuales',
  description: 'La lista de todos los pares cotizados, en el orden del catálogo.',
  tool: {
    name: 'all_quotes',
    title: 'Listar todas las cotizaciones',
    description:
      'Lista todas las cotizaciones e índices disponibles con su valor actual (todas las monedas y orígenes de una sola vez).',
  },
})

export const listQuotesOfCurrency = list(quote, {
  ...ofCurrency,
  id: 'listQuotesOfCurrency',
  path: '/api/v2/{currency}',
  summary: 'Cotizaciones actuales de una moneda',
  description: 'Una cotización por origen.',
  tool: {
    name: 'currency_quote',
    title: 'Cotización de una moneda',
    description:
      'Cotización actual de cualquier moneda del mercado argentino: usd, eur, brl, clp, uyu, o índices arg (riesgo país, CER, UVA). Sin origen, todas las de la moneda.',
  },
})

/** In CSV, the change of a pair has three columns. */
const CHANGE = { changeAmount: 30, changePercent: 2.14, referenceValue: 1400 }

export const readQuote = read({
  ...ofPair(2),
  id: 'readQuote',
  path: '/api/v2/{currency}/{origin}',
  summary: 'Cotización actual de un par',
  description: `El valor vigente y su variación desde la medianoche argentina. ${Object.values(PAIR_NOTES).join(' ')}`,
  tool: {
    name: 'dollar_quote',
    title: 'Cotización del dólar',
    description:
      'Devuelve la cotización actual del dólar en Argentina: blue, oficial, MEP (bolsa), CCL, cripto, tarjeta y demás, o una sola. Sin origen, todas.',
  },
  ok: () => {
    const row = { ...(exampleOf(quote()) as object), ...CHANGE }
    return orValue(orCsv(publicJson('La cotización.', currentQuote()), [row]))
  },
})

export const currentReads = resource('Cotizaciones actuales', 'Los valores vigentes.', [
  listQuotes,
  listQuotesOfCurrency,
  readQuote,
])

const LEGACY = 'La generación 1, estable: los mismos datos con nombres en castellano.'

export const legacyReads = resource(
  'Generación 1',
  'Nombres en castellano; estable, sin novedades.',
  [
    list(legacyQuote, {
      ...ofCurrency,
      id: 'listLegacyQuotes',
      path: '/api/{currency}',
      summary: 'Cotizaciones de una moneda (v1)',
      description: LEGACY,
    }),
    read({
      ...ofPair(1),
      id: 'readLegacyQuote',
      path: '/api/{currency}/{origin}',
      summary: 'Cotización de un par (v1)',
      description: LEGACY,
      ok: () => orValue(orCsv(publicJson('La cotización.', legacyQuote()))),
    }),
  ],
)
