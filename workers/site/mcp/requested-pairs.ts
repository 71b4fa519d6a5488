import { findPair, type Pair, pairsOf } from '../../../shared/market/catalog.ts'
import { ToolError } from './tool.ts'

/**
 * The pairs of a currency, or the pair with an origin; else a tool error that names the existing
 * ones.
 */
export function requestedPairs(currency: string, origin: string | undefined): readonly Pair[] {
  const all = pairsOf(currency)!
  if (origin === undefined) return all

  const pair = findPair(currency, origin)
  if (pair) return [pair]

  const origins = all.map((pair) => pair.origin.toLowerCase()).join(', ')
  throw new ToolError(`Cotización no encontrada: ${currency} tiene ${origins}`)
}
