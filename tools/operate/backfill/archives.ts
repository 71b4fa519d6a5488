/** The public archives of daily values: their answers, and the pairs that each one has. */
import * as z from 'zod/mini'
import type { Day } from '../../../shared/argentine-time.ts'
import type { PairKey } from '../../../shared/market/catalog.ts'
import { formatError } from '../../../workers/scraper/sources/source.ts'
import { parseJson } from '../../support/parse-json.ts'
import type { FileRecord } from '../import/records.ts'

/** A public archive of daily values. It has several series, each under its own key. */
export interface Archive {
  name: string
  /** The source of a series' points in `points.source`. */
  source(key: string): string
  /** The addresses to request for the days `from` to `to`, as few as the archive allows. */
  addresses(key: string, from: Day, to: Day): string[]
  /**
   * The rows of a document in the format of an import file, with `unidades` where a price is for
   * several units. Throws a `SourceError` when the document has another shape.
   */
  read(body: string, key: string): FileRecord[]
}

/** Splits days into parts of at most `count` calendar years, the same parts for every `from`. */
function byYears(count: number, from: Day, to: Day): { from: Day; to: Day }[] {
  const parts: { from: Day; to: Day }[] = []
  const first = Number(from.slice(0, 4))

  for (let year = first - (first % count); year <= Number(to.slice(0, 4)); year += count) {
    const [start, end] = [`${year}-01-01`, `${year + count - 1}-12-31`]
    parts.push({ from: start < from ? from : start, to: end > to ? to : end })
  }
  return parts
}

function parseDocument<Row>(body: string, schema: z.ZodMiniType<Row>): Row {
  const { data } = schema.safeParse(parseJson(body))
  if (data === undefined) throw formatError('has another shape')
  return data
}

const HOST = 'https://api.argentinadatos.com'

const dollars = z.array(
  z.object({ casa: z.string(), fecha: z.string(), compra: z.unknown(), venta: z.unknown() }),
)
const index = z.array(z.object({ fecha: z.string(), valor: z.unknown() }))

/** The source of the points of the two indices, by their key. */
const INDICES: Readonly<Record<string, string>> = {
  'riesgo-pais': 'import:argentinadatos-riesgo',
  uva: 'import:argentinadatos-uva',
}

/**
 * Closes of every calendar day; weekends and holidays repeat the last value. A key is an index, or
 * a `casa`: one document has all of them. The points equal those that `import` makes from its
 * files.
 */
export const argentinadatos: Archive = {
  name: 'argentinadatos',
  source: (key) => INDICES[key] ?? 'import:argentinadatos-dolares',
  addresses: (key) => [
    `${HOST}/v1/${key in INDICES ? `finanzas/indices/${key}` : 'cotizaciones/dolares'}`,
  ],
  read(body, key) {
    if (key in INDICES) return parseDocument(body, index)
    return parseDocument(body, dollars).filter(({ casa }) => casa === key)
  },
}

/** How many rows a range of the BCRA has; an answer has 3000 (variables) or 1000 at most. */
const metadata = z.object({ resultset: z.object({ count: z.number() }) })

const variablesPayload = z.object({
  metadata,
  results: z
    .array(
      z.object({
        idVariable: z.number(),
        detalle: z.array(z.object({ fecha: z.string(), valor: z.unknown() })),
      }),
    )
    .check(z.length(1)),
})

/**
 * The BCRA's main variables, one value a day: 4 retail (the banks' average seller), 5 wholesale
 * (A 3500), 30 CER, 31 UVA. CER and UVA are published ahead, but a range may not begin in the
 * future.
 */
export const bcraVariables: Archive = {
  name: 'bcra-variables',
  source: () => 'import:bcra-variables',
  addresses: (id, from, to) =>
    byYears(8, from, to).map(
      (part) =>
        `https://api.bcra.gob.ar/estadisticas/v4.0/Monetarias/${id}?desde=${part.from}&hasta=${part.to}&limit=3000&offset=0`,
    ),
  read(body, id) {
    const { metadata, results } = parseDocument(body, variablesPayload)
    const { idVariable, detalle } = results[0]!
    if (String(idVariable) !== id) throw formatError('is another variable')
    if (detalle.length < metadata.resultset.count) throw formatError('was cut short')
    return detalle
  },
}

const ratesPayload = z.object({
  metadata,
  results: z.array(
    z.object({
      fecha: z.nullable(z.string()),
      detalle: z.array(
        z.object({
          codigoMoneda: z.string(),
          descripcion: z.string(),
          tipoPase: z.number(),
          tipoCotizacion: z.number(),
        }),
      ),
    }),
  ),
})

