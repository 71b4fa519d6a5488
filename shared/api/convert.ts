/** An amount in another currency. */
import * as z from 'zod'
import { ORIGINS } from '../market/catalog.ts'
import {
  AMOUNT,
  CONVERSION_FIELDS,
  DEFAULT_DECIMALS,
  MAX_DECIMALS,
  MONEY_CODES,
  SIDES,
} from '../market/conversion.ts'
import { QUOTE_NOT_FOUND, QUOTES_UNAVAILABLE, SAME_CURRENCY } from '../sentences.ts'
import { dateLimit, noData, notModified, orCsv, publicJson, refusal } from './answers.ts'
import {
  argentineInstant,
  codes,
  csvFormat,
  currency,
  ifNoneMatch,
  origin,
  pairName,
  timeOfDay,
  wholeNumber,
} from './fields.ts'
import { named, operation, type Resource } from './operation.ts'

const TAG = 'Convertir'

const leg = named('ConversionLeg', 'Un precio que entró en la cuenta.', () => ({
  currency: currency(),
  origin: origin(),
  name: pairName(),
  operation: z.enum(['multiply', 'divide']).describe('Si el precio multiplica o divide.'),
  buy: z.number().nullable().describe('La compra vigente; nula si el par todavía no cotizaba.'),
  sell: z.number().nullable().describe('La venta vigente; nula si el par todavía no cotizaba.'),
  price: z.number().nullable().describe('El precio usado: el del lado pedido.'),
  quotedAt: argentineInstant().nullable().describe('Desde cuándo rige ese valor, hora argentina.'),
}))

export const conversion = named(
  'Conversion',
  'Un monto convertido, con la cuenta que lo explica.',
  () => ({
    requestedAt: argentineInstant()
      .nullable()
      .describe('El instante pedido; nulo si es la cotización actual.'),
    amount: z.number().describe('El monto pedido.'),
    from: z.enum(MONEY_CODES).describe('De qué moneda.'),
    to: z.enum(MONEY_CODES).describe('A qué moneda.'),
    origin: origin(),
    side: z.enum(SIDES).describe('El lado de los precios usados.'),
    decimals: z.int().min(0).describe('Decimales del resultado.'),
    result: z
      .number()
      .nullable()
      .describe('El monto convertido; nulo si a esa fecha un par todavía no cotizaba.'),
    rounding: z
      .literal('half_away_from_zero')
      .describe('Un solo redondeo, al final: la mitad se aleja del cero.'),
    expression: z.string().nullable().describe('La cuenta, para rehacerla.'),
    legs: z.array(leg()).min(1).max(2).describe('Los precios usados, en el orden de la cuenta.'),
  }),
)

const example = {
  requestedAt: null,
  amount: 100,
  from: 'USD',
  to: 'ARS',
  origin: 'BLUE',
  side: 'sell',
  decimals: 2,
  result: 143000,
  rounding: 'half_away_from_zero',
  expression: '100 * 1430',
  legs: [
    {
      currency: 'USD',
      origin: 'BLUE',
      name: 'Dólar Blue',
      operation: 'multiply',
      buy: 1410,
      sell: 1430,
      price: 1430,
      quotedAt: '2026-03-02T11:55:00.000-03:00',
    },
  ],
}
export const convertAmount = operation({
  id: 'convertAmount',
  method: 'get',
  path: '/api/v2/convert',
  tag: TAG,
  summary: 'Convertir un monto',
  description:
    'Cuánto es un monto en otra moneda, con decimales exactos, un solo redondeo al final y los precios que entraron en la cuenta. Sin `date` usa la cotización actual y se puede guardar 60 segundos; con `date`, el valor vigente en ese instante, con el límite de las consultas por fecha. Otros parámetros son 400.',
  query: () =>
    z.strictObject({
      amount: z
        .union([z.string(), z.number().transform(String)])
        .pipe(z.string().regex(new RegExp(AMOUNT)))
        .describe('El monto: hasta 11 cifras, y hasta 4 decimales con punto; puede ser negativo.')
        .meta({ example: '100' }),
      from: codes(MONEY_CODES)
        .describe('De qué moneda, en mayúsculas o minúsculas; `ars` son pesos.')
        .meta({ example: 'usd' }),
      to: codes(MONEY_CODES)
        .describe('A qué moneda, otra que `from`. Entre dos extranjeras la cuenta pasa por pesos.')
        .meta({ example: 'ars' }),
      origin: codes(ORIGINS)
        .optional()
        .describe('El origen de los precios, el mismo para las dos monedas; sin él, `oficial`.')
        .meta({ example: 'blue' }),
      side: z
        .enum(SIDES)
        .default('sell')
        .describe('Con qué precio: la venta, la compra o el promedio de las dos.'),
      decimals: wholeNumber(0, MAX_DECIMALS)
        .optional()
        .describe(
          `Decimales del resultado; sin él, ${DEFAULT_DECIMALS}, más si así quedan dos cifras significativas, o menos si así entra en 15.`,
        ),
      date: z
        .string()
        .optional()
        .describe('Día argentino `AAAA-MM-DD`, no posterior a hoy; sin él, la cotización actual.')
        .meta({ format: 'date' }),
      time: timeOfDay(' Necesita `date`.'),
      format: csvFormat(),
    }),
  headers: ifNoneMatch,
  tool: {
    name: 'convert_amount',
    title: 'Convertir un monto',
    description:
      'Cuánto es un monto en otra moneda, con la cuenta exacta: entre pesos (ars) y usd, eur, brl, clp o uyu, o entre dos de ellas.',
  },
  answers: (terms) => ({
    200: orCsv(
      publicJson('El monto convertido.', conversion(), example),
      [example],
      CONVERSION_FIELDS,
    ),
    304: notModified,
    400: refusal(
      'Un parámetro falta, no es válido, se repite o no existe, o el resultado con los decimales pedidos pasa de 15 cifras.',
      SAME_CURRENCY,
    ),
    404: refusal('Una moneda no tiene ese origen, o todavía no cotizó.', QUOTE_NOT_FOUND),
    429: dateLimit(terms),
    503: noData(QUOTES_UNAVAILABLE),
  }),
})

export const convert: Resource = {
  tag: { name: TAG, description: 'Un monto en otra moneda, hoy o a una fecha.' },
  operations: [convertAmount],
}
