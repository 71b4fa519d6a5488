import * as z from 'zod/mini'
import { type Archive, byYear, parseDocument } from '../archive.ts'
import { formatError } from '../../../../workers/scraper/sources/parsing/source-error.ts'

const payload = z.object({
  codigo: z.string(),
  serie: z.array(z.object({ fecha: z.string(), valor: z.unknown() })),
})

/**
 * Chile's observed dollar, in pesos of Chile, a document a year. Its times are Chilean midnights:
 * their first ten characters are the day.
 */
export const mindicador: Archive = {
  name: 'mindicador',
  source: () => 'import:mindicador',
  addresses: (key, from, to) =>
    byYear(from, to).map(({ year }) => `https://mindicador.cl/api/${key}/${year}`),
  read(body, key) {
    const { codigo, serie } = parseDocument(body, payload)
    if (codigo !== key) throw formatError('is another indicator')

    return serie.map(({ fecha, valor }) => ({ day: fecha.slice(0, 10), buy: valor, sell: valor }))
  },
}
