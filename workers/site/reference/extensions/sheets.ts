import {
  currencyNotFound,
  listOf,
  noData,
  notModified,
  orCsv,
  pairNotFound,
  publicJson,
  ref,
  refusal,
} from '../responses.ts'
import * as examples from '../examples.ts'
import type { ApiResponse, Operation, Parameter, PathItem } from '../openapi.ts'
import { currency, ifNoneMatch, origin } from '../parameters.ts'
import { currentQuote, legacyQuote, quote } from '../schemas/quotes.ts'
import type { Extension } from './extension.ts'
import { FORMAT_NAMES, QUOTE_NOT_FOUND, SERVICE_UNAVAILABLE } from '../../../../shared/sentences.ts'

const TAG = 'Planillas'
const LIST_CSV =
  'currency,name,origin,buy,sell,updatedAt,lastScrapedAt,valueType\r\nUSD,Dólar Blue,BLUE,1410,1430,2026-03-02T11:55:00.000-03:00,2026-03-02T12:00:00.000-03:00,money\r\n'
const PAIR_CSV =
  'currency,name,origin,buy,sell,updatedAt,lastScrapedAt,valueType,changeAmount,changePercent,referenceValue\r\nUSD,Dólar Blue,BLUE,1410,1430,2026-03-02T11:55:00.000-03:00,2026-03-02T12:00:00.000-03:00,money,30,2.14,1400\r\n'
const LEGACY_CSV =
  'moneda,nombre,origen,compra,venta,actualizado\r\nUSD,Dólar Blue,BLUE,1410,1430,2026-03-02T11:55:00.000-03:00\r\n'

const query = (name: string, description: string, values: string[]): Parameter => ({
  name,
  in: 'query',
  description,
  schema: { type: 'string', enum: values },
})
const locale = query('locale', 'De una tabla o un número: cómo se escriben los decimales.', [
  'en-US',
  'es-AR',
])
const listFormat = query('format', '`csv`, o `Accept: text/csv`: una tabla con encabezado.', [
  'csv',
  'json',
])
const pairFormat = query('format', '`csv`, una tabla; `value`, un número solo.', [
  'csv',
  'json',
  'value',
])
const field = (...sides: string[]) =>
  query('field', 'Con `format=value`: qué número; sin él, la venta.', sides)

const badForm = refusal(
  'Con `format`, `field` o `locale`, un parámetro no es válido, se repite o no existe. Sin ellos la consulta se ignora.',
  FORMAT_NAMES,
)

interface Read {
  operationId: string
  summary: string
  parameters: Parameter[]
  ok: ApiResponse
  notFound?: ApiResponse
}

function sheetRead({ operationId, summary, parameters, ok, notFound }: Read): PathItem {
  const operation: Operation = {
    operationId,
    summary,
    description:
      'La lectura actual en otra forma, para planillas. Lleva lo mismo que en JSON, con el mismo tiempo de guarda. Junto a estos parámetros, otros son 400.',
    tags: [TAG],
    security: [],
    parameters: [...parameters, locale, ifNoneMatch],
    responses: {
      '200': ok,
      '304': notModified,
      '400': badForm,
      ...(notFound && { '404': notFound }),
      '503': noData(SERVICE_UNAVAILABLE),
    },
  }
  return { get: operation }
}

/** A pair's answer, which may be one number. */
function orValue(answer: ApiResponse): ApiResponse {
  return {
    ...answer,
    content: {
      ...answer.content,
      'text/plain': {
        schema: { type: 'string', pattern: '^-?[0-9]+([.,][0-9]+)?$' },
        example: '1430',
      },
    },
    // The number does not depend on Accept.
    headers: Object.fromEntries(
      Object.entries(answer.headers ?? {}).map(([name, header]) => [
        name,
        name === 'Vary' ? { ...header, required: false } : header,
      ]),
    ),
  }
}

const noPair: ApiResponse = {
  ...pairNotFound,
  description:
    'El par no existe o todavía no cotizó. Fuera del catálogo, con `format=value` el cuerpo es un renglón de texto, y si no una página HTML, salvo que `Accept` prefiera JSON.',
  content: {
    ...pairNotFound.content,
    'text/plain': { schema: { type: 'string' }, example: QUOTE_NOT_FOUND },
  },
}

const listResponse = (schema: string, example: unknown, csv: string) =>
  orCsv(publicJson('Las cotizaciones.', listOf(schema), [example]), csv)
const pairResponse = (schema: string, example: unknown, csv: string) =>
  orValue(orCsv(publicJson('La cotización.', ref(schema), example), csv))

const v2List = listResponse('SheetQuote', examples.quote, LIST_CSV)

const paths: Record<string, PathItem> = {
  '/api/v2/quotes': sheetRead({
    operationId: 'sheetQuotes',
    summary: 'Todas las cotizaciones como tabla',
    parameters: [listFormat],
    ok: v2List,
  }),
  '/api/v2/{currency}': sheetRead({
    operationId: 'sheetQuotesOfCurrency',
    summary: 'Una moneda como tabla',
    parameters: [currency, listFormat],
    ok: v2List,
    notFound: currencyNotFound,
  }),
  '/api/v2/{currency}/{origin}': sheetRead({
    operationId: 'sheetQuote',
    summary: 'Un par como tabla o como un número',
    parameters: [currency, origin, pairFormat, field('sell', 'buy')],
    ok: pairResponse('SheetCurrentQuote', examples.currentQuote, PAIR_CSV),
    notFound: noPair,
  }),
  '/api/{currency}': sheetRead({
    operationId: 'sheetLegacyQuotes',
    summary: 'Una moneda como tabla (v1)',
    parameters: [currency, listFormat],
    ok: listResponse('SheetLegacyQuote', examples.legacyQuote, LEGACY_CSV),
    notFound: currencyNotFound,
  }),
  '/api/{currency}/{origin}': sheetRead({
    operationId: 'sheetLegacyQuote',
    summary: 'Un par como tabla o como un número (v1)',
    parameters: [currency, origin, pairFormat, field('venta', 'compra')],
    ok: pairResponse('SheetLegacyQuote', examples.legacyQuote, LEGACY_CSV),
    notFound: noPair,
  }),
}

/** The forms of current reads for spreadsheets. */
export const sheetsExtension: Extension = {
  tag: {
    name: TAG,
    description: 'Las lecturas actuales como CSV, o como un número para una celda.',
  },
  schemas: { SheetQuote: quote, SheetCurrentQuote: currentQuote, SheetLegacyQuote: legacyQuote },
  paths: () => paths,
}
