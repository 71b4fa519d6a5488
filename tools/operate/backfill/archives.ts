/** The public archives of daily values: how to read their answers, and the series of each pair. */
import { Big } from 'big.js'
import * as z from 'zod/mini'
import type { Day } from '../../../shared/argentine-time.ts'
import type { PairKey } from '../../../shared/market/catalog.ts'
import { formatError } from '../../../workers/scraper/sources/source.ts'
import { parseJson } from '../../support/parse-json.ts'
import type { FileRecord } from '../import/records.ts'
import type { GetDocument } from './fetch-documents.ts'

/** Daily values of a pair from one archive. */
export interface ArchivedSeries {
  /** The `points.source` of the imported points. */
  source: string
  /** The first day in the archive. */
  from: Day
  /** The last day to use, if another series of the pair follows. */
  to?: Day
  /**
   * Fetches at least the rows of the days `from` to `to`, in the format of an import file. Throws a
   * `SourceError` when a document has another shape.
   */
  read(get: GetDocument, from: Day, to: Day): Promise<FileRecord[]>
}

/** Splits days into parts of at most `count` calendar years, always at the same years. */
function byYears(count: number, from: Day, to: Day): { from: Day; to: Day }[] {
  const parts: { from: Day; to: Day }[] = []
  const first = Number(from.slice(0, 4))

  for (let year = first - (first % count); year <= Number(to.slice(0, 4)); year += count) {
    const [start, end] = [`${year}-01-01`, `${year + count - 1}-12-31`]
    parts.push({ from: start < from ? from : start, to: end > to ? to : end })
  }
  return parts
}

async function fetchRows<Row>(
  get: GetDocument,
  address: string,
  schema: z.ZodMiniType<Row>,
): Promise<Row> {
  const { data } = schema.safeParse(parseJson(await get(address)))
  if (data === undefined) throw formatError(`${new URL(address).host} answered in another shape`)
  return data
}

const ARGENTINADATOS = 'https://api.argentinadatos.com/v1'

const price = z.nullable(z.number())
const dollarRows = z.array(
  z.object({ casa: z.string(), fecha: z.string(), compra: price, venta: price }),
)
const indexRows = z.array(z.object({ fecha: z.string(), valor: price }))

/** The closes of a dollar for every calendar day, from the one document that has all dollars. */
async function readDollars(get: GetDocument, casa: string) {
  const rows = await fetchRows(get, `${ARGENTINADATOS}/cotizaciones/dolares`, dollarRows)
  return rows.filter((row) => row.casa === casa)
}

/** A dollar of argentinadatos. Gives the same points as `import` of the archive's files. */
const dollar = (casa: string, from: Day): ArchivedSeries => ({
  source: 'import:argentinadatos-dolares',
  from,
  read: (get) => readDollars(get, casa),
})

const countryRisk: ArchivedSeries = {
  source: 'import:argentinadatos-riesgo',
  from: '1999-01-22',
  read: (get) => fetchRows(get, `${ARGENTINADATOS}/finanzas/indices/riesgo-pais`, indexRows),
}

/** The BCRA's count of the rows in a range. An answer has at most 3000 (variables) or 1000 rows. */
const metadata = z.object({ resultset: z.object({ count: z.number() }) })

const variablesPayload = z.object({
  metadata,
  results: z.array(z.object({ idVariable: z.number(), detalle: indexRows })).check(z.length(1)),
})

/**
 * One of the BCRA's main variables, one value a day: 4 is the retail dollar (the banks' average
 * selling rate), 5 the wholesale dollar (A 3500), 30 CER, 31 UVA. A range must begin in the past.
 */
const variable = (id: number, from: Day): ArchivedSeries => ({
  source: 'import:bcra-variables',
  from,
  async read(get, from, to) {
    const rows: FileRecord[] = []
    for (const part of byYears(8, from, to)) {
      const address = `https://api.bcra.gob.ar/estadisticas/v4.0/Monetarias/${id}?desde=${part.from}&hasta=${part.to}&limit=3000&offset=0`
      const { metadata, results } = await fetchRows(get, address, variablesPayload)
      const { idVariable, detalle } = results[0]!
      if (idVariable !== id) throw formatError(`variable ${id} is another variable`)
      if (detalle.length < metadata.resultset.count)
        throw formatError(`variable ${id} was cut short`)
      rows.push(...detalle)
    }
    return rows
  },
})

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

