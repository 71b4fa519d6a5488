import * as z from 'zod'
import { INVOICING_CURRENCIES, INVOICING_RULE } from '../../../../shared/market/invoicing.ts'
import {
  dateLimit,
  listOf,
  notModified,
  orCsv,
  publicJson,
  ref,
  refusal,
  unavailable,
} from '../responses.ts'
import type { Terms } from '../limits.ts'
import type { ApiResponse, Operation, Parameter } from '../openapi.ts'
import { format, ifNoneMatch } from '../parameters.ts'
import { argentineInstant, day } from '../schemas/common.ts'
import type { Extension } from './extension.ts'
import {
  CLOSE_UNKNOWN,
  CURRENCY_NOT_INVOICED,
  INVOICING_UNAVAILABLE,
} from '../../../../shared/sentences.ts'

const CODES = INVOICING_CURRENCIES.map(({ code }) => code)

export const rate = z
  .object({
    currency: z.enum(CODES).describe('Código ISO de la moneda.'),
    name: z.string().describe('Nombre de la moneda.'),
    date: day.describe('Fecha de emisión de la factura.'),
    rateDate: day
      .nullable()
      .describe('De qué día es la cotización; nulo si no hay registro anterior a la fecha.'),
    units: z
      .int()
      .min(1)
      .nullable()
      .describe('Por cuántas unidades de la moneda son los precios, como en la tabla del banco.'),
    buy: z.number().nullable().describe('Comprador divisa al cierre, en pesos por `units`.'),
    sell: z.number().nullable().describe('Vendedor divisa al cierre, en pesos por `units`.'),
    publishedAt: argentineInstant
      .nullable()
      .describe('La hora que dice la última tabla de ese día; nula si no la dice.'),
    source: z
      .enum(['bna-divisas', 'import'])
      .nullable()
      .describe('`bna-divisas`: la tabla del banco; `import`: un archivo del operador.'),
    rule: z.string().describe('La norma que pide este tipo de cambio.'),
    stale: z
      .boolean()
      .nullable()
      .describe(
        '`true` si falta la tabla del día hábil anterior y esta es de uno más viejo; nulo si no hay ninguna.',
      ),
  })
  .describe('El tipo de cambio que usa una factura en moneda extranjera.')

const example = {
  currency: 'USD',
  name: 'Dólar estadounidense',
  date: '2026-03-02',
  rateDate: '2026-02-27',
  units: 1,
  buy: 1451.5,
  sell: 1460.5,
  publishedAt: '2026-02-27T15:02:00.000-03:00',
  source: 'bna-divisas',
  rule: INVOICING_RULE,
  stale: false,
}

const EXAMPLE_CSV =
  'currency,name,date,rateDate,units,buy,sell,publishedAt,source,rule,stale\r\n' +
  `USD,Dólar estadounidense,2026-03-02,2026-02-27,1,1451.5,1460.5,2026-02-27T15:02:00.000-03:00,bna-divisas,"${INVOICING_RULE}",false\r\n`

const query: Parameter[] = [
  {
    name: 'date',
    in: 'query',
    description:
      'Fecha de emisión `AAAA-MM-DD`; sin ella, hoy. Mañana se puede pedir cuando el cierre de hoy ya se conoce.',
    schema: { type: 'string', format: 'date' },
  },
  format,
  ifNoneMatch,
]

const currency: Parameter = {
  name: 'currency',
  in: 'path',
  required: true,
  description: 'Código ISO de la moneda, en mayúsculas o minúsculas.',
  schema: { type: 'string', enum: CODES.map((code) => code.toLowerCase()) },
  example: 'usd',
}

/** The rate that an invoice must use. */
export const invoicingExtension: Extension = {
  tag: { name: 'Facturación', description: 'El tipo de cambio de las facturas en otra moneda.' },
  schemas: { InvoicingRate: rate },
  paths: (terms) => ({
    '/api/v2/invoicing': {
      get: read(terms, {
        operationId: 'listInvoicingRates',
        summary: 'Tipo de cambio para facturar, todas las monedas',
        path: [],
        ok: publicJson('Los tipos de cambio.', listOf('InvoicingRate'), [example]),
      }),
    },
    '/api/v2/invoicing/{currency}': {
      get: read(terms, {
        operationId: 'readInvoicingRate',
        summary: 'Tipo de cambio para facturar',
        path: [currency],
        ok: publicJson('El tipo de cambio.', ref('InvoicingRate'), example),
      }),
    },
  }),
}

function read(
  terms: Terms,
  described: { operationId: string; summary: string; path: Parameter[]; ok: ApiResponse },
): Operation {
  const { operationId, summary, path, ok } = described
  return {
    operationId,
    summary,
    description:
      'El vendedor "divisa" del Banco Nación al cierre del día hábil cambiario anterior a la emisión (RG 5616/2024), de cada moneda de su tabla mayorista. Días hábiles son los que tienen tabla; si falta la del día hábil anterior, `stale` lo dice. Cuenta como consulta por fecha. Es un dato, no un consejo impositivo.',
    tags: ['Facturación'],
    security: [],
    parameters: [...path, ...query],
    responses: {
      '200': orCsv(ok, EXAMPLE_CSV),
      '304': notModified,
      '400': refusal(
        'La fecha no es válida o su cotización todavía no se conoce, o hay otro parámetro.',
        CLOSE_UNKNOWN,
      ),
      ...(path.length > 0 && {
        '404': refusal('La tabla no tiene esa moneda.', CURRENCY_NOT_INVOICED),
      }),
      '429': dateLimit(terms),
      '503': unavailable('La base no responde por unos segundos.', INVOICING_UNAVAILABLE),
    },
  }
}
