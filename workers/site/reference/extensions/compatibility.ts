import * as z from 'zod'
import { BNA, CASAS } from '../../../../shared/compatibility/casas.ts'
import { DAYS_A_MINUTE } from '../../../../shared/compatibility/limit.ts'
import { listOf, noData, notModified, publicJson, ref, tooManyReads } from '../responses.ts'
import type { ApiResponse, Operation, Parameter, PathItem, Schema } from '../openapi.ts'
import { ifNoneMatch } from '../parameters.ts'
import { day, utcInstant } from '../schemas/common.ts'
import type { Extension } from './extension.ts'
import { HISTORY_UNPUBLISHED, TOO_MANY_DAYS } from '../../../../shared/sentences.ts'

const TAG = 'Direcciones compatibles'

const peerDollar = z
  .object({
    moneda: z.string(),
    casa: z.string(),
    nombre: z.string(),
    compra: z.number(),
    venta: z.number(),
    fechaActualizacion: utcInstant,
    variacion: z.number().optional(),
  })
  .describe('Una cotización como la da DolarApi; `variacion` solo en `/v1/ambito`.')
const peerState = z.object({ estado: z.string(), aleatorio: z.int() })
const peerDay = z
  .object({ casa: z.string(), compra: z.number(), venta: z.number(), fecha: day })
  .describe('Un dólar de un día, como lo da ArgentinaDatos.')
const peerCurrencyDay = z
  .object({
    moneda: z.string(),
    casa: z.literal('oficial').optional(),
    compra: z.number(),
    venta: z.number(),
    fecha: day,
  })
  .describe('Una moneda en un día, como la da ArgentinaDatos: sin `casa` antes del 20/1/2024.')
const peerIndex = z.object({ valor: z.number(), fecha: day })
const group = z.object({ value_avg: z.number(), value_sell: z.number(), value_buy: z.number() })
const peerGroups = z
  .object({
    oficial: group.optional(),
    blue: group.optional(),
    oficial_euro: group.optional(),
    blue_euro: group.optional(),
    last_update: z.string().optional(),
  })
  .describe('Los grupos de Bluelytics que tienen valor; `last_update` solo en `/v2/latest`.')
const peerEvolution = z.object({
  date: day,
  source: z.enum(['Oficial', 'Blue']),
  value_sell: z.number(),
  value_buy: z.number(),
})

const dollar = {
  moneda: 'USD',
  casa: 'blue',
  nombre: 'Blue',
  compra: 1530,
  venta: 1550,
  fechaActualizacion: '2026-03-02T14:55:00.000Z',
}
const dollarOfDay = { casa: 'blue', compra: 1530, venta: 1550, fecha: '2026-03-02' }
const currencyOfDay = {
  moneda: 'EUR',
  casa: 'oficial',
  compra: 1614.7992,
  venta: 1628.7623,
  fecha: '2026-03-02',
}
const index = { valor: 519, fecha: '2026-03-02' }
const groups = { blue: { value_avg: 1540, value_sell: 1550, value_buy: 1530 } }
const evolution = { date: '2026-03-02', source: 'Blue', value_sell: 1550, value_buy: 1530 }

const inPath = (name: string, schema: Schema, example: string): Parameter => ({
  name,
  in: 'path',
  required: true,
  description: 'Como en el servicio de origen, en minúsculas.',
  schema: { type: 'string', ...schema },
  example,
})
const casa = inPath('casa', { enum: CASAS.map(({ casa }) => casa) }, 'blue')
const ambito = inPath('casa', { enum: [...CASAS, BNA].map(({ casa }) => casa) }, 'bna')
const moneda = inPath('moneda', { enum: ['usd', 'eur', 'brl', 'clp', 'uyu'] }, 'eur')
const date = [
  inPath('year', { pattern: '^[0-9]{4}$' }, '2026'),
  inPath('month', { pattern: '^[0-9]{2}$' }, '03'),
  inPath('day', { pattern: '^[0-9]{2}$' }, '02'),
]
const query = (name: string, description: string, example?: string): Parameter => ({
  name,
  in: 'query',
  description,
  schema: { type: 'string' },
  ...(example && { example }),
})

const empty: ApiResponse = { description: 'No hay: sin cuerpo, como en DolarApi.' }
const compatibilityRefusal = (error: string): ApiResponse => ({
  description: 'No hay, como en el servicio de origen.',
  content: { 'application/json': { schema: ref('Error'), example: { error } } },
})
const later = noData(HISTORY_UNPUBLISHED)

function compatibilityRead(
  operationId: string,
  ok: [schema: Schema, example: unknown] | ApiResponse,
  notFound: ApiResponse | null,
  parameters: Parameter[] = [],
  more: Record<string, ApiResponse> = {},
): PathItem {
  const operation: Operation = {
    operationId,
    summary: 'La respuesta de otro servicio, con los valores de este',
    description:
      'Las mismas claves, el mismo orden y los mismos bytes que en el servicio de origen donde el valor es el mismo (/mudarse). Otros parámetros se ignoran, como allá.',
    tags: [TAG],
    security: [],
    parameters: [...parameters, ifNoneMatch],
    responses: {
      '200': Array.isArray(ok) ? publicJson('Los valores.', ...ok) : ok,
      '304': notModified,
      ...(notFound && { '404': notFound }),
      ...more,
      '503': later,
    },
  }
  return { get: operation }
}

