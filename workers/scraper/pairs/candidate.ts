import type { Pair } from '../../../shared/market/catalog.ts'
import type { Price } from '../../../shared/market/price.ts'

/** The value of one pair from one source in this cycle, before the guard. */
export interface Candidate {
  pair: Pair
  /** Name of the source, or of the derivation (`bna × 1.30`). */
  source: string
  /**
   * Where the data originally comes from (`ambito`, `dolarhoy`, `bcra`…). Two candidates confirm
   * each other only when their provenance differs: dolarapi repeats Ámbito.
   */
  provenance: string
  /** Whether its definition is that of the pair's first source, not only similar. */
  sameDefinition: boolean
  /** See `PairSource.onlySell`. */
  onlySell?: boolean
  /** Cut to the pair's decimals. */
  buy: Price
  sell: Price
  /** The source's own time stamp as written, for audit only: it does not prove freshness. */
  stamp?: string
}
