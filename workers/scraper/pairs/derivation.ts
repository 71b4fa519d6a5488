import type { Big } from 'big.js'
import type { Instant } from '../../../shared/argentine-time.ts'
import type { Pair, PairKey } from '../../../shared/market/catalog.ts'
import type { DecreedDay } from '../../../shared/market/holidays.ts'
import type { Price } from '../../../shared/market/price.ts'
import type { Reading } from '../sources/source.ts'

/** The value of one pair from one source in this cycle, before the guard. */
export interface Candidate {
  pair: Pair
  /** The name of the source, or of the derivation (`bna × 1.30`). */
  source: string
  /**
   * Where the data originally comes from (`ambito`, `dolarhoy`, `bcra`…). Two candidates confirm
   * each other only when their provenance differs: dolarapi repeats Ámbito.
   */
  provenance: string
  /** Whether its definition is the same as in the pair's first source, not only similar. */
  sameDefinition: boolean
  /** Whether the source gives one number for both sides, so that `buy` is no information. */
  onlySell?: boolean
  /** Rounded to the pair's decimals, like `sell`. */
  buy: Price
  sell: Price
  /** The source's own time stamp as written, for audit only: it does not prove freshness. */
  stamp?: string
}

/** One way to get a pair's value: directly from a document, or derived from several. */
export interface PairSource extends Pick<Candidate, 'provenance' | 'sameDefinition' | 'onlySell'> {
  /** The name in `Candidate.source`. */
  name: string
  /** The names of the documents that it needs. */
  needs: readonly string[]
  /** Whether it is also requested in the hours of its documents, not only after a failure. */
  ownHours?: true
  derive: Derivation
}

/**
 * Computes the exact quote from the readings of the documents; null when a reading is missing or
 * the quote fails a sanity rule. Pure.
 */
export type Derivation = (
  readings: readonly Reading[],
  context: DeriveContext,
) => DerivedQuote | null

export interface DerivedQuote {
  buy: Big
  sell: Big
  stamp?: string
}

export interface DeriveContext {
  now: Instant
  /** Whether the documents are recordings: their time stamps then do not show their age. */
  replayed?: boolean
  /** The perception on card purchases, `0.30` (`TARJETA_RATE`). */
  tarjetaRate: Big
  /** Closed days that the public list of holidays adds. */
  decreed?: readonly DecreedDay[] | undefined
  /** The published quotes, for the rule on CCL moving alone. */
  current: ReadonlyMap<PairKey, { sell: Price; lastScrapedAt: Instant }>
}

/** The quote has the same definition as the pair's first source. */
export const SAME = true
/** The quote has a similar definition: a switch moves the price although the market stood still. */
export const NEAR = false

/** The source of a document that quotes the pair itself. */
export function direct(
  source: string,
  provenance: string,
  same: boolean,
  pair: PairKey,
): PairSource {
  return derived(source, provenance, same, (readings) => quoteIn(readings, pair))
}

/** A derived source. Without `needs`, it needs the document that has the source's name. */
export function derived(
  name: string,
  provenance: string,
  sameDefinition: boolean,
  derive: Derivation,
  needs: readonly string[] = [name],
): PairSource {
  return { name, needs, provenance, sameDefinition, derive }
}

/** A source that gives one number for both sides. */
export function oneNumber(source: PairSource): PairSource {
  return { ...source, onlySell: true }
}

/** A quote with one number for both sides. */
export function bothSides(value: Big): DerivedQuote {
  return { buy: value, sell: value }
}

/** The quote of a pair as its document prints it. */
export function quoteIn(readings: readonly Reading[], pair: PairKey): DerivedQuote | null {
  for (const reading of readings) {
    if (reading.kind === 'quote' && reading.pair === pair) return reading
  }
  return null
}
