/** The addresses of DolarApi, ArgentinaDatos and Bluelytics, where `COMPATIBILITY` is on. */
import * as z from 'zod/mini'
import { BNA, type Casa, CASAS } from '../market/other-services.ts'
import { DAYS_A_MINUTE } from '../limits.ts'
import { HISTORY_UNPUBLISHED, TOO_MANY_DAYS } from '../sentences.ts'
import { json, noData, notModified, publicJson, publicText, tooManyReads } from './answers.ts'
import { day, errorObject, ifNoneMatch, utcInstant } from './fields.ts'
import { doc, type Answer, named, operation, resource } from './operation.ts'

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

const inPath = <Schema extends z.ZodMiniType>(schema: Schema, example: string) =>
  doc(schema, 'Como en el servicio de origen, en minúsculas.', example)
const digits = (count: number, example: string) =>
  inPath(z.string().check(z.regex(new RegExp(`^[0-9]{${count}}$`))), example)
const casa = (casas: readonly Casa[] = CASAS, example = 'blue') =>
  inPath(z.enum(casas.map(({ casa }) => casa)), example)
const moneda = () => inPath(z.enum(['usd', 'eur', 'brl', 'clp', 'uyu']), 'eur')
const date = () => ({ year: digits(4, '2026'), month: digits(2, '03'), day: digits(2, '02') })

const optionalText = (description: string, example?: string) =>
  doc(z.optional(z.string()), description, example)

/** Path parameters, query and limit of the addresses below. */
const ofCasa = { params: () => z.object({ casa: casa() }) }
const ofAmbito = { params: () => z.object({ casa: casa([...CASAS, BNA], 'bna') }) }
const ofMoneda = { params: () => z.object({ moneda: moneda() }) }
const onDate = { params: () => z.object(date()), limited: true }
const ofCasaOnDate = { params: () => z.object({ casa: casa(), ...date() }), limited: true }
const ofMonedaOnDate = { params: () => z.object({ moneda: moneda(), ...date() }), limited: true }
const onDay = {
  query: () => z.object({ day: optionalText('El día, `AAAA-MM-DD`.', '2026-03-02') }),
  limited: true,
}
const rows = {
  query: () => z.object({ days: optionalText('Cuántas filas; sin un número, todas.') }),
}

/** The error of a 404, as in the original service; `none` has no body. */
type Missing = 'none' | 'Not found' | 'Error: day not found'

interface More<Params, Query> {
  params?: () => Params
  query?: () => Query
  limited?: boolean
}

function read<Params extends z.ZodMiniObject, Query extends z.ZodMiniObject>(
  id: string,
  path: string,
  ok: () => Answer,
  missing: Missing | null,
  { limited, ...described }: More<Params, Query> = {},
) {
  return operation({
    id,
    method: 'get',
    path,
    summary: 'La respuesta de otro servicio, con los valores de este',
    description:
      'Las mismas claves, el mismo orden y los mismos bytes que en el servicio de origen donde el valor es el mismo (/mudarse). Otros parámetros se ignoran, como allá.',
    headers: ifNoneMatch,
    ...described,
    answers: () => ({
      200: ok(),
      304: notModified,
      ...(missing && { 404: notFound(missing) }),
      ...(limited && {
        429: tooManyReads(
          `Más de ${DAYS_A_MINUTE} días en un minuto desde una IP: espera de un minuto. Texto plano.`,
          TOO_MANY_DAYS,
        ),
      }),
      503: noData(HISTORY_UNPUBLISHED),
    }),
  })
}

const notFound = (error: Missing): Answer =>
  error === 'none'
    ? { description: 'No hay: sin cuerpo, como en DolarApi.' }
    : json('No hay, como en el servicio de origen.', errorObject(), { error })

const values = (schema: z.ZodMiniType) => publicJson('Los valores.', schema)
const dollars = () => values(z.array(peerDollar()))
const oneDollar = () => values(peerDollar())
const days = () => values(z.array(peerDay()))
const oneDay = () => values(peerDay())
const oneCurrencyDay = () => values(peerCurrencyDay())
const oneIndex = () => values(peerIndex())
const indices = () => values(z.array(peerIndex()))
const groups = () => values(peerGroups())
const evolution = () => values(z.array(peerEvolution()))
const evolutionCsv = () =>
  publicText(
    'Los valores.',
    'text/csv',
    'day,type,value_buy,value_sell\n2026-03-02,Blue,1530.00,1550.00\n',
  )

const AMBITO = '/v1/ambito/dolares'
const CURRENCIES = '/v1/cotizaciones'
const RISK = '/v1/finanzas/indices/riesgo-pais'
const NO_DAY = 'Error: day not found'

/** Reads of the present, answered from the board. */
export const current = {
  dollars: read('peerDollars', '/v1/dolares', dollars, 'none'),
  dollar: read('peerDollar', '/v1/dolares/{casa}', oneDollar, 'none', ofCasa),
  ambitoDollars: read('peerAmbitoDollars', AMBITO, dollars, 'none'),
  ambitoDollar: read('peerAmbitoDollar', `${AMBITO}/{casa}`, oneDollar, 'none', ofAmbito),
  currencies: read('peerCurrencies', CURRENCIES, dollars, 'none'),
  currency: read('peerCurrency', `${CURRENCIES}/{moneda}`, oneDollar, 'none', ofMoneda),
  state: read('peerState', '/v1/estado', () => values(peerState()), null),
  lastRisk: read('peerLastRisk', `${RISK}/ultimo`, oneIndex, 'Not found'),
  latest: read('peerLatest', '/v2/latest', groups, NO_DAY),
}

const DOLLARS = `${CURRENCIES}/dolares`
const CASA_DAY = `${DOLLARS}/{casa}/{year}/{month}/{day}`
const MONEDA_DAY = `${CURRENCIES}/{moneda}/{year}/{month}/{day}`

/** Reads of the past: whole histories from the nightly files, single days from the database. */
export const past = {
  dollars: read('peerHistory', DOLLARS, days, 'Not found'),
  dollar: read('peerHistoryOf', `${DOLLARS}/{casa}`, days, 'Not found', ofCasa),
  dollarsOfDay: read('peerDay', `${DOLLARS}/{year}/{month}/{day}`, days, 'Not found', onDate),
  dollarOfDay: read('peerDayOf', CASA_DAY, oneDay, 'Not found', ofCasaOnDate),
  currencyOfDay: read('peerCurrencyDay', MONEDA_DAY, oneCurrencyDay, 'Not found', ofMonedaOnDate),
  risk: read('peerRisk', RISK, indices, 'Not found'),
  uva: read('peerUva', '/v1/finanzas/indices/uva', indices, 'Not found'),
  groupsOfDay: read('peerHistorical', '/v2/historical', groups, NO_DAY, onDay),
  evolution: read('peerEvolution', '/v2/evolution.json', evolution, NO_DAY, rows),
  evolutionCsv: read('peerEvolutionCsv', '/v2/evolution.csv', evolutionCsv, NO_DAY, rows),
}

export const compatibility = resource(
  'Direcciones compatibles',
  'Las direcciones de DolarApi, ArgentinaDatos y Bluelytics, para aplicaciones que ya las usan. Responden donde `COMPATIBILITY` está encendido.',
  [...Object.values(current), ...Object.values(past)],
)
