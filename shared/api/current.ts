/** The current reads: of everything, of a currency, of a pair, in both generations. */
import * as z from 'zod'
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
import {
  argentineInstant,
  currency,
  ifNoneMatch,
  ofCurrency,
  ofPair,
  origin,
  pairName,
  valueType,
} from './fields.ts'
import { type Answer, named, type Operation, type Resource } from './operation.ts'

const quoteFields = {
  currency,
  name: pairName,
  origin,
  buy: z
    .number()
    .nullable()
    .describe('Precio de compra en pesos. En los índices y valores únicos es igual a `sell`.'),
  sell: z.number().nullable().describe('Precio de venta en pesos, o el valor del índice.'),
  updatedAt: argentineInstant.describe('Cuándo cambió el valor por última vez, hora argentina.'),
  lastScrapedAt: argentineInstant.describe('Cuándo lo confirmó por última vez una fuente.'),
  valueType,
}

export const quote = z
  .object(quoteFields)
  .describe('Una cotización actual, como en las listas.')
  .register(named, { id: 'Quote' })

export const change = z
  .object({
    amount: z.number().describe('Diferencia contra `referenceValue`; negativa si bajó.'),
    percent: z.number().describe('La misma diferencia en por ciento, con 2 decimales.'),
    referenceValue: z
      .number()
      .describe('La última venta anterior a la medianoche argentina de hoy.'),
  })
  .describe('La variación del día.')
  .register(named, { id: 'Change' })

export const currentQuote = z
  .object({
    ...quoteFields,
    change: change.nullable().describe('`null` si el par no tenía valor antes de la medianoche.'),
  })
  .describe('Una cotización actual con la variación del día.')
  .register(named, { id: 'CurrentQuote' })

export const legacyQuote = z
  .object({
    moneda: currency,
    nombre: pairName,
    origen: origin,
    compra: z.number().nullable().describe('Precio de compra en pesos.'),
    venta: z.number().nullable().describe('Precio de venta en pesos, o el valor del índice.'),
    actualizado: argentineInstant.describe('Cuándo cambió el valor por última vez.'),
  })
  .describe('Una cotización de la generación 1: los datos de v2 con nombres en castellano.')
  .register(named, { id: 'LegacyQuote' })

const exampleQuote = {
  currency: 'USD',
  name: 'Dólar Blue',
  origin: 'BLUE',
  buy: 1410,
  sell: 1430,
  updatedAt: '2026-03-02T11:55:00.000-03:00',
  lastScrapedAt: '2026-03-02T12:00:00.000-03:00',
  valueType: 'money',
}
export const exampleCurrent = {
  ...exampleQuote,
  change: { amount: 30, percent: 2.14, referenceValue: 1400 },
}
const exampleLegacy = {
  moneda: 'USD',
  nombre: 'Dólar Blue',
  origen: 'BLUE',
  compra: 1410,
  venta: 1430,
  actualizado: '2026-03-02T11:55:00.000-03:00',
}
const LIST_CSV =
  'currency,name,origin,buy,sell,updatedAt,lastScrapedAt,valueType\r\nUSD,Dólar Blue,BLUE,1410,1430,2026-03-02T11:55:00.000-03:00,2026-03-02T12:00:00.000-03:00,money\r\n'
const PAIR_CSV =
  'currency,name,origin,buy,sell,updatedAt,lastScrapedAt,valueType,changeAmount,changePercent,referenceValue\r\nUSD,Dólar Blue,BLUE,1410,1430,2026-03-02T11:55:00.000-03:00,2026-03-02T12:00:00.000-03:00,money,30,2.14,1400\r\n'
const LEGACY_CSV =
  'moneda,nombre,origen,compra,venta,actualizado\r\nUSD,Dólar Blue,BLUE,1410,1430,2026-03-02T11:55:00.000-03:00\r\n'

const CURRENT = 'Cotizaciones actuales'
const LEGACY = 'Generación 1'
const SHEETS = 'Planillas'
const CACHE =
  'Se puede guardar 60 segundos. Un valor nuevo tarda hasta 60 segundos en llegar a esta lectura, y hasta 120 a quien guarda la respuesta; el stream lo manda en el momento. Los parámetros de consulta se ignoran, salvo los de planillas (`format`, en los agregados).'
