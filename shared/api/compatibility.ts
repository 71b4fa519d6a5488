/** The addresses of DolarApi, ArgentinaDatos and Bluelytics, where the switch is on. */
import * as z from 'zod/mini'
import { BNA, type Casa, CASAS } from '../market/other-services.ts'
import { DAYS_A_MINUTE } from '../limits.ts'
import { HISTORY_UNPUBLISHED, TOO_MANY_DAYS } from '../sentences.ts'
import { json, noData, notModified, publicJson, publicText, tooManyReads } from './answers.ts'
import { day, errorObject, ifNoneMatch, utcInstant } from './fields.ts'
import { doc, type Answer, named, type Operation, type Resource } from './operation.ts'

const text = (example: string) => doc(z.string(), '', example)
const number = (example: number) => doc(z.number(), '', example)
const prices = () => ({ compra: number(1530), venta: number(1550) })

const peerDollar = named(
  'PeerDollar',
  'Una cotización como la da DolarApi; `variacion` solo en `/v1/ambito`.',
  () => ({
    moneda: text('USD'),
    casa: text('blue'),
    nombre: text('Blue'),
    ...prices(),
    fechaActualizacion: utcInstant(),
    variacion: z.optional(z.number()),
  }),
)
const peerState = named('PeerState', '', () => ({
  estado: text('Disponible'),
  aleatorio: doc(z.int(), '', 1234),
}))
const peerDay = named('PeerDay', 'Un dólar de un día, como lo da ArgentinaDatos.', () => ({
  casa: text('blue'),
  ...prices(),
  fecha: day(),
}))
const peerCurrencyDay = named(
  'PeerCurrencyDay',
  'Una moneda en un día, como la da ArgentinaDatos: sin `casa` antes del 20/1/2024.',
  () => ({
    moneda: text('EUR'),
    casa: doc(z.optional(z.literal('oficial')), '', 'oficial'),
    compra: number(1614.7992),
    venta: number(1628.7623),
    fecha: day(),
  }),
)
const peerIndex = named('PeerIndex', '', () => ({ valor: number(519), fecha: day() }))
const group = (example?: object) =>
  doc(
    z.optional(z.object({ value_avg: z.number(), value_sell: z.number(), value_buy: z.number() })),
    '',
    example,
  )
const peerGroups = named(
  'PeerGroups',
  'Los grupos de Bluelytics que tienen valor; `last_update` solo en `/v2/latest`.',
  () => ({
    oficial: group(),
    blue: group({ value_avg: 1540, value_sell: 1550, value_buy: 1530 }),
    oficial_euro: group(),
    blue_euro: group(),
    last_update: z.optional(z.string()),
  }),
)
const peerEvolution = named('PeerEvolution', '', () => ({
  date: day(),
  source: z.enum(['Oficial', 'Blue']),
  value_sell: number(1550),
  value_buy: number(1530),
}))

const inPath = (schema: z.ZodMiniType, example: string) =>
  doc(schema, 'Como en el servicio de origen, en minúsculas.', example)
const digits = (count: number) => z.string().check(z.regex(new RegExp(`^[0-9]{${count}}$`)))
const codeOf = (casas: readonly Casa[]) => inPath(z.enum(casas.map(({ casa }) => casa)), 'blue')
const PARAMETERS = {
  casa: () => codeOf(CASAS),
  moneda: () => inPath(z.enum(['usd', 'eur', 'brl', 'clp', 'uyu']), 'eur'),
  year: () => inPath(digits(4), '2026'),
  month: () => inPath(digits(2), '03'),
  day: () => inPath(digits(2), '02'),
}

type Missing = 'nothing' | 'never' | 'Not found' | 'Error: day not found'

interface More {
  params?: () => z.core.$ZodLooseShape
  query?: () => z.core.$ZodLooseShape
  /** Whether it counts against the limit of days. */
  limited?: boolean
}

/** `missing` is the error of its 404, like the original's. */
function read(
  id: string,
  path: string,
  ok: () => Answer,
  missing: Missing,
  { params, query, limited }: More = {},
): Operation {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as keyof typeof PARAMETERS)
  return {
    id,
    method: 'get',
    path,
    summary: 'La respuesta de otro servicio, con los valores de este',
    description:
      'Las mismas claves, el mismo orden y los mismos bytes que en el servicio de origen donde el valor es el mismo (/mudarse). Otros parámetros se ignoran, como allá.',
    params: () =>
      z.object({
        ...Object.fromEntries(inPath.map((name) => [name, PARAMETERS[name]()])),
        ...params?.(),
      }),
    query: () => z.object(query?.() ?? {}),
    headers: ifNoneMatch,
    answers: () => ({
      200: ok(),
      304: notModified,
      ...(missing !== 'never' && { 404: notFound(missing) }),
      ...(limited && {
        429: tooManyReads(
          `Más de ${DAYS_A_MINUTE} días en un minuto desde una IP: espera de un minuto. Texto plano.`,
          TOO_MANY_DAYS,
        ),
      }),
      503: noData(HISTORY_UNPUBLISHED),
    }),
  }
}

