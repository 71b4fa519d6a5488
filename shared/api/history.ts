/** Every change of a pair, and its days as candles. */
import * as z from 'zod/mini'
import { HISTORY_POINTS, MAX_HISTORY_POINTS } from '../limits.ts'
import { HISTORY_LIMIT, KEY_UNVERIFIED, QUOTE_NOT_FOUND } from '../sentences.ts'
import { gateRefusals, orCsv, privateJson, privateRefusal } from './answers.ts'
import * as field from './fields.ts'
import { doc, exampleOf, named, operation, type Read, resource } from './operation.ts'

export const historyPoint = named('HistoryPoint', 'Un cambio de valor.', () => ({
  buy: field.price('Precio de compra.', 1410),
  sell: field.price('Precio de venta o valor.', 1430),
  createdAt: doc(field.argentineInstant(), 'Desde cuándo rigió.'),
}))

export const candle = named('Candle', 'Un día de un par.', () => ({
  date: doc(field.day(), 'Día argentino.'),
  open: doc(z.number(), 'Venta vigente al comenzar el día.', 1400),
  high: doc(z.number(), 'La más alta, contando `open`.', 1435),
  low: doc(z.number(), 'La más baja, contando `open`.', 1400),
  close: doc(z.number(), 'La última del día; hoy, la de ahora.', 1430),
  buy: doc(z.number(), 'La última compra del día.', 1410),
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

const query = () =>
  z.strictObject({
    from: doc(z.optional(field.requestedDay()), 'Primer día argentino, inclusive.'),
    to: doc(z.optional(field.requestedDay()), 'Último día argentino, inclusive.'),
    limit: doc(
      z._default(field.wholeNumberInQuery(1, MAX_HISTORY_POINTS), HISTORY_POINTS),
      'Cuántos resultados como máximo.',
    ),
    format: field.csvFormat(),
  })

const read = ({ ok, ...described }: Omit<Read, 'params'> & { description: string }) =>
  operation({
    method: 'get',
    key: true,
    params: field.ofPair,
    query,
    ...described,
    answers: (deployment) => ({
      200: ok(),
      400: privateRefusal(
        'Un parámetro no vale, se repite o no existe, o `from` es posterior a `to`.',
        HISTORY_LIMIT,
      ),
      404: privateRefusal('El par no existe.', QUOTE_NOT_FOUND),
      ...gateRefusals(deployment, KEY_UNVERIFIED),
    }),
  })

export const listHistory = read({
  id: 'listHistory',
  path: '/api/v2/{currency}/{origin}/history',
  summary: 'Historial de un par',
  description: 'Cada cambio de valor, del más nuevo al más viejo.',
  ok: () => orCsv(privateJson('Los cambios.', z.array(historyPoint()))),
})

export const listCandles = read({
  id: 'listCandles',
  path: '/api/v2/history/{currency}/{origin}',
  summary: 'Velas diarias de un par',
  description:
    'Apertura, máximo, mínimo y cierre de la venta de cada día argentino, del más nuevo al más viejo. Un día sin cambios repite el valor; los anteriores al primer valor no están.',
  ok: () => orCsv(privateJson('Las velas.', candles()), [exampleOf(candle())]),
})

export const history = resource('Historial', 'Series de un par; con clave.', [
  listHistory,
  listCandles,
])