const LEGACY_WORDS = 'La generación 1, estable: los mismos datos con nombres en castellano.'

const quotes = publicJson('Las cotizaciones.', z.array(quote), [exampleQuote])
const ofCurrencyWords = { description: 'Las cotizaciones de la moneda.' }
const legacyQuotes = publicJson('Las cotizaciones.', z.array(legacyQuote), [exampleLegacy])
const onePair = publicJson('La cotización.', currentQuote, exampleCurrent)
const legacyPair = publicJson('La cotización.', legacyQuote, exampleLegacy)

const refusals = (notFound?: Answer): Operation['answers'] => ({
  304: notModified,
  ...(notFound && { 404: notFound }),
  503: noData(SERVICE_UNAVAILABLE),
})

type Read = Pick<Operation, 'id' | 'path' | 'summary'> & Partial<Operation>

function currentRead({
  ok,
  notFound,
  ...read
}: Read & { ok: Answer; notFound?: Answer }): Operation {
  return {
    method: 'get',
    tag: CURRENT,
    ...read,
    description: `${read.description} ${CACHE}`,
    headers: ifNoneMatch,
    answers: { 200: ok, ...refusals(notFound) },
  }
}

export const listQuotes = currentRead({
  id: 'listQuotes',
  path: '/api/v2/quotes',
  summary: 'Todas las cotizaciones actuales',
  description: 'La lista de todos los pares cotizados, en el orden del catálogo.',
  ok: quotes,
  tool: {
    name: 'all_quotes',
    title: 'Listar todas las cotizaciones',
    description:
      'Lista todas las cotizaciones e índices disponibles con su valor actual (todas las monedas y orígenes de una sola vez).',
  },
})

export const listQuotesOfCurrency = currentRead({
  id: 'listQuotesOfCurrency',
  path: '/api/v2/{currency}',
  summary: 'Cotizaciones actuales de una moneda',
  description: 'Una cotización por origen.',
  params: ofCurrency,
  ok: { ...quotes, ...ofCurrencyWords },
  notFound: currencyNotFound,
  tool: {
    name: 'currency_quote',
    title: 'Cotización de una moneda',
    description:
      'Cotización actual de cualquier moneda del mercado argentino: usd, eur, brl, clp, uyu, o índices arg (riesgo país, CER, UVA). Sin origen, todas las de la moneda.',
  },
})

export const readQuote = currentRead({
  id: 'readQuote',
  path: '/api/v2/{currency}/{origin}',
  summary: 'Cotización actual de un par',
  description: `El valor vigente y su variación desde la medianoche argentina. ${Object.values(PAIR_NOTES).join(' ')}`,
  params: ofPair,
  ok: onePair,
  notFound: pairNotFound,
  tool: {
    name: 'dollar_quote',
    title: 'Cotización del dólar',
    description:
      'Devuelve la cotización actual del dólar en Argentina: blue, oficial, MEP (bolsa), CCL, cripto, tarjeta y demás, o una sola. Sin origen, todas.',
  },
})

export const currentReads: Resource = {
  tag: { name: CURRENT, description: 'Los valores vigentes.' },
  operations: [listQuotes, listQuotesOfCurrency, readQuote],
}

export const legacyReads: Resource = {
  tag: { name: LEGACY, description: 'Nombres en castellano; estable, sin novedades.' },
  operations: [
    currentRead({
      id: 'listLegacyQuotes',
      path: '/api/{currency}',
      tag: LEGACY,
      summary: 'Cotizaciones de una moneda (v1)',
      description: LEGACY_WORDS,
      params: ofCurrency,
      ok: { ...legacyQuotes, ...ofCurrencyWords },
      notFound: currencyNotFound,
    }),
    currentRead({
      id: 'readLegacyQuote',
      path: '/api/{currency}/{origin}',
      tag: LEGACY,
      summary: 'Cotización de un par (v1)',
      description: LEGACY_WORDS,
      params: ofPair,
      ok: legacyPair,
      notFound: pairNotFound,
    }),
  ],
}

