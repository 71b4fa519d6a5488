import * as z from 'zod/mini'
import { type Archive, byYear, parseDocument } from '../archive.ts'
import { formatError } from '../../../../workers/scraper/sources/parsing/source-error.ts'

const LIMIT = 1000

const payload = z.object({
  metadata: z.object({ resultset: z.object({ count: z.number() }) }),
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

/** `EUR/USD`: the dollars per euro instead of the pesos. */
const DOLLARS_PER = /^([A-Z]{3})\/USD$/

/**
 * The BCRA's closing rates by currency, one number a day: pesos per unit, from its own closing
 * dollar. Some currencies are told per 100 or 1,000 units, which only `descripcion` says. A day
 * without business has no detail, and an old one (2017-09-06) has it twice.
 */
export const bcraCurrencies: Archive = {
  name: 'bcra-currencies',
  source: () => 'import:bcra-currencies',
  addresses: (key, from, to) =>
    byYear(from, to).map(
      (part) =>
        `https://api.bcra.gob.ar/estadisticascambiarias/v1.0/Cotizaciones/${codeOf(key)}?fechadesde=${part.from}&fechahasta=${part.to}&limit=${LIMIT}&offset=0`,
    ),
  read(body, key) {
    const { metadata, results } = parseDocument(body, payload)
    if (results.length < metadata.resultset.count) throw formatError('was cut short')

    const rows = results.flatMap(({ fecha, detalle }) =>
      fecha === null ? [] : detalle.map((detail) => ({ fecha, ...detail })),
    )
    if (rows.some(({ codigoMoneda }) => codigoMoneda !== codeOf(key)))
      throw formatError('has another currency')

    return rows.map(({ fecha, descripcion, tipoPase, tipoCotizacion }) => {
      // The dollars are always of one unit.
      if (DOLLARS_PER.test(key)) return { day: fecha, buy: tipoPase, sell: tipoPase }
      return { day: fecha, buy: tipoCotizacion, sell: tipoCotizacion, unit: unitOf(descripcion) }
    })
  },
}

function codeOf(key: string): string {
  return DOLLARS_PER.exec(key)?.[1] ?? key
}

/** `PESO CHILENO (C/1.000 UNIDADES)` is per 1,000. */
function unitOf(description: string): number {
  const [, units] = /\(C\/\s*([\d.]+)\s*UNIDADES\)/i.exec(description) ?? []
  return units === undefined ? 1 : Number(units.replaceAll('.', ''))
}
