/** Every change of a pair, and its days as candles. */
import * as z from 'zod'
import { HISTORY_POINTS, MAX_HISTORY_POINTS } from '../limits.ts'
import { HISTORY_LIMIT, KEY_UNVERIFIED, QUOTE_NOT_FOUND } from '../sentences.ts'
import {
  gateUnavailable,
  orCsv,
  privateJson,
  privateRefusal,
  quotaExhausted,
  unauthorized,
} from './answers.ts'
import {
  argentineInstant,
  csvFormat,
  currency,
  day,
  ofPair,
  origin,
  pairName,
  requestedDay,
  valueType,
  wholeNumber,
} from './fields.ts'
import { type Answer, lazy, named, operation, type Resource } from './operation.ts'

export const historyPoint = lazy(() =>
  z
    .object({
      buy: z.number().nullable().describe('Precio de compra.'),
      sell: z.number().nullable().describe('Precio de venta o valor.'),
      createdAt: argentineInstant.describe('Desde cuándo rigió.'),
    })
    .describe('Un cambio de valor.')
    .register(named, { id: 'HistoryPoint' }),
)

export const candle = lazy(() =>
  z
    .object({
      date: day.describe('Día argentino.'),
      open: z.number().describe('Venta vigente al comenzar el día.'),
      high: z.number().describe('La más alta, contando `open`.'),
      low: z.number().describe('La más baja, contando `open`.'),
      close: z.number().describe('La última del día; hoy, la de ahora.'),
      buy: z.number().describe('La última compra del día.'),
    })
    .describe('Un día de un par.')
    .register(named, { id: 'Candle' }),
)

export const candles = lazy(() =>
  z
    .object({
      currency,
      name: pairName,
      origin,
      valueType,
      interval: z.literal('day'),
      points: z.array(candle()).max(MAX_HISTORY_POINTS).describe('Del más nuevo al más viejo.'),
    })
    .describe('Velas diarias de un par.')
    .register(named, { id: 'Candles' }),
)

const TAG = 'Historial'

const query = z.strictObject({
  from: requestedDay.optional().describe('Primer día argentino, inclusive.'),
  to: requestedDay.optional().describe('Último día argentino, inclusive.'),
  limit: wholeNumber(1, MAX_HISTORY_POINTS)
    .default(HISTORY_POINTS)
    .describe('Cuántos resultados como máximo.'),
  format: csvFormat,
})

interface Read {
  id: string
  path: string
  summary: string
  description: string
  ok: Answer
}

const read = ({ ok, ...described }: Read) =>
  operation({
    method: 'get',
    tag: TAG,
    key: true,
    params: ofPair,
    query,
    ...described,
    answers: {
      200: ok,
      400: privateRefusal(
        'Un parámetro no es válido, se repite o no existe, o `from` es posterior a `to`.',
        HISTORY_LIMIT,
      ),
      401: unauthorized,
      404: privateRefusal('El par no existe.', QUOTE_NOT_FOUND),
      429: quotaExhausted,
      503: gateUnavailable(KEY_UNVERIFIED),
    },
  })

export const listHistory = read({
  id: 'listHistory',
  path: '/api/v2/{currency}/{origin}/history',
  summary: 'Historial de un par',
  description: 'Cada cambio de valor, del más nuevo al más viejo.',
  ok: orCsv(
    privateJson('Los cambios.', () => z.array(historyPoint()), [
      { buy: 1410, sell: 1430, createdAt: '2026-03-02T11:55:00.000-03:00' },
    ]),
    'buy,sell,createdAt\r\n1410,1430,2026-03-02T11:55:00.000-03:00\r\n',
  ),
})

export const listCandles = read({
  id: 'listCandles',
  path: '/api/v2/history/{currency}/{origin}',
  summary: 'Velas diarias de un par',
  description:
    'Apertura, máximo, mínimo y cierre de la venta de cada día argentino, del más nuevo al más viejo. Un día sin cambios repite el valor; los anteriores al primer valor no están.',
  ok: orCsv(
    privateJson('Las velas.', candles, {
      currency: 'USD',
      name: 'Dólar Blue',
      origin: 'BLUE',
      valueType: 'money',
      interval: 'day',
      points: [{ date: '2026-03-02', open: 1400, high: 1435, low: 1400, close: 1430, buy: 1410 }],
    }),
    'date,open,high,low,close,buy\r\n2026-03-02,1400,1435,1400,1430,1410\r\n',
  ),
})

export const history: Resource = {
  tag: { name: TAG, description: 'Series de un par; con clave.' },
  operations: [listHistory, listCandles],
}
