import type { Big } from 'big.js'
import type { Instant } from '../../../shared/argentine-time.ts'
import type { PairKey } from '../../../shared/market/catalog.ts'
import type { Price } from '../../../shared/market/price.ts'
import type { Reading } from '../sources/source.ts'

/** One way to know a pair: straight from a document, or derived from one or more. */
export interface PairSource {
  /** What `Candidate.source` says: the document's name, or the derivation's. */
  name: string
  /** The documents that it reads, by the name of their source; all are needed. */
  needs: readonly string[]
  /** See `Candidate.provenance`. */
  provenance: string
  /** See `Candidate.sameDefinition`. */
  sameDefinition: boolean
  /** Also asked in its documents' own hours, not only when an earlier source failed. */
  ownHours?: true
  derive: Derivation
}

/**
 * The quote that the documents give, exact and not yet cut to decimals; null when they do not
 * hold it or it fails a rule of sanity. Pure.
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
  /** The quotes now published: the rule on CCL moving alone needs them. Absent before the first. */
  current: ReadonlyMap<PairKey, { sell: Price; lastScrapedAt: Instant }>
}
