import type { Pair } from '../../../shared/market/catalog.ts'
import type { Price } from '../../../shared/market/price.ts'

/** What one source says of one pair in this cycle: not yet believed. */
export interface Candidate {
  pair: Pair
  /** Name of the source, or of the derivation (`bna × 1.30`). */
  source: string
  /**
   * Where the data comes from in the end (`ambito`, `dolarhoy`, `bcra`…). Two candidates confirm
   * each other only when their provenance differs: dolarapi repeats Ámbito.
   */
  provenance: string
  /** Whether it has the definition of the pair's first source, or only a similar one. */
  sameDefinition: boolean
  /** Cut to the pair's decimals. */
  buy: Price
  sell: Price
  /** The source's own time stamp as written, for audit only: it does not prove freshness. */
  stamp?: string
}
