/** Every change of a pair, and its days as candles. */
import * as z from 'zod/mini'
import { HISTORY_POINTS, MAX_HISTORY_POINTS } from '../limits.ts'
import { HISTORY_LIMIT, KEY_UNVERIFIED, QUOTE_NOT_FOUND } from '../sentences.ts'
import { gateRefusals, gateUnavailable, orCsv, privateJson, privateRefusal } from './answers.ts'
import * as field from './fields.ts'
import { doc, type Answer, named, operation, type Resource } from './operation.ts'

export const historyPoint = named('HistoryPoint', 'Un cambio de valor.', () => ({
  buy: field.price('Precio de compra.'),
  sell: field.price('Precio de venta o valor.'),
  createdAt: doc(field.argentineInstant(), 'Desde cuándo rigió.'),
}))

export const candle = named('Candle', 'Un día de un par.', () => ({
  date: doc(field.day(), 'Día argentino.'),
  open: doc(z.number(), 'Venta vigente al comenzar el día.'),
  high: doc(z.number(), 'La más alta, contando `open`.'),
  low: doc(z.number(), 'La más baja, contando `open`.'),
  close: doc(z.number(), 'La última del día; hoy, la de ahora.'),
  buy: doc(z.number(), 'La última compra del día.'),
}))

export const candles = named('Candles', 'Velas diarias de un par.', () => ({
  currency: field.currency(),
  name: field.pairName(),
  origin: field.origin(),
  valueType: field.valueType(),
  interval: z.literal('day'),
  points: doc(
    z.array(candle()).check(z.maxLength(MAX_HISTORY_POINTS)),
    'Del más nuevo al más viejo.',
  ),
}))

const examplePoint = { buy: 1410, sell: 1430, createdAt: '2026-03-02T11:55:00.000-03:00' }
const exampleCandle = {
  date: '2026-03-02',
  open: 1400,
  high: 1435,
  low: 1400,
  close: 1430,
  buy: 1410,
}

const TAG = 'Historial'

const query = () =>
  z.strictObject({
    from: doc(z.optional(field.requestedDay()), 'Primer día argentino, inclusive.'),
    to: doc(z.optional(field.requestedDay()), 'Último día argentino, inclusive.'),
    limit: doc(
      z._default(field.wholeNumber(1, MAX_HISTORY_POINTS), HISTORY_POINTS),
      'Cuántos resultados como máximo.',
    ),
    format: field.csvFormat(),
  })

interface Read {
  id: string
  path: string
  summary: string
  description: string
  ok: () => Answer
}

const read = ({ ok, ...described }: Read) =>
  operation({
    method: 'get',
    tag: TAG,
    key: true,
    params: field.ofPair,
    query,
    ...described,
    answers: (terms) => ({
      200: ok(),
      400: privateRefusal(
        'Un parámetro no es válido, se repite o no existe, o `from` es posterior a `to`.',
        HISTORY_LIMIT,
      ),
      404: privateRefusal('El par no existe.', QUOTE_NOT_FOUND),
      ...gateRefusals(terms),
      503: gateUnavailable(KEY_UNVERIFIED),
    }),
  })

export const listHistory = read({
  id: 'listHistory',
  path: '/api/v2/{currency}/{origin}/history',
  summary: 'Historial de un par',
  description: 'Cada cambio de valor, del más nuevo al más viejo.',
  ok: () =>
    orCsv(privateJson('Los cambios.', z.array(historyPoint()), [examplePoint]), [examplePoint]),
})

export const listCandles = read({
  id: 'listCandles',
  path: '/api/v2/history/{currency}/{origin}',
  summary: 'Velas diarias de un par',
  description:
    'Apertura, máximo, mínimo y cierre de la venta de cada día argentino, del más nuevo al más viejo. Un día sin cambios repite el valor; los anteriores al primer valor no están.',
  ok: () => {
    const pair = { currency: 'USD', name: 'Dólar Blue', origin: 'BLUE', valueType: 'money' }
    const example = { ...pair, interval: 'day', points: [exampleCandle] }
    return orCsv(privateJson('Las velas.', candles(), example), [exampleCandle])
  },
})

export const history: Resource = {
  tag: { name: TAG, description: 'Series de un par; con clave.' },
  operations: [listHistory, listCandles],
}
