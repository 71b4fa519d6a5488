import type { Big } from 'big.js'
import type { Instant } from '../../../shared/argentine-time.ts'
import type { PairKey } from '../../../shared/market/catalog.ts'
import type { DecreedDay } from '../../../shared/market/holidays.ts'
import type { Price } from '../../../shared/market/price.ts'
import type { Reading } from '../sources/source.ts'

/** One way to get a pair: from a document directly, or derived from one or more. */
export interface PairSource {
  /** The `Candidate.source`: the document's name, or the derivation's. */
  name: string
  /** The documents that it needs, by the name of their source. */
  needs: readonly string[]
  /** See `Candidate.provenance`. */
  provenance: string
  /** See `Candidate.sameDefinition`. */
  sameDefinition: boolean
  /** Whether its buy says nothing: it gives one number for both sides of the pair. */
  onlySell?: true
  /**
   * Whether it is also requested in its documents' own hours, not only when an earlier source
   * failed.
   */
  ownHours?: true
  derive: Derivation
}

/**
 * The quote of the documents, exact and not yet rounded; null when it is missing or fails a sanity
 * rule. Pure.
 */
export type Derivation = (documents: Documents, context: DeriveContext) => DerivedQuote | null

export interface DerivedQuote {
  buy: Big
  sell: Big
  stamp?: string
}

/** The readings of this cycle, by the name of their source. */
export type Documents = ReadonlyMap<string, readonly Reading[]>

export interface DeriveContext {
  now: Instant
  /** Whether the documents are recordings, whose time stamps do not tell their age. */
  replayed?: boolean
  /** The perception on card purchases, `0.30` (`TARJETA_RATE`). */
  tarjetaRate: Big
  /** Closed days that the public archive of holidays adds. */
  decreed?: readonly DecreedDay[] | undefined
  /** The published quotes, for the rule on CCL moving alone. */
  current: ReadonlyMap<PairKey, { sell: Price; lastScrapedAt: Instant }>
}