const dollars: [Schema, unknown] = [listOf('PeerDollar'), [dollar]]
const oneDollar: [Schema, unknown] = [ref('PeerDollar'), dollar]
const days: [Schema, unknown] = [listOf('PeerDay'), [dollarOfDay]]
const indices: [Schema, unknown] = [listOf('PeerIndex'), [index]]
const evolutionCsv: ApiResponse = {
  ...publicJson('Los valores.', {}, null),
  content: {
    'text/csv': {
      schema: { type: 'string' },
      example: 'day,type,value_buy,value_sell\n2026-03-02,Blue,1530.00,1550.00\n',
    },
  },
}
const rows = query('days', 'Cuántas filas; sin un número menor que 10000, todas.')
const notFound = compatibilityRefusal('Not found')
const dayNotFound = compatibilityRefusal('Error: day not found')

const limited = {
  '429': tooManyReads(
    `Más de ${DAYS_A_MINUTE} días en un minuto desde una IP: espera de un minuto. Texto plano.`,
    TOO_MANY_DAYS,
  ),
}

const paths: Record<string, PathItem> = {
  '/v1/dolares': compatibilityRead('peerDollars', dollars, empty),
  '/v1/dolares/{casa}': compatibilityRead('peerDollar', oneDollar, empty, [casa]),
  '/v1/ambito/dolares': compatibilityRead('peerAmbitoDollars', dollars, empty),
  '/v1/ambito/dolares/{casa}': compatibilityRead('peerAmbitoDollar', oneDollar, empty, [ambito]),
  '/v1/cotizaciones': compatibilityRead('peerCurrencies', dollars, empty),
  '/v1/cotizaciones/{moneda}': compatibilityRead('peerCurrency', oneDollar, empty, [moneda]),
  '/v1/estado': compatibilityRead(
    'peerState',
    [ref('PeerState'), { estado: 'Disponible', aleatorio: 1234 }],
    null,
  ),
  '/v1/cotizaciones/dolares': compatibilityRead('peerHistory', days, notFound),
  '/v1/cotizaciones/dolares/{casa}': compatibilityRead('peerHistoryOf', days, notFound, [casa]),
  '/v1/cotizaciones/dolares/{year}/{month}/{day}': compatibilityRead(
    'peerDay',
    days,
    notFound,
    date,
    limited,
  ),
  '/v1/cotizaciones/dolares/{casa}/{year}/{month}/{day}': compatibilityRead(
    'peerDayOf',
    [ref('PeerDay'), dollarOfDay],
    notFound,
    [casa, ...date],
    limited,
  ),
  '/v1/cotizaciones/{moneda}/{year}/{month}/{day}': compatibilityRead(
    'peerCurrencyDay',
    [ref('PeerCurrencyDay'), currencyOfDay],
    notFound,
    [moneda, ...date],
    limited,
  ),
  '/v1/finanzas/indices/riesgo-pais': compatibilityRead('peerRisk', indices, notFound),
  '/v1/finanzas/indices/riesgo-pais/ultimo': compatibilityRead(
    'peerLastRisk',
    [ref('PeerIndex'), index],
    notFound,
  ),
  '/v1/finanzas/indices/uva': compatibilityRead('peerUva', indices, notFound),
  '/v2/latest': compatibilityRead(
    'peerLatest',
    [ref('PeerGroups'), { ...groups, last_update: '2026-03-02T11:55:00.000-03:00' }],
    dayNotFound,
  ),
  '/v2/historical': compatibilityRead(
    'peerHistorical',
    [ref('PeerGroups'), groups],
    dayNotFound,
    [query('day', 'El día, `AAAA-MM-DD`.', '2026-03-02')],
    limited,
  ),
  '/v2/evolution.json': compatibilityRead(
    'peerEvolution',
    [listOf('PeerEvolution'), [evolution]],
    dayNotFound,
    [rows],
  ),
  '/v2/evolution.csv': compatibilityRead('peerEvolutionCsv', evolutionCsv, dayNotFound, [rows]),
}

/** The addresses of DolarApi, ArgentinaDatos and Bluelytics, where the switch is on. */
export const compatibilityExtension: Extension = {
  tag: {
    name: TAG,
    description:
      'Las direcciones de DolarApi, ArgentinaDatos y Bluelytics, para aplicaciones que ya las usan. Responden donde `COMPATIBILITY` está encendido.',
  },
  schemas: {
    PeerDollar: peerDollar,
    PeerState: peerState,
    PeerDay: peerDay,
    PeerCurrencyDay: peerCurrencyDay,
    PeerIndex: peerIndex,
    PeerGroups: peerGroups,
    PeerEvolution: peerEvolution,
  },
  // Where they are off, they are not documented.
  paths: ({ compatibility }) => (compatibility ? paths : {}),
}
