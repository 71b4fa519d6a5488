import * as z from 'zod/mini'
import { type Archive, parseDocument } from '../archive.ts'

const HOST = 'https://api.argentinadatos.com'

const dollars = z.array(
  z.object({ casa: z.string(), fecha: z.string(), compra: z.unknown(), venta: z.unknown() }),
)
const index = z.array(z.object({ fecha: z.string(), valor: z.unknown() }))

/** The two indices, by their key: the path, and the source of their points. */
const INDICES: Readonly<Record<string, { path: string; source: string }>> = {
  'riesgo-pais': { path: 'riesgo-pais', source: 'import:argentinadatos-riesgo' },
  uva: { path: 'uva', source: 'import:argentinadatos-uva' },
}

/**
 * Closes of every calendar day; weekends and holidays carry the last value. A key is a `casa`, all
 * in one document, or an index. Its points are the same as those of its files by `import`.
 */
export const argentinadatos: Archive = {
  name: 'argentinadatos',
  source: (key) => INDICES[key]?.source ?? 'import:argentinadatos-dolares',
  addresses(key) {
    const of = INDICES[key]
    return [of ? `${HOST}/v1/finanzas/indices/${of.path}` : `${HOST}/v1/cotizaciones/dolares`]
  },
  read(body, key) {
    if (key in INDICES) {
      return parseDocument(body, index).map(({ fecha, valor }) => ({
        day: fecha,
        buy: valor,
        sell: valor,
      }))
    }
    return parseDocument(body, dollars).flatMap(({ casa, fecha, compra, venta }) =>
      casa === key ? [{ day: fecha, buy: compra, sell: venta }] : [],
    )
  },
}
