/** The addresses of DolarApi, ArgentinaDatos and Bluelytics, where the switch is on. */
import * as z from 'zod'
import { BNA, CASAS } from '../compatibility/casas.ts'
import { DAYS_A_MINUTE } from '../compatibility/limit.ts'
import { HISTORY_UNPUBLISHED, TOO_MANY_DAYS } from '../sentences.ts'
import { json, noData, notModified, publicJson, publicText, tooManyReads } from './answers.ts'
import { day, errorObject, ifNoneMatch, utcInstant } from './fields.ts'
import { type Answer, named, type Operation, type Resource } from './operation.ts'

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
  .register(named, { id: 'PeerDollar' })
const peerState = z
  .object({ estado: z.string(), aleatorio: z.int() })
  .register(named, { id: 'PeerState' })
const peerDay = z
  .object({ casa: z.string(), compra: z.number(), venta: z.number(), fecha: day })
  .describe('Un dólar de un día, como lo da ArgentinaDatos.')
  .register(named, { id: 'PeerDay' })
const peerCurrencyDay = z
  .object({
    moneda: z.string(),
    casa: z.literal('oficial').optional(),
    compra: z.number(),
    venta: z.number(),
    fecha: day,
  })
  .describe('Una moneda en un día, como la da ArgentinaDatos: sin `casa` antes del 20/1/2024.')
  .register(named, { id: 'PeerCurrencyDay' })
const peerIndex = z.object({ valor: z.number(), fecha: day }).register(named, { id: 'PeerIndex' })
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
  .register(named, { id: 'PeerGroups' })
const peerEvolution = z
  .object({
    date: day,
    source: z.enum(['Oficial', 'Blue']),
    value_sell: z.number(),
    value_buy: z.number(),
  })
  .register(named, { id: 'PeerEvolution' })

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

const inPath = (schema: z.ZodType, example: string) =>
  schema.describe('Como en el servicio de origen, en minúsculas.').meta({ example })
const digits = (count: number) => z.string().regex(new RegExp(`^[0-9]{${count}}$`))
const PARAMETERS = {
  casa: inPath(z.enum(CASAS.map(({ casa }) => casa)), 'blue'),
  moneda: inPath(z.enum(['usd', 'eur', 'brl', 'clp', 'uyu']), 'eur'),
  year: inPath(digits(4), '2026'),
  month: inPath(digits(2), '03'),
  day: inPath(digits(2), '02'),
}
const ambito = inPath(z.enum([...CASAS, BNA].map(({ casa }) => casa)), 'bna')

const none: Answer = { description: 'No hay: sin cuerpo, como en DolarApi.' }
const refused = (error: string) =>
  json('No hay, como en el servicio de origen.', errorObject, { error })
const notFound = refused('Not found')
const dayNotFound = refused('Error: day not found')
const limited = {
  429: tooManyReads(
    `Más de ${DAYS_A_MINUTE} días en un minuto desde una IP: espera de un minuto. Texto plano.`,
    TOO_MANY_DAYS,
  ),
}

function read(
  id: string,
  path: string,
  ok: Answer,
  missing: Answer | null,
  more: { params?: z.ZodRawShape; query?: z.ZodRawShape; answers?: Operation['answers'] } = {},
): Operation {
  const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as keyof typeof PARAMETERS)
  const params = Object.fromEntries(named.map((name) => [name, PARAMETERS[name]]))
  return {
    id,
    method: 'get',
    path,
    tag: TAG,
    summary: 'La respuesta de otro servicio, con los valores de este',
    description:
      'Las mismas claves, el mismo orden y los mismos bytes que en el servicio de origen donde el valor es el mismo (/mudarse). Otros parámetros se ignoran, como allá.',
    params: z.object({ ...params, ...more.params }),
    query: z.object(more.query ?? {}),
    headers: ifNoneMatch,
    answers: {
      200: ok,
      304: notModified,
      ...(missing && { 404: missing }),
      ...more.answers,
      503: noData(HISTORY_UNPUBLISHED),
    },
  }
}

const values = (schema: z.ZodType, example: unknown) => publicJson('Los valores.', schema, example)
const dollars = values(z.array(peerDollar), [dollar])
const oneDollar = values(peerDollar, dollar)
const days = values(z.array(peerDay), [dollarOfDay])
const indices = values(z.array(peerIndex), [index])
const evolutionCsv = publicText('Los valores.', {
  'text/csv': {
    schema: z.string(),
    example: 'day,type,value_buy,value_sell\n2026-03-02,Blue,1530.00,1550.00\n',
  },
})
const asked = (description: string) => z.string().optional().describe(description)
const rows = { query: { days: asked('Cuántas filas; sin un número menor que 10000, todas.') } }
const history = { answers: limited }

export const compatibility: Resource = {
  tag: {
    name: TAG,
    description:
      'Las direcciones de DolarApi, ArgentinaDatos y Bluelytics, para aplicaciones que ya las usan. Responden donde `COMPATIBILITY` está encendido.',
  },
  compatibility: true,
  operations: [
    read('peerDollars', '/v1/dolares', dollars, none),
    read('peerDollar', '/v1/dolares/{casa}', oneDollar, none),
    read('peerAmbitoDollars', '/v1/ambito/dolares', dollars, none),
    read('peerAmbitoDollar', '/v1/ambito/dolares/{casa}', oneDollar, none, {
      params: { casa: ambito },
    }),
    read('peerCurrencies', '/v1/cotizaciones', dollars, none),
    read('peerCurrency', '/v1/cotizaciones/{moneda}', oneDollar, none),
    read(
      'peerState',
      '/v1/estado',
      values(peerState, { estado: 'Disponible', aleatorio: 1234 }),
      null,
    ),
    read('peerHistory', '/v1/cotizaciones/dolares', days, notFound),
    read('peerHistoryOf', '/v1/cotizaciones/dolares/{casa}', days, notFound),
    read('peerDay', '/v1/cotizaciones/dolares/{year}/{month}/{day}', days, notFound, history),
    read(
      'peerDayOf',
      '/v1/cotizaciones/dolares/{casa}/{year}/{month}/{day}',
      values(peerDay, dollarOfDay),
      notFound,
      history,
    ),
    read(
      'peerCurrencyDay',
      '/v1/cotizaciones/{moneda}/{year}/{month}/{day}',
      values(peerCurrencyDay, currencyOfDay),
      notFound,
      history,
    ),
    read('peerRisk', '/v1/finanzas/indices/riesgo-pais', indices, notFound),
    read(
      'peerLastRisk',
      '/v1/finanzas/indices/riesgo-pais/ultimo',
      values(peerIndex, index),
      notFound,
    ),
    read('peerUva', '/v1/finanzas/indices/uva', indices, notFound),
    read(
      'peerLatest',
      '/v2/latest',
      values(peerGroups, { ...groups, last_update: '2026-03-02T11:55:00.000-03:00' }),
      dayNotFound,
    ),
    read('peerHistorical', '/v2/historical', values(peerGroups, groups), dayNotFound, {
      query: { day: asked('El día, `AAAA-MM-DD`.').meta({ example: '2026-03-02' }) },
      ...history,
    }),
    read(
      'peerEvolution',
      '/v2/evolution.json',
      values(z.array(peerEvolution), [evolution]),
      dayNotFound,
      rows,
    ),
    read('peerEvolutionCsv', '/v2/evolution.csv', evolutionCsv, dayNotFound, rows),
  ],
}
