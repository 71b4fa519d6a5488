import * as z from 'zod'
import { EVERY, SERIES_SIDES, SERIES_VALUES } from '../../../../shared/market/series.ts'
import {
  orCsv,
  privateJson,
  privateRefusal,
  quotaExhausted,
  ref,
  unauthorized,
  unavailable,
} from '../responses.ts'
import type { Parameter } from '../openapi.ts'
import { format } from '../parameters.ts'
import { currency, day, origin, pairName } from '../schemas/common.ts'
import { withKey } from '../security.ts'
import type { Extension } from './extension.ts'
import { DATES_ALONE, QUOTE_NOT_FOUND, SERIES_UNAVAILABLE } from '../../../../shared/sentences.ts'
import { MAX_SERIES_DATES } from '../../../../shared/limits.ts'

const price = z.number().nullable()

const summary = z
  .object({
    currency,
    origin,
    name: pairName,
    first: price.describe(
      'El valor del primer día que tiene uno, en cualquier orden que se hayan pedido.',
    ),
    firstDate: day.nullable().describe('Su día.'),
    last: price.describe('El último valor.'),
    lastDate: day.nullable().describe('Su día.'),
    change: price.describe('`last` menos `first`.'),
    percent: price.describe('La misma diferencia en por ciento, con 2 decimales.'),
    minimum: price.describe('El menor valor.'),
    minimumDate: day.nullable().describe('Su primer día.'),
    maximum: price.describe('El mayor valor.'),
    maximumDate: day.nullable().describe('Su primer día.'),
    average: price.describe('El promedio de las filas con valor, con los decimales del par.'),
  })
  .describe('Una columna en resumen; nulos si no tiene ningún valor.')

export const series = z
  .object({
    every: z.enum(EVERY).nullable().describe('Cada cuánto hay una fila; nulo con `dates`.'),
    value: z.enum(SERIES_VALUES).describe('Qué valor de cada período.'),
    side: z.enum(SERIES_SIDES).describe('De qué lado.'),
    columns: z.array(z.string()).min(2).describe('`date` y los pares, en el orden pedido.'),
    rows: z
      .array(z.tuple([day], z.number().nullable()))
      .describe('Por fecha, el último día del período y un valor por par; nulo antes del primero.'),
    summary: z.array(summary).optional().describe('Con `summary=1`, uno por par.'),
  })
  .describe('Una fila por fecha y una columna por par.')

const example = {
  every: 'day',
  value: 'close',
  side: 'sell',
  columns: ['date', 'USD/BLUE', 'USD/OFICIAL'],
  rows: [
    ['2026-03-01', 1420, 1445],
    ['2026-03-02', 1430, 1450.5],
  ],
}

const EXAMPLE_CSV =
  'date,USD/BLUE,USD/OFICIAL\r\n2026-03-01,1420,1445\r\n2026-03-02,1430,1450.5\r\n'

const DAY = '\\d{4}-\\d{2}-\\d{2}'

const parameters: Parameter[] = [
  {
    name: 'pairs',
    in: 'query',
    required: true,
    description: 'Los pares, hasta 19.',
    schema: {
      type: 'string',
      pattern: '^[A-Za-z]{1,10}/[A-Za-z]{1,10}(,[A-Za-z]{1,10}/[A-Za-z]{1,10}){0,18}$',
    },
    example: 'usd/blue,usd/oficial',
  },
  {
    name: 'from',
    in: 'query',
    description: 'Primer día argentino; sin él, un año antes de `to`. Hasta diez años.',
    schema: { type: 'string', format: 'date' },
  },
  {
    name: 'to',
    in: 'query',
    description: 'Último día argentino, inclusive, no posterior a hoy; sin él, hoy.',
    schema: { type: 'string', format: 'date' },
  },
  {
    name: 'every',
    in: 'query',
    description: 'Una fila por día, por semana (de lunes a domingo) o por mes.',
    schema: { type: 'string', enum: EVERY, default: 'day' },
  },
  {
    name: 'dates',
    in: 'query',
    description: `En vez de un rango, hasta ${MAX_SERIES_DATES} días separados por comas, en cualquier orden.`,
    schema: { type: 'string', pattern: `^${DAY}(,${DAY}){0,499}$` },
  },
  {
    name: 'value',
    in: 'query',
    description:
      'El valor al final del período, al principio, el mayor, el menor, o el promedio de los cierres de sus días.',
    schema: { type: 'string', enum: SERIES_VALUES, default: 'close' },
  },
  {
    name: 'side',
    in: 'query',
    description: 'La venta o la compra.',
    schema: { type: 'string', enum: SERIES_SIDES, default: 'sell' },
  },
  {
    name: 'summary',
    in: 'query',
    description: '`1` agrega un resumen por par; en CSV, el resumen es la respuesta.',
    schema: { type: 'string', enum: ['1'] },
  },
  format,
]

/** Many pairs and many days in one call. */
export const seriesExtension: Extension = {
  tag: { name: 'Series', description: 'Muchos pares y muchos días en un pedido; con clave.' },
  schemas: { Series: series, SeriesSummary: summary },
  paths: () => ({
    '/api/v2/series': {
      get: {
        operationId: 'readSeries',
        summary: 'Series de varios pares',
        description:
          'Una fila por fecha y una columna por par, hasta 19 pares y diez años. Un día sin cambios repite el valor, como la consulta por fecha; el de hoy llega hasta ahora. El CSV llega en partes, a medida que se lo lee. Otros parámetros son 400.',
        tags: ['Series'],
        security: withKey,
        parameters,
        responses: {
          '200': orCsv(privateJson('La tabla.', ref('Series'), example), EXAMPLE_CSV),
          '400': privateRefusal(
            'Un parámetro falta, no es válido, se repite, no existe o no se combina con otro.',
            DATES_ALONE,
          ),
          '401': unauthorized,
          '404': privateRefusal('Un par no existe.', QUOTE_NOT_FOUND),
          '429': quotaExhausted,
          '503': unavailable(
            'La clave no se puede verificar ahora, la base no responde, o se agotó la capacidad diaria.',
            SERIES_UNAVAILABLE,
          ),
        },
      },
    },
  }),
}
