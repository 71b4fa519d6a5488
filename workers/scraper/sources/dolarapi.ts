import * as z from 'zod/mini'
import { argentineDay, type Instant } from '../../../shared/argentine-time.ts'
import type { PairKey } from '../../../shared/market/catalog.ts'
import { CROSS_HOURS, QUOTE_HOURS, type Hours } from '../../../shared/market/market-hours.ts'
import { get, json, listOf, fitting, refuseFuture } from './document.ts'
import { requirePrice } from './number-text.ts'
import { formatError, type Reading, type Source } from './source.ts'

/** Items without `casa` are skipped: a recorded document has one. */
const item = z.object({
  moneda: z.string(),
  casa: z.string(),
  compra: z.number(),
  venta: z.number(),
  fechaActualizacion: z.string(),
})

/**
 * Quotes of other services, republished about hourly; pair-sources.ts names their provenance. Time
 * stamps of Ámbito and IOL are Argentine time written with `Z`; the others are real UTC. Stamps
 * move while values stand still, so they only serve for audit.
 */
export const dolarapiSources: readonly Source[] = [
  list('dolarapi-dolares', 'dolares', QUOTE_HOURS, {
    'USD oficial': 'USD/BNA',
    'USD blue': 'USD/BLUE',
    'USD bolsa': 'USD/BOLSA',
    'USD contadoconliqui': 'USD/CCL',
    'USD mayorista': 'USD/MAYORISTA',
    'USD cripto': 'USD/CRIPTO',
    'USD tarjeta': 'USD/TARJETA',
  }),
  list('dolarapi-ambito', 'ambito/dolares', QUOTE_HOURS, {
    'USD oficial': 'USD/OFICIAL',
    'USD bna': 'USD/BNA',
  }),
  list('dolarapi-cotizaciones', 'cotizaciones', CROSS_HOURS, {
    'EUR oficial': 'EUR/OFICIAL',
    'BRL oficial': 'BRL/OFICIAL',
    'CLP oficial': 'CLP/OFICIAL',
    'UYU oficial': 'UYU/OFICIAL',
  }),
]

function list(name: string, path: string, hours: Hours, pairs: Record<string, PairKey>): Source {
  return {
    ...get(name, 15, hours, `https://dolarapi.com/v1/${path}`),
    parse: json(z.array(z.unknown()), (items, now) => {
      const quotes = fitting(items, item).flatMap((entry) => quoteOf(entry, pairs, now))
      return listOf(Object.values(pairs), quotes)
    }),
  }
}

function quoteOf(
  { moneda, casa, compra, venta, fechaActualizacion: stamp }: z.infer<typeof item>,
  pairs: Record<string, PairKey>,
  now: Instant,
): Extract<Reading, { kind: 'quote' }>[] {
  const pair = pairs[`${moneda} ${casa}`]
  if (!pair) return []

  const instant = Date.parse(stamp)
  if (Number.isNaN(instant)) throw formatError('has no time where one is due')
  refuseFuture(argentineDay(instant), now)

  // A pair at zero is left out. The other pairs of the list count.
  if (compra === 0 || venta === 0) return []
  return [{ kind: 'quote', pair, buy: requirePrice(compra), sell: requirePrice(venta), stamp }]
}
