/**
 * The ordered sources of each pair. "Same definition" is decided per pair: a fallback of another
 * definition moves the price although the market stood still. Provenance is where the data comes
 * from in the end: dolarapi repeats Ámbito, DolarHoy and IOL, data912 repeats BYMA, criptoya's
 * indices are the BCRA's.
 */
import { type Pair, pairKey } from '../../../shared/market/catalog.ts'
import type { PairSource, PairTable } from './pair-source.ts'
import { CURRENCIES } from './currencies.ts'
import { DOLLARS } from './dollars.ts'
import { INDICES } from './indices.ts'

const table: PairTable = { ...DOLLARS, ...CURRENCIES, ...INDICES }

/** The sources of a pair in order of preference; the first one is the pair's usual source. */
export function sourcesOf(pair: Pick<Pair, 'currency' | 'origin'>): readonly PairSource[] {
  const sources = table[pairKey(pair)]
  if (!sources) throw new Error(`no sources for ${pairKey(pair)}`)

  return sources
}
