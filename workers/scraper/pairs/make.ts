import type { PairKey } from '../../../shared/market/catalog.ts'
import { quoted } from './derive/quoted.ts'
import type { Derivation, PairSource } from './pair-source.ts'

/** The ordered sources of some pairs. */
export type PairTable = Partial<Record<PairKey, readonly PairSource[]>>

/** The quote of the pair's first source, by its definition. */
export const SAME = true
/** A quote of a similar definition: switching moves the price although the market stood still. */
export const NEAR = false

/** A document that quotes the pair itself. */
export function direct(
  source: string,
  provenance: string,
  same: boolean,
  pair: PairKey,
): PairSource {
  return derived(source, [source], provenance, same, quoted(source, pair))
}

export function derived(
  name: string,
  needs: readonly string[],
  provenance: string,
  sameDefinition: boolean,
  derive: Derivation,
): PairSource {
  return { name, needs, provenance, sameDefinition, derive }
}

/** A source that gives one number for both sides. */
export function oneNumber(source: PairSource): PairSource {
  return { ...source, onlySell: true }
}

/** A derivation from one document alone, under the document's name. */
export function derivedFrom(
  document: string,
  provenance: string,
  sameDefinition: boolean,
  derivationOf: (document: string) => Derivation,
): PairSource {
  return derived(document, [document], provenance, sameDefinition, derivationOf(document))
}
