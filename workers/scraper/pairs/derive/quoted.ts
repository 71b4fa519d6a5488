import type { PairKey } from '../../../../shared/market/catalog.ts'
import type { Derivation, DerivedQuote, Documents } from '../pair-source.ts'

/** The quote of a pair as its document prints it. */
export function quoted(source: string, pair: PairKey): Derivation {
  return (documents) => quoteIn(documents, source, pair)
}

export function quoteIn(documents: Documents, source: string, pair: PairKey): DerivedQuote | null {
  for (const reading of documents.get(source) ?? []) {
    if (reading.kind === 'quote' && reading.pair === pair) return reading
  }
  return null
}
