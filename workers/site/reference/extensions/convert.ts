import * as z from 'zod'
import { ORIGINS } from '../../../../shared/market/catalog.ts'
import {
  AMOUNT,
  DEFAULT_DECIMALS,
  MAX_DECIMALS,
  MONEY_CODES,
  SIDES,
} from '../../../../shared/market/conversion.ts'
import { dateLimit, noData, notModified, orCsv, publicJson, ref, refusal } from '../responses.ts'
import type { Parameter } from '../openapi.ts'
import { dateQuery, format, ifNoneMatch } from '../parameters.ts'
import { argentineInstant, currency, origin, pairName } from '../schemas/common.ts'
import type { Extension } from './extension.ts'
import { QUOTE_NOT_FOUND, QUOTES_UNAVAILABLE, SAME_CURRENCY } from '../../../../shared/sentences.ts'

const codes = z.enum(MONEY_CODES)
const side = z.enum(SIDES)

const leg = z
  .object({
    currency,
    origin,
    name: pairName,
    operation: z.enum(['multiply', 'divide']).describe('Si el precio multiplica o divide.'),
    buy: z.number().nullable().describe('La compra vigente; nula si el par todavía no cotizaba.'),
    sell: z.number().nullable().describe('La venta vigente; nula si el par todavía no cotizaba.'),
    price: z.number().nullable().describe('El precio usado: el del lado pedido.'),
    quotedAt: argentineInstant.nullable().describe('Desde cuándo rige ese valor, hora argentina.'),
  })
  .describe('Un precio que entró en la cuenta.')

export const conversion = z
  .object({
    requestedAt: argentineInstant
      .nullable()
      .describe('El instante pedido; nulo si es la cotización actual.'),
    amount: z.number().describe('El monto pedido.'),
    from: codes.describe('De qué moneda.'),
    to: codes.describe('A qué moneda.'),
    origin,
    side: side.describe('El lado de los precios usados.'),
    decimals: z.int().min(0).max(MAX_DECIMALS).describe('Decimales del resultado.'),
    result: z
      .number()
      .nullable()
      .describe('El monto convertido; nulo si a esa fecha un par todavía no cotizaba.'),
    rounding: z
      .literal('half_away_from_zero')
      .describe('Un solo redondeo, al final: la mitad se aleja del cero.'),
    expression: z.string().nullable().describe('La cuenta, para rehacerla.'),
    legs: z.array(leg).min(1).max(2).describe('Los precios usados, en el orden de la cuenta.'),
  })
  .describe('Un monto convertido, con la cuenta que lo explica.')

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

const EXAMPLE_CSV =
  'requestedAt,amount,from,to,origin,side,result,decimals,expression\r\n,100,USD,ARS,BLUE,sell,143000,2,100 * 1430\r\n'

const code = (name: 'from' | 'to', description: string, example: string): Parameter => ({
  name,
  in: 'query',
  required: true,
  description,
  schema: { type: 'string', enum: MONEY_CODES },
  example,
})

const parameters: Parameter[] = [
  {
    name: 'amount',
    in: 'query',
    required: true,
    description: 'El monto: hasta 11 cifras, y hasta 4 decimales con punto; puede ser negativo.',
    schema: { type: 'string', pattern: AMOUNT },
    example: '100',
  },
  code('from', 'De qué moneda, en mayúsculas o minúsculas; `ARS` son pesos.', 'USD'),
  code(
    'to',
    'A qué moneda, otra que `from`. Entre dos extranjeras la cuenta pasa por pesos.',
    'ARS',
  ),
  {
    name: 'origin',
    in: 'query',
    description: 'El origen de los precios, el mismo para las dos monedas; sin él, `oficial`.',
    schema: { type: 'string', enum: ORIGINS.map((code) => code.toLowerCase()) },
    example: 'blue',
  },
  {
    name: 'side',
    in: 'query',
    description: 'Con qué precio: la venta, la compra o el promedio de las dos.',
    schema: { type: 'string', enum: SIDES, default: 'sell' },
  },
  {
    name: 'decimals',
    in: 'query',
    description: `Decimales del resultado; sin él, ${DEFAULT_DECIMALS}, o menos si así entra en 15 cifras.`,
    schema: { type: 'integer', minimum: 0, maximum: MAX_DECIMALS, default: DEFAULT_DECIMALS },
  },
  {
    name: 'date',
    in: 'query',
    description: 'Día argentino `AAAA-MM-DD`, no posterior a hoy; sin él, la cotización actual.',
    schema: { type: 'string', format: 'date' },
  },
  { ...dateQuery[0]!, description: `${dateQuery[0]!.description} Necesita \`date\`.` },
  format,
  ifNoneMatch,
]

/** An amount in another currency. */
export const convertExtension: Extension = {
  tag: { name: 'Convertir', description: 'Un monto en otra moneda, hoy o a una fecha.' },
  schemas: { Conversion: conversion, ConversionLeg: leg },
  paths: (terms) => ({
    '/api/v2/convert': {
      get: {
        operationId: 'convertAmount',
        summary: 'Convertir un monto',
        description:
          'Cuánto es un monto en otra moneda, con decimales exactos, un solo redondeo al final y los precios que entraron en la cuenta. Sin `date` usa la cotización actual y se puede guardar 60 segundos; con `date`, el valor vigente en ese instante, con el límite de las consultas por fecha. Otros parámetros son 400.',
        tags: ['Convertir'],
        security: [],
        parameters,
        responses: {
          '200': orCsv(publicJson('El monto convertido.', ref('Conversion'), example), EXAMPLE_CSV),
          '304': notModified,
          '400': refusal(
            'Un parámetro falta, no es válido, se repite o no existe, o el resultado con los decimales pedidos pasa de 15 cifras.',
            SAME_CURRENCY,
          ),
          '404': refusal('Una moneda no tiene ese origen, o todavía no cotizó.', QUOTE_NOT_FOUND),
          '429': dateLimit(terms),
          '503': noData(QUOTES_UNAVAILABLE),
        },
      },
    },
  }),
}