const notFound = (error: Exclude<Missing, 'never'>): Answer =>
  error === 'nothing'
    ? { description: 'No hay: sin cuerpo, como en DolarApi.' }
    : json('No hay, como en el servicio de origen.', errorObject(), { error })

const values = (schema: z.ZodMiniType) => publicJson('Los valores.', schema)
const dollars = () => values(z.array(peerDollar()))
const oneDollar = () => values(peerDollar())
const days = () => values(z.array(peerDay()))
const indices = () => values(z.array(peerIndex()))
const limited = { limited: true }
const rows = {
  query: () => ({
    days: doc(z.optional(z.string()), 'Cuántas filas; sin un número menor que 10000, todas.'),
  }),
}

/** Of now: answered from the board. */
const current = [
  read('peerDollars', '/v1/dolares', dollars, 'nothing'),
  read('peerDollar', '/v1/dolares/{casa}', oneDollar, 'nothing'),
  read('peerAmbitoDollars', '/v1/ambito/dolares', dollars, 'nothing'),
  read('peerAmbitoDollar', '/v1/ambito/dolares/{casa}', oneDollar, 'nothing', {
    params: () => ({ casa: doc(codeOf([...CASAS, BNA]), '', 'bna') }),
  }),
  read('peerCurrencies', '/v1/cotizaciones', dollars, 'nothing'),
  read('peerCurrency', '/v1/cotizaciones/{moneda}', oneDollar, 'nothing'),
  read('peerState', '/v1/estado', () => values(peerState()), 'never'),
  read(
    'peerLastRisk',
    '/v1/finanzas/indices/riesgo-pais/ultimo',
    () => values(peerIndex()),
    'Not found',
  ),
  read('peerLatest', '/v2/latest', () => values(peerGroups()), 'Error: day not found'),
]

const DOLLARS = '/v1/cotizaciones/dolares'
const DAY = '{year}/{month}/{day}'

/** Of the past. */
export const past = {
  dollars: read('peerHistory', DOLLARS, days, 'Not found'),
  dollar: read('peerHistoryOf', `${DOLLARS}/{casa}`, days, 'Not found'),
  dollarsOfDay: read('peerDay', `${DOLLARS}/${DAY}`, days, 'Not found', limited),
  dollarOfDay: read(
    'peerDayOf',
    `${DOLLARS}/{casa}/${DAY}`,
    () => values(peerDay()),
    'Not found',
    limited,
  ),
  currencyOfDay: read(
    'peerCurrencyDay',
    `/v1/cotizaciones/{moneda}/${DAY}`,
    () => values(peerCurrencyDay()),
    'Not found',
    limited,
  ),
  'riesgo-pais': read('peerRisk', '/v1/finanzas/indices/riesgo-pais', indices, 'Not found'),
  uva: read('peerUva', '/v1/finanzas/indices/uva', indices, 'Not found'),
  groupsOfDay: read(
    'peerHistorical',
    '/v2/historical',
    () => values(peerGroups()),
    'Error: day not found',
    {
      ...limited,
      query: () => ({
        day: doc(z.optional(z.string()), 'El día, `AAAA-MM-DD`.', '2026-03-02'),
      }),
    },
  ),
  evolution: read(
    'peerEvolution',
    '/v2/evolution.json',
    () => values(z.array(peerEvolution())),
    'Error: day not found',
    rows,
  ),
  evolutionCsv: read(
    'peerEvolutionCsv',
    '/v2/evolution.csv',
    () =>
      publicText(
        'Los valores.',
        'text/csv',
        'day,type,value_buy,value_sell\n2026-03-02,Blue,1530.00,1550.00\n',
      ),
    'Error: day not found',
    rows,
  ),
}

export const compatibility: Resource = {
  tag: {
    name: 'Direcciones compatibles',
    description:
      'Las direcciones de DolarApi, ArgentinaDatos y Bluelytics, para aplicaciones que ya las usan. Responden donde `COMPATIBILITY` está encendido.',
  },
  compatibility: true,
  operations: [...current, ...Object.values(past)],
}
