import { Big } from 'big.js'
import type { Pair } from '../../../shared/market/catalog.ts'
import { type Price, PRICE_SCALE } from '../../../shared/market/price.ts'
import type { SourceResult } from '../collect/collect.ts'
import type { Candidate, DeriveContext, DerivedQuote, PairSource } from './derivation.ts'
import { sourcesOf } from './pair-sources.ts'

/** From the documents of a cycle to the candidates of a pair. Pure. */

export interface Derived {
  /** In order of preference. */
  candidates: Candidate[]
  /** Sources whose documents were all requested but gave no quote, by `Candidate.source`. */
  failed: string[]
}

/**
 * The candidates of one pair, from all results of the cycle so far. A source whose documents were
 * not all requested yet is neither in `candidates` nor in `failed`.
 */
export function deriveCandidates(
  pair: Pair,
  results: readonly SourceResult[],
  context: DeriveContext,
): Derived {
  const resultOf = new Map(results.map((result) => [result.source, result]))
  const derived: Derived = { candidates: [], failed: [] }

  for (const source of sourcesOf(pair)) {
    const documents = source.needs.flatMap((name) => resultOf.get(name) ?? [])
    if (documents.length < source.needs.length) continue

    const readings = documents.flatMap((document) => (document.ok ? document.readings : []))
    const quote = documents.every(({ ok }) => ok) ? source.derive(readings, context) : null
    if (quote) derived.candidates.push(candidateOf(pair, source, quote))
    else derived.failed.push(source.name)
  }
  return derived
}

function candidateOf(pair: Pair, source: PairSource, quote: DerivedQuote): Candidate {
  return {
    pair,
    source: source.name,
    provenance: source.provenance,
    sameDefinition: source.sameDefinition,
    onlySell: pair.singleValue || source.onlySell === true,
    buy: toPrice(quote.buy, pair.decimals),
    sell: toPrice(quote.sell, pair.decimals),
    ...(quote.stamp === undefined ? {} : { stamp: quote.stamp }),
  }
}

/**
 * The price of an exact decimal, rounded to a pair's decimals, half away from zero (decision 57:
 * decimals of prices).
 */
export function toPrice(value: Big, decimals: 0 | 2 | 4): Price {
  return value.round(decimals, Big.roundHalfUp).times(PRICE_SCALE).toNumber()
}