/** The key `EUR/USD` means dollars per euro, `EUR` means pesos. */
const DOLLARS_PER = /^([A-Z]{3})\/USD$/

/**
 * The BCRA's closing rates by currency, one number a day: pesos per unit, from its own closing
 * dollar. Some currencies are quoted per 100 or 1,000 units, which only `descripcion` says. A day
 * without business has no detail, and one day (2017-09-06) has it twice.
 */
export const bcraCurrencies: Archive = {
  name: 'bcra-currencies',
  source: () => 'import:bcra-currencies',
  addresses: (key, from, to) =>
    byYears(1, from, to).map(
      (part) =>
        `https://api.bcra.gob.ar/estadisticascambiarias/v1.0/Cotizaciones/${codeOf(key)}?fechadesde=${part.from}&fechahasta=${part.to}&limit=1000&offset=0`,
    ),
  read(body, key) {
    const { metadata, results } = parseDocument(body, ratesPayload)
    if (results.length < metadata.resultset.count) throw formatError('was cut short')

    const rows = results.flatMap(({ fecha, detalle }) =>
      fecha === null ? [] : detalle.map((detail) => ({ fecha, ...detail })),
    )
    if (rows.some(({ codigoMoneda }) => codigoMoneda !== codeOf(key)))
      throw formatError('has another currency')

    return rows.map(({ fecha, descripcion, tipoPase, tipoCotizacion }) =>
      // Rates in dollars are always per unit.
      DOLLARS_PER.test(key)
        ? { fecha, valor: tipoPase }
        : { fecha, valor: tipoCotizacion, unidades: unitsOf(descripcion) },
    )
  },
}

function codeOf(key: string): string {
  return DOLLARS_PER.exec(key)?.[1] ?? key
}

/** `PESO CHILENO (C/1.000 UNIDADES)` is per 1,000. */
function unitsOf(description: string): number {
  const [, units] = /\(C\/\s*([\d.]+)\s*UNIDADES\)/i.exec(description) ?? []
  return units === undefined ? 1 : Number(units.replaceAll('.', ''))
}

/** An archive that serves a pair. */
export interface Served {
  archive: Archive
  key: string
  /** The first day that the series is known to have. */
  from: Day
  /** The series has rates: a price is this pair's value times the rate. */
  times?: PairKey
}

/** The first day of the wholesale reference. */
const A3500_FROM = '2002-03-04'
const BLUE_FROM = '2011-01-03'

const served = (archive: Archive, key: string, from: Day): Served => ({ archive, key, from })
/** Buy and sell. */
const dollar = (key: string, from: Day) => served(argentinadatos, key, from)
/** One number. */
const variable = (key: string, from: Day) => served(bcraVariables, key, from)
/** One number: pesos by the closing dollar. */
const currency = (key: string) => served(bcraCurrencies, key, A3500_FROM)
/** The euro: dollars per euro times the blue dollar. */
const timesBlue: Served = { ...served(bcraCurrencies, 'EUR/USD', BLUE_FROM), times: 'USD/BLUE' }

/**
 * The first archive of a pair has precedence. A further one only fills holes of more than ten days,
 * because its definition differs: switching moves the price although the market stood still.
 */
export const SERVED: Readonly<Partial<Record<PairKey, readonly Served[]>>> = {
  'USD/OFICIAL': [
    dollar('oficial', '2011-01-03'),
    variable('4', '2010-06-01'), // the banks' average seller
  ],
  'USD/BLUE': [dollar('blue', BLUE_FROM)],
  'USD/MAYORISTA': [variable('5', A3500_FROM), dollar('mayorista', '2011-01-03')], // A 3500
  'USD/BOLSA': [dollar('bolsa', '2018-10-29')],
  'USD/CCL': [dollar('contadoconliqui', '2013-01-02')],
  'USD/CRIPTO': [dollar('cripto', '2023-02-07')],
  'USD/TARJETA': [dollar('tarjeta', '2019-12-23')],
  'EUR/OFICIAL': [currency('EUR')],
  'EUR/BLUE': [timesBlue],
  'BRL/OFICIAL': [currency('BRL')],
  'CLP/OFICIAL': [currency('CLP')],
  'UYU/OFICIAL': [currency('UYU')],
  'ARG/RIESGO': [served(argentinadatos, 'riesgo-pais', '1999-01-22')],
  'ARG/CER': [variable('30', '2002-02-02')],
  'ARG/UVA': [variable('31', '2016-03-31'), served(argentinadatos, 'uva', '2016-03-31')],
}
