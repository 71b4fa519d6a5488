/** Reads as of a date: all pairs, the pairs of a currency, one pair. */
import * as z from 'zod/mini'
import { DATE_AHEAD, QUOTE_NOT_FOUND, QUOTES_UNAVAILABLE } from '../sentences.ts'
import { dateLimit, noDatabase, notModified, orCsv, publicJson, refusal } from './answers.ts'
import * as field from './fields.ts'
import { doc, named, operation, type Read, resource } from './operation.ts'

export const datedQuote = named(
  'DatedQuote',
  'El valor vigente en el instante pedido, nunca uno posterior.',
  () => ({
    requestedAt: doc(
      field.argentineInstant(),
      'Instante pedido; sin `time`, el fin del día.',
      '2026-03-02T23:59:59.999-03:00',
    ),
    currency: field.currency(),
    name: field.pairName(),
    origin: field.origin(),
    buy: field.price('`null` si el par todavía no cotizaba, o si el valor supera `max_age`.', 1410),
    sell: field.price('`null` en los mismos casos que `buy`.', 1430),
    valueType: field.valueType(),
    quotedAt: doc(z.nullable(field.argentineInstant()), 'Instante del valor vigente.'),
    sameDay: doc(z.boolean(), 'Si `quotedAt` es del mismo día argentino que el pedido.'),
    daysStale: doc(z.nullable(z.int()), 'Días argentinos de antigüedad del valor.', 0),
    ageSeconds: doc(z.nullable(z.int()), 'Antigüedad del valor en segundos.', 43499),
  }),
)

const query = () =>
  z.strictObject({
    time: field.timeOfDay(),
    max_age: doc(
      z.optional(field.wholeNumberInQuery(0, undefined, /^\d+$/)),
      'Antigüedad máxima aceptada, en segundos; un valor más viejo vuelve con `buy` y `sell` nulos.',
    ),
    format: field.csvFormat(),
  })

const read = <Params extends z.ZodMiniObject>({
  what,
  ok,
  ...described
}: Read<Params> & { what: string }) =>
  operation({
    method: 'get',
    description: `${what} Es el último en o antes del instante pedido, nunca uno posterior; un par que todavía no cotizaba vuelve con nulos. Un día cerrado se puede guardar 24 horas; hoy, 60 segundos. Otros parámetros son 400.`,
    query,
    headers: field.ifNoneMatch,
    ...described,
    answers: (deployment) => ({
      200: orCsv(ok()),
      304: notModified,
      400: refusal('Un valor no es válido, la fecha es futura, o hay otro parámetro.', DATE_AHEAD),
      ...(described.path.includes('{currency}') && {
        404: refusal('La moneda o el par no existe.', QUOTE_NOT_FOUND),
      }),
      429: dateLimit(deployment),
      503: noDatabase(QUOTES_UNAVAILABLE),
    }),
  })

const list = () => publicJson('Los valores.', z.array(datedQuote()))

export const listQuotesAsOf = read({
  id: 'listQuotesAsOf',
  path: '/api/v2/date/{date}',
  params: field.onDate,
  summary: 'Todos los pares a una fecha',
  what: 'Los valores vigentes de todos los pares, en el orden del catálogo.',
  ok: list,
})

export const listQuotesOfCurrencyAsOf = read({
  id: 'listQuotesOfCurrencyAsOf',
  path: '/api/v2/date/{date}/{currency}',
  params: field.ofCurrencyOnDate,
  summary: 'Una moneda a una fecha',
  what: 'Los valores vigentes de los pares de la moneda, en el orden del catálogo.',
  ok: list,
})

export const readQuoteAsOf = read({
  id: 'readQuoteAsOf',
  path: '/api/v2/date/{date}/{currency}/{origin}',
  params: field.ofPairOnDate,
  summary: 'Un par a una fecha',
  what: 'El valor vigente del par.',
  tool: {
    name: 'quote_at_date',
    title: 'Cotización a una fecha',
    description:
      'Valor de una moneda/origen en una fecha pasada: el que regía en ese momento, nunca uno posterior. Sin origen, los de la moneda.',
  },
  ok: () => publicJson('El valor.', datedQuote()),
})

export const dates = resource('Por fecha', 'Los valores vigentes en cualquier instante pasado.', [
  listQuotesAsOf,
  listQuotesOfCurrencyAsOf,
  readQuoteAsOf,
])
