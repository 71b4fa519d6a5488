/** The rate that an invoice in a foreign currency must use. */
import * as z from 'zod/mini'
import { INVOICING_CURRENCIES, INVOICING_RULE } from '../market/invoicing.ts'
import { CLOSE_UNKNOWN, CURRENCY_NOT_INVOICED, INVOICING_UNAVAILABLE } from '../sentences.ts'
import { dateLimit, noDatabase, notModified, orCsv, publicJson, refusal } from './answers.ts'
import * as field from './fields.ts'
import { type Answer, doc, named, operation, type Read, resource } from './operation.ts'

const CODES = INVOICING_CURRENCIES.map(({ code }) => code)

export const invoicingRate = named(
  'InvoicingRate',
  'El tipo de cambio que usa una factura en moneda extranjera.',
  () => ({
    currency: doc(z.enum(CODES), 'Código ISO de la moneda.'),
    name: doc(z.string(), 'Nombre de la moneda.', 'Dólar estadounidense'),
    date: doc(field.day(), 'Fecha de emisión de la factura.'),
    rateDate: doc(
      z.nullable(field.day()),
      'El día de la cotización; nulo si no hay.',
      '2026-02-27',
    ),
    units: doc(z.nullable(field.wholeNumber(1)), 'Por cuántas unidades son los precios.', 1),
    buy: field.price('Comprador divisa al cierre, en pesos por `units`.', 1451.5),
    sell: field.price('Vendedor divisa al cierre, en pesos por `units`.', 1460.5),
    publishedAt: doc(
      z.nullable(field.argentineInstant()),
      'La hora que dice la última tabla de ese día; nula si no la dice.',
      '2026-02-27T15:02:00.000-03:00',
    ),
    source: doc(
      z.nullable(z.enum(['bna-divisas', 'import'])),
      '`bna-divisas`: la tabla del banco; `import`: un archivo del operador.',
    ),
    rule: doc(z.string(), 'La norma que pide este tipo de cambio.', INVOICING_RULE),
    stale: doc(z.nullable(z.boolean()), 'Si falta la tabla del día hábil anterior.', false),
  }),
)

const read = <Params extends z.ZodMiniObject>({ ok, ...described }: Read<Params>) => {
  const ofOne = described.params !== undefined
  return operation({
    method: 'get',
    description:
      'El vendedor "divisa" del Banco Nación al cierre del día hábil cambiario anterior a la emisión (RG 5616/2024), de cada moneda de su tabla mayorista. Días hábiles son los que tienen tabla; si falta la del día hábil anterior, `stale` lo dice. Cuenta como consulta por fecha. Es un dato, no un consejo impositivo.',
    query: () =>
      z.strictObject({
        date: doc(
          z.optional(field.requestedDay()),
          'Fecha de emisión `AAAA-MM-DD`; sin ella, hoy. Mañana se puede pedir cuando el cierre de hoy ya se conoce.',
        ),
        format: ofOne
          ? doc(
              z.optional(z.enum(['csv', 'value'])),
              '`csv`: una tabla con encabezado; `value`: un número solo, la venta.',
            )
          : field.csvFormat(),
      }),
    headers: field.ifNoneMatch,
    ...described,
    answers: (deployment) => ({
      200: ofOne ? orNumber(orCsv(ok())) : orCsv(ok()),
      304: notModified,
      400: refusal('La fecha no vale o su cierre no se conoce, u otro parámetro.', CLOSE_UNKNOWN),
      ...(ofOne && {
        404: refusal('La tabla no tiene esa moneda.', CURRENCY_NOT_INVOICED),
      }),
      429: dateLimit(deployment),
      503: noDatabase(INVOICING_UNAVAILABLE),
    }),
  })
}

/** Adds the answer of `format=value`: the number alone, or an empty text without a known rate. */
const orNumber = (answer: Answer): Answer => ({
  ...answer,
  content: { ...answer.content, 'text/plain': { schema: z.string(), example: '1460.5' } },
})

export const listInvoicingRates = read({
  id: 'listInvoicingRates',
  path: '/api/v2/invoicing',
  summary: 'Tipo de cambio para facturar, todas las monedas',
  ok: () => publicJson('Los tipos de cambio.', z.array(invoicingRate())),
})

export const readInvoicingRate = read({
  id: 'readInvoicingRate',
  path: '/api/v2/invoicing/{currency}',
  summary: 'Tipo de cambio para facturar',
  params: () =>
    z.object({
      currency: doc(field.codes(CODES), 'Código ISO, en mayúsculas o minúsculas.', 'usd'),
    }),
  notFoundText: CURRENCY_NOT_INVOICED,
  tool: {
    name: 'invoicing_rate',
    title: 'Tipo de cambio para facturar',
    description:
      'El vendedor divisa del Banco Nación al cierre del día hábil anterior a la emisión, que pide la RG 5616/2024 para facturas en moneda extranjera.',
  },
  ok: () => publicJson('El tipo de cambio.', invoicingRate()),
})

export const invoicing = resource(
  'Facturación',
  'El tipo de cambio de las facturas en otra moneda.',
  [listInvoicingRates, readInvoicingRate],
)