/**
 * The BCRA's closing rates of a currency: dollars per unit (`tipoPase`), and pesos by the BCRA's
 * own closing dollar (`tipoCotizacion`). A day without business has no `detalle`, and one day
 * (2017-09-06) has two.
 */
async function readRates(get: GetDocument, code: string, from: Day, to: Day) {
  const rates = []
  for (const part of byYears(1, from, to)) {
    const address = `https://api.bcra.gob.ar/estadisticascambiarias/v1.0/Cotizaciones/${code}?fechadesde=${part.from}&fechahasta=${part.to}&limit=1000&offset=0`
    const { metadata, results } = await fetchRows(get, address, ratesPayload)
    if (results.length < metadata.resultset.count) throw formatError(`${code} was cut short`)

    for (const { fecha, detalle } of results)
      for (const rate of detalle) {
        if (rate.codigoMoneda !== code) throw formatError(`${code} has another currency`)
        if (fecha !== null) rates.push({ fecha, ...rate })
      }
  }
  return rates
}

/** The first day of the wholesale reference. */
const A3500_FROM = '2002-03-04'
const BLUE_FROM = '2011-01-03'

/** Pesos per unit. Some currencies are quoted per 100 or 1,000 units. */
const currency = (code: string): ArchivedSeries => ({
  source: 'import:bcra-currencies',
  from: A3500_FROM,
  async read(get, from, to) {
    const rates = await readRates(get, code, from, to)
    return rates.map(({ fecha, descripcion, tipoCotizacion }) => {
      return { fecha, valor: new Big(tipoCotizacion).div(unitsOf(descripcion)).toFixed() }
    })
  },
})

/** The units of a price: `PESO CHILENO (C/1.000 UNIDADES)` is per 1,000. */
function unitsOf(description: string): number {
  const [, units] = /\(C\/\s*([\d.]+)\s*UNIDADES\)/i.exec(description) ?? []
  return units === undefined ? 1 : Number(units.replaceAll('.', ''))
}

/** Dollars per euro times the blue dollar of the day. */
const blueEuro: ArchivedSeries = {
  source: 'import:bcra-currencies',
  from: BLUE_FROM,
  async read(get, from, to) {
    const dollars = await readDollars(get, 'blue')
    const dollarOn = new Map(dollars.map((row) => [row.fecha, row]))
    const rates = await readRates(get, 'EUR', from, to)
    return rates.map(({ fecha, tipoPase }) => {
      const { compra = null, venta = null } = dollarOn.get(fecha) ?? {}
      return { fecha, compra: timesRate(compra, tipoPase), venta: timesRate(venta, tipoPase) }
    })
  },
}

function timesRate(value: number | null, rate: number): string | null {
  return value === null ? null : new Big(value).times(rate).toFixed()
}

/** The series of each pair. A day belongs to only one of them, because their definitions differ. */
export const SERIES: Readonly<Partial<Record<PairKey, readonly ArchivedSeries[]>>> = {
  // The banks' average selling rate, before the other archive begins.
  'USD/OFICIAL': [
    { ...variable(4, '2010-06-01'), to: '2011-01-02' },
    dollar('oficial', '2011-01-03'),
  ],
  'USD/BLUE': [dollar('blue', BLUE_FROM)],
  'USD/MAYORISTA': [variable(5, A3500_FROM)], // A 3500
  'USD/BOLSA': [dollar('bolsa', '2018-10-29')],
  'USD/CCL': [dollar('contadoconliqui', '2013-01-02')],
  'USD/CRIPTO': [dollar('cripto', '2023-02-07')],
  'USD/TARJETA': [dollar('tarjeta', '2019-12-23')],
  'EUR/OFICIAL': [currency('EUR')],
  'EUR/BLUE': [blueEuro],
  'BRL/OFICIAL': [currency('BRL')],
  'CLP/OFICIAL': [currency('CLP')],
  'UYU/OFICIAL': [currency('UYU')],
  'ARG/RIESGO': [countryRisk],
  'ARG/CER': [variable(30, '2002-02-02')],
  'ARG/UVA': [variable(31, '2016-03-31')],
}
