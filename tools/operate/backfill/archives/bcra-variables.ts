import * as z from 'zod/mini'
import { type Archive, byYears, parseDocument } from '../archive.ts'
import { formatError } from '../../../../workers/scraper/sources/parsing/source-error.ts'

/** The most rows of an answer, and years of which every calendar day fits in one. */
const LIMIT = 3000
const YEARS = 8

const payload = z.object({
  metadata: z.object({ resultset: z.object({ count: z.number() }) }),
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
    byYears(YEARS, from, to).map(
      (part) =>
        `https://api.bcra.gob.ar/estadisticas/v4.0/Monetarias/${id}?desde=${part.from}&hasta=${part.to}&limit=${LIMIT}&offset=0`,
    ),
  read(body, id) {
    const { metadata, results } = parseDocument(body, payload)
    const { idVariable, detalle } = results[0]!
    if (String(idVariable) !== id) throw formatError('is another variable')
    if (detalle.length < metadata.resultset.count) throw formatError('was cut short')

    return detalle.map(({ fecha, valor }) => ({ day: fecha, buy: valor, sell: valor }))
  },
}
