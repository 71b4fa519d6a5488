/** Conversion of an amount into another currency. */
import * as z from 'zod/mini'
import { CURRENCIES, ORIGINS } from '../market/catalog.ts'
import { QUOTE_NOT_FOUND, QUOTES_UNAVAILABLE, SAME_CURRENCY } from '../sentences.ts'
import { dateLimit, noData, notModified, orCsv, publicJson, refusal } from './answers.ts'
import * as field from './fields.ts'
import { doc, named, operation, resource } from './operation.ts'

export const PESOS = 'ARS'
const MONEY_CODES = [PESOS, ...CURRENCIES.filter((currency) => currency !== 'ARG')]
export const CONVERSION_SIDES = ['sell', 'buy', 'mid'] as const
const MAX_DECIMALS = 8
export const DEFAULT_DECIMALS = 2
/** At most 15 digits, which a JSON number keeps exactly. */
const AMOUNT = /^-?\d{1,11}(\.\d{1,4})?$/
/** The columns of a conversion as CSV. */
export const CONVERSION_COLUMNS = [
  'requestedAt',
  'amount',
  'from',
  'to',
  'origin',
  'side',
  'result',
  'decimals',
  'expression',
] as const

const leg = named('ConversionLeg', 'Un precio que entró en la cuenta.', () => ({
  currency: field.currency(),
  origin: field.origin(),
  name: field.pairName(),
  operation: doc(z.enum(['multiply', 'divide']), 'Si el precio multiplica o divide.'),
  buy: field.price('La compra vigente; nula si el par todavía no cotizaba.', 1410),
  sell: field.price('La venta vigente; nula si el par todavía no cotizaba.', 1430),
  price: field.price('El precio usado: el del lado pedido.', 1430),
  quotedAt: doc(z.nullable(field.argentineInstant()), 'Desde cuándo rige ese valor.'),
}))

export const conversion = named(
  'Conversion',
  'Un monto convertido, con la cuenta que lo explica.',
  () => ({
    requestedAt: doc(z.nullable(field.argentineInstant()), 'El pedido; nulo si es ahora.', null),
    amount: doc(z.number(), 'El monto pedido.', 100),
    from: doc(z.enum(MONEY_CODES), 'De qué moneda.', 'USD'),
    to: doc(z.enum(MONEY_CODES), 'A qué moneda.'),
    origin: field.origin(),
    side: doc(z.enum(CONVERSION_SIDES), 'El lado de los precios usados.'),
    decimals: doc(field.wholeNumber(0), 'Decimales del resultado.', 2),
    result: field.price('El monto convertido; nulo si un par todavía no cotizaba.', 143000),
    rounding: doc(z.literal('half_away_from_zero'), 'Uno, al final: la mitad se aleja del cero.'),
    expression: doc(z.nullable(z.string()), 'La cuenta, para rehacerla.', '100 * 1430'),
    legs: doc(z.array(leg()).check(z.minLength(1), z.maxLength(2)), 'En el orden de la cuenta.'),
  }),
)

export const convertAmount = operation({
  id: 'convertAmount',
  method: 'get',
  path: '/api/v2/convert',
  summary: 'Convertir un monto',
  description:
    'Cuánto es un monto en otra moneda, con decimales exactos, un solo redondeo al final y los precios que entraron en la cuenta. Sin `date` usa la cotización actual y se puede guardar 60 segundos; con `date`, el valor vigente en ese instante, con el límite de las consultas por fecha. Otros parámetros son 400.',
  query: () =>
    z.strictObject({
      amount: doc(
        z.pipe(
          z.union([z.string(), z.pipe(z.number(), z.transform(String))]),
          z.string().check(z.regex(AMOUNT)),
        ),
        'El monto: hasta 11 cifras, y hasta 4 decimales con punto; puede ser negativo.',
        '100',
      ),
      from: doc(field.codes(MONEY_CODES), 'De qué moneda; `ars` son pesos.', 'usd'),
      to: doc(field.codes(MONEY_CODES), 'A cuál otra; entre dos extranjeras, por pesos.', 'ars'),
      origin: doc(z.optional(field.codes(ORIGINS)), 'De los precios; sin él, `oficial`.', 'blue'),
      side: doc(z._default(z.enum(CONVERSION_SIDES), 'sell'), 'La venta, la compra o su promedio.'),
      decimals: doc(
        z.optional(field.wholeNumberInQuery(0, MAX_DECIMALS)),
        `Decimales del resultado; sin él, ${DEFAULT_DECIMALS}, más si así quedan dos cifras significativas, o menos si así entra en 15.`,
      ),
      date: doc(
        z.optional(z.string()),
        'Día argentino `AAAA-MM-DD`, no posterior a hoy; sin él, la cotización actual.',
        undefined,
        { format: 'date' },
      ),
      time: field.timeOfDay(' Necesita `date`.'),
      format: field.csvFormat(),
    }),
  headers: field.ifNoneMatch,
  tool: {
    name: 'convert_amount',
    title: 'Convertir un monto',
    description:
      'Cuánto es un monto en otra moneda, con la cuenta exacta: entre pesos (ars) y usd, eur, brl, clp o uyu, o entre dos de ellas.',
  },
  answers: (deployment) => ({
    200: orCsv(publicJson('El monto convertido.', conversion()), undefined, CONVERSION_COLUMNS),
    304: notModified,
    400: refusal(
      'Un parámetro falta, no es válido, se repite o no existe, o el resultado con los decimales pedidos pasa de 15 cifras.',
      SAME_CURRENCY,
    ),
    404: refusal('Una moneda no tiene ese origen, o todavía no cotizó.', QUOTE_NOT_FOUND),
    429: dateLimit(deployment),
    503: noData(QUOTES_UNAVAILABLE),
  }),
})

export const convert = resource('Convertir', 'Un monto en otra moneda, hoy o a una fecha.', [
  convertAmount,
])
