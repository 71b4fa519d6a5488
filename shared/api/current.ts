/** The current reads of both generations: of everything, of a currency, of a pair. */
import * as z from 'zod/mini'
import { PAIR_NOTES } from '../market/catalog.ts'
import { FORMAT_NAMES, QUOTE_NOT_FOUND, SERVICE_UNAVAILABLE } from '../sentences.ts'
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
import { doc, type Answer, exampleOf, named, type Operation, type Resource } from './operation.ts'

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
  buy: field.price(
    'Precio de compra en pesos. En los índices y valores únicos es igual a `sell`.',
    1410,
  ),
  sell: field.price('Precio de venta en pesos, o el valor del índice.', 1430),
  updatedAt: doc(
    field.argentineInstant(),
    'Cuándo cambió el valor por última vez, hora argentina.',
  ),
  lastScrapedAt: doc(field.argentineInstant(), 'Cuándo lo confirmó por última vez una fuente.'),
  valueType: field.valueType(),
})

export const quote = named('Quote', 'Una cotización actual, como en las listas.', quoteFields)

export const change = named('Change', 'La variación del día.', () => ({
  amount: doc(z.number(), 'Diferencia contra `referenceValue`; negativa si bajó.', 30),
  percent: doc(z.number(), 'La misma diferencia en por ciento, con 2 decimales.', 2.14),
  referenceValue: doc(
    z.number(),
    'La última venta anterior a la medianoche argentina de hoy.',
    1400,
  ),
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

const CACHE =
  'Se puede guardar 60 segundos. Un valor nuevo tarda hasta 60 segundos en llegar a esta lectura, y hasta 120 a quien guarda la respuesta; el stream lo manda en el momento. Los parámetros de consulta se ignoran, salvo los de planillas (`format`, en los agregados).'

const quotes = () => publicJson('Las cotizaciones.', z.array(quote()))
const legacyQuotes = () => publicJson('Las cotizaciones.', z.array(legacyQuote()))
const onePair = () => publicJson('La cotización.', currentQuote())
const legacyPair = () => publicJson('La cotización.', legacyQuote())
const ofOneCurrency = (answer: Answer) => ({
  ...answer,
  description: 'Las cotizaciones de la moneda.',
})

/** The address and the answers of each read. */
const all = { path: '/api/v2/quotes', ok: quotes }
const ofCurrency = {
  path: '/api/v2/{currency}',
  params: field.ofCurrency,
  ok: () => ofOneCurrency(quotes()),
  notFound: currencyNotFound,
}
const ofPair = {
  path: '/api/v2/{currency}/{origin}',
  params: field.ofPair,
  ok: onePair,
  notFound: pairNotFound,
}
const ofCurrencyV1 = {
  ...ofCurrency,
  path: '/api/{currency}',
  ok: () => ofOneCurrency(legacyQuotes()),
}
const ofPairV1 = { ...ofPair, path: '/api/{currency}/{origin}', ok: legacyPair }

type Read = Pick<Operation, 'id' | 'path' | 'summary' | 'params' | 'query' | 'tool'> & {
  ok: () => Answer
  notFound?: () => Answer
}

/** A current read. */
const read = (
  { ok, notFound, ...described }: Read,
  description: string,
  refused?: () => Answer,
): Operation => ({
  method: 'get',
  description,
  headers: field.ifNoneMatch,
  ...described,
  answers: () => ({
    200: ok(),
    304: notModified,
    ...(refused && { 400: refused() }),
    ...(notFound && { 404: notFound() }),
    503: noData(SERVICE_UNAVAILABLE),
  }),
})

const inJson = ({ description, ...described }: Read & { description: string }): Operation =>
  read(described, `${description} ${CACHE}`)

export const listQuotes = inJson({
  ...all,
  id: 'listQuotes',
  summary: 'Todas las cotizaciones actuales',
  description: 'La lista de todos los pares cotizados, en el orden del catálogo.',
  tool: {
    name: 'all_quotes',
    title: 'Listar todas las cotizaciones',
    description:
      'Lista todas las cotizaciones e índices disponibles con su valor actual (todas las monedas y orígenes de una sola vez).',
  },
})

export const listQuotesOfCurrency = inJson({
  ...ofCurrency,
  id: 'listQuotesOfCurrency',
  summary: 'Cotizaciones actuales de una moneda',
  description: 'Una cotización por origen.',
  tool: {
    name: 'currency_quote',
    title: 'Cotización de una moneda',
    description:
      'Cotización actual de cualquier moneda del mercado argentino: usd, eur, brl, clp, uyu, o índices arg (riesgo país, CER, UVA). Sin origen, todas las de la moneda.',
  },
})

export const readQuote = inJson({
  ...ofPair,
  id: 'readQuote',
  summary: 'Cotización actual de un par',
  description: `El valor vigente y su variación desde la medianoche argentina. ${Object.values(PAIR_NOTES).join(' ')}`,
  tool: {
    name: 'dollar_quote',
    title: 'Cotización del dólar',
    description:
      'Devuelve la cotización actual del dólar en Argentina: blue, oficial, MEP (bolsa), CCL, cripto, tarjeta y demás, o una sola. Sin origen, todas.',
  },
})

export const currentReads: Resource = {
  tag: { name: 'Cotizaciones actuales', description: 'Los valores vigentes.' },
  operations: [listQuotes, listQuotesOfCurrency, readQuote],
}

const LEGACY = 'La generación 1, estable: los mismos datos con nombres en castellano.'

export const legacyReads: Resource = {
  tag: { name: 'Generación 1', description: 'Nombres en castellano; estable, sin novedades.' },
  operations: [
    inJson({
      ...ofCurrencyV1,
      id: 'listLegacyQuotes',
      summary: 'Cotizaciones de una moneda (v1)',
      description: LEGACY,
    }),
    inJson({
      ...ofPairV1,
      id: 'readLegacyQuote',
      summary: 'Cotización de un par (v1)',
      description: LEGACY,
    }),
  ],
}

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
    field: choice(
      'Con `format=value`: qué número; sin él, la venta.',
      Object.keys(SIDE_FIELDS[generation]),
    ),
    locale: locale(),
  })

const inSheet = (described: Read): Operation =>
  read(
    described,
    'La lectura actual en otra forma, para planillas. Lleva lo mismo que en JSON, con el mismo tiempo de guarda. Junto a estos parámetros, otros son 400.',
    () =>
      refusal(
        'Con `format`, `field` o `locale`, un parámetro no es válido, se repite o no existe. Sin ellos la consulta se ignora.',
        FORMAT_NAMES,
      ),
  )

const listInSheet = (described: Read) =>
  inSheet({ ...described, query: listQuery, ok: () => orCsv(described.ok()) })

const pairInSheet = (generation: 1 | 2, described: Read, row?: object) =>
  inSheet({
    ...described,
    query: pairQuery(generation),
    ok: () =>
      orValue(orCsv(described.ok(), row && [{ ...(exampleOf(quote()) as object), ...row }])),
    notFound: noPair,
  })

/** A pair's answer, which may be one number. The number does not depend on `Accept`. */
function orValue(answer: Answer): Answer {
  const { Vary, ...headers } = answer.headers!
  const number = z.string().check(z.regex(/^-?[0-9]+([.,][0-9]+)?$/))
  return {
    ...answer,
    headers: { ...headers, Vary: { ...Vary!, required: false } },
    content: { ...answer.content, 'text/plain': { schema: number, example: '1430' } },
  }
}

const noPair = (): Answer => ({
  ...pairNotFound(),
  description:
    'El par no existe o todavía no cotizó. Fuera del catálogo, con `format=value` el cuerpo es un renglón de texto, y si no una página HTML, salvo que `Accept` prefiera JSON.',
  content: {
    ...pairNotFound().content,
    'text/plain': { schema: z.string(), example: QUOTE_NOT_FOUND },
  },
})

/** In CSV, the change of a pair is three columns. */
const CHANGE = { changeAmount: 30, changePercent: 2.14, referenceValue: 1400 }

/** The forms of current reads for spreadsheets. */
export const sheetReads: Resource = {
  tag: {
    name: 'Planillas',
    description: 'Las lecturas actuales como CSV, o como un número para una celda.',
  },
  operations: [
    listInSheet({ ...all, id: 'sheetQuotes', summary: 'Todas las cotizaciones como tabla' }),
    listInSheet({ ...ofCurrency, id: 'sheetQuotesOfCurrency', summary: 'Una moneda como tabla' }),
    pairInSheet(
      2,
      { ...ofPair, id: 'sheetQuote', summary: 'Un par como tabla o como un número' },
      CHANGE,
    ),
    listInSheet({
      ...ofCurrencyV1,
      id: 'sheetLegacyQuotes',
      summary: 'Una moneda como tabla (v1)',
    }),
    pairInSheet(1, {
      ...ofPairV1,
      id: 'sheetLegacyQuote',
      summary: 'Un par como tabla o como un número (v1)',
    }),
  ],
}