const choice = (description: string, ...values: string[]) =>
  z.enum(values).optional().describe(description)
const locale = choice('De una tabla o un número: cómo se escriben los decimales.', 'en-US', 'es-AR')
const listQuery = z.strictObject({
  format: choice('`csv`, o `Accept: text/csv`: una tabla con encabezado.', 'csv', 'json'),
  locale,
})
const pairQuery = (...sides: string[]) =>
  z.strictObject({
    format: choice('`csv`, una tabla; `value`, un número solo.', 'csv', 'json', 'value'),
    field: choice('Con `format=value`: qué número; sin él, la venta.', ...sides),
    locale,
  })

function sheetRead({ ok, notFound, ...read }: Read & { ok: Answer; notFound?: Answer }) {
  return {
    method: 'get',
    tag: SHEETS,
    description:
      'La lectura actual en otra forma, para planillas. Lleva lo mismo que en JSON, con el mismo tiempo de guarda. Junto a estos parámetros, otros son 400.',
    headers: ifNoneMatch,
    ...read,
    answers: {
      200: ok,
      400: refusal(
        'Con `format`, `field` o `locale`, un parámetro no es válido, se repite o no existe. Sin ellos la consulta se ignora.',
        FORMAT_NAMES,
      ),
      ...refusals(notFound),
    },
  } satisfies Operation
}

/** A pair's answer, which may be one number. The number does not depend on `Accept`. */
function orValue(answer: Answer): Answer {
  const { Vary, ...headers } = answer.headers!
  const number = z.string().regex(/^-?[0-9]+([.,][0-9]+)?$/)
  return {
    ...answer,
    headers: { ...headers, Vary: { ...Vary!, required: false } },
    content: { ...answer.content, 'text/plain': { schema: number, example: '1430' } },
  }
}

const noPair: Answer = {
  ...pairNotFound,
  description:
    'El par no existe o todavía no cotizó. Fuera del catálogo, con `format=value` el cuerpo es un renglón de texto, y si no una página HTML, salvo que `Accept` prefiera JSON.',
  content: {
    ...pairNotFound.content,
    'text/plain': { schema: z.string(), example: QUOTE_NOT_FOUND },
  },
}

/** The forms of current reads for spreadsheets. */
export const sheetReads: Resource = {
  tag: {
    name: SHEETS,
    description: 'Las lecturas actuales como CSV, o como un número para una celda.',
  },
  operations: [
    sheetRead({
      id: 'sheetQuotes',
      path: '/api/v2/quotes',
      summary: 'Todas las cotizaciones como tabla',
      query: listQuery,
      ok: orCsv(quotes, LIST_CSV),
    }),
    sheetRead({
      id: 'sheetQuotesOfCurrency',
      path: '/api/v2/{currency}',
      summary: 'Una moneda como tabla',
      params: ofCurrency,
      query: listQuery,
      ok: orCsv(quotes, LIST_CSV),
      notFound: currencyNotFound,
    }),
    sheetRead({
      id: 'sheetQuote',
      path: '/api/v2/{currency}/{origin}',
      summary: 'Un par como tabla o como un número',
      params: ofPair,
      query: pairQuery('sell', 'buy'),
      ok: orValue(orCsv(onePair, PAIR_CSV)),
      notFound: noPair,
    }),
    sheetRead({
      id: 'sheetLegacyQuotes',
      path: '/api/{currency}',
      summary: 'Una moneda como tabla (v1)',
      params: ofCurrency,
      query: listQuery,
      ok: orCsv(legacyQuotes, LEGACY_CSV),
      notFound: currencyNotFound,
    }),
    sheetRead({
      id: 'sheetLegacyQuote',
      path: '/api/{currency}/{origin}',
      summary: 'Un par como tabla o como un número (v1)',
      params: ofPair,
      query: pairQuery('venta', 'compra'),
      ok: orValue(orCsv(legacyPair, LEGACY_CSV)),
      notFound: noPair,
    }),
  ],
}
