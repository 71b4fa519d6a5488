/** Many pairs and many days in one call. */
import * as z from 'zod/mini'
import { MAX_SERIES_DATES } from '../limits.ts'
import { PAIRS } from '../market/catalog.ts'
import { DATES_ALONE, QUOTE_NOT_FOUND, SERIES_UNAVAILABLE } from '../sentences.ts'
import { gateRefusals, orCsv, privateJson, privateRefusal } from './answers.ts'
import { csvFormat, currency, day, origin, pairName, requestedDay } from './fields.ts'
import { doc, named, operation, resource } from './operation.ts'

export const EVERY = ['day', 'week', 'month'] as const
export const SERIES_VALUES = ['close', 'open', 'high', 'low', 'average'] as const
export const SERIES_SIDES = ['sell', 'buy'] as const

const price = () => z.nullable(z.number())
const dayOfPrice = () => z.nullable(day())

const summary = named(
  'SeriesSummary',
  'Una columna en resumen; nulos si no tiene ningún valor.',
  () => ({
    currency: currency(),
    origin: origin(),
    name: pairName(),
    first: doc(price(), 'El valor del primer día que tiene uno, en orden de fecha.'),
    firstDate: doc(dayOfPrice(), 'Su día.'),
    last: doc(price(), 'El último valor.'),
    lastDate: doc(dayOfPrice(), 'Su día.'),
    change: doc(price(), '`last` menos `first`.'),
    percent: doc(price(), 'La misma diferencia en por ciento, con 2 decimales.'),
    minimum: doc(price(), 'El menor valor.'),
    minimumDate: doc(dayOfPrice(), 'Su primer día.'),
    maximum: doc(price(), 'El mayor valor.'),
    maximumDate: doc(dayOfPrice(), 'Su primer día.'),
    average: doc(price(), 'El promedio de las filas con valor, con los decimales del par.'),
  }),
)

const ROWS = [
  ['2026-03-01', 1420, 1445],
  ['2026-03-02', 1430, 1450.5],
]

export const seriesTable = named('Series', 'Una fila por fecha y una columna por par.', () => ({
  every: doc(z.nullable(z.enum(EVERY)), 'Cada cuánto hay una fila; nulo con `dates`.'),
  value: doc(z.enum(SERIES_VALUES), 'Qué valor de cada período.'),
  side: doc(z.enum(SERIES_SIDES), 'De qué lado.'),
  columns: doc(
    z.array(z.string()).check(z.minLength(2)),
    '`date` y los pares, en el orden pedido.',
    ['date', 'USD/BLUE', 'USD/OFICIAL'],
  ),
  rows: doc(
    z.array(z.tuple([day()], z.nullable(z.number()))),
    'Por fecha, el último día del período y un valor por par; nulo antes del primero.',
    ROWS,
  ),
  summary: doc(z.optional(z.array(summary())), 'Con `summary=1`, uno por par.'),
}))

const DAY = '\\d{4}-\\d{2}-\\d{2}'

export const readSeries = operation({
  id: 'readSeries',
  method: 'get',
  path: '/api/v2/series',
  key: true,
  summary: 'Series de varios pares',
  description: `Una fila por fecha y una columna por par, hasta ${PAIRS.length} pares y diez años. Un día sin cambios repite el valor, como la consulta por fecha; el de hoy llega hasta ahora. El CSV llega en partes, a medida que se lo lee. Otros parámetros son 400.`,
  query: () =>
    z.strictObject({
      pairs: doc(z.string(), `Los pares, hasta ${PAIRS.length}.`, 'usd/blue,usd/oficial', {
        pattern: `^[A-Za-z]{1,10}/[A-Za-z]{1,10}(,[A-Za-z]{1,10}/[A-Za-z]{1,10}){0,${PAIRS.length - 1}}$`,
      }),
      from: doc(z.optional(requestedDay()), 'Primer día; sin él, un año antes de `to`.'),
      to: doc(z.optional(requestedDay()), 'Último día, hasta hoy; sin él, hoy.'),
      every: doc(
        z.optional(z.enum(EVERY)),
        'Una fila por día, por semana (de lunes a domingo) o por mes.',
        undefined,
        { default: 'day' },
      ),
      dates: doc(
        z.optional(z.string()),
        `En vez de un rango, hasta ${MAX_SERIES_DATES} días separados por comas, en cualquier orden.`,
        undefined,
        { pattern: `^${DAY}(,${DAY}){0,${MAX_SERIES_DATES - 1}}$` },
      ),
      value: doc(
        z._default(z.enum(SERIES_VALUES), 'close'),
        'El valor al final del período, al principio, el mayor, el menor, o el promedio de los cierres de sus días.',
      ),
      side: doc(z._default(z.enum(SERIES_SIDES), 'sell'), 'La venta o la compra.'),
      summary: doc(z.optional(z.enum(['1'])), '`1` agrega un resumen por par; en CSV, solo ese.'),
      format: csvFormat(),
    }),
  answers: (deployment) => ({
    200: orCsv(privateJson('La tabla.', seriesTable()), csvRows()),
    400: privateRefusal('Un parámetro falta, no vale, se repite o no va con otro.', DATES_ALONE),
    404: privateRefusal('Un par no existe.', QUOTE_NOT_FOUND),
    ...gateRefusals(deployment, SERIES_UNAVAILABLE),
  }),
})

const csvRows = () =>
  ROWS.map(([date, blue, official]) => ({ date, 'USD/BLUE': blue, 'USD/OFICIAL': official }))

export const series = resource('Series', 'Muchos pares y muchos días en un pedido; con clave.', [
  readSeries,
])
