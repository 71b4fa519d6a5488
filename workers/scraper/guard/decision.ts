import type { Instant } from '../../../shared/argentine-time.ts'
import type { Pair } from '../../../shared/market/catalog.ts'
import type { Price } from '../../../shared/market/price.ts'
import type { Level } from './level.ts'
import type { GuardMemory } from './memory.ts'
import type { Candidate } from '../pairs/pair-source.ts'

/** The value in effect of a pair. */
export interface Current {
  buy: Price
  sell: Price
  source: string
  updatedAt: Instant
  lastScrapedAt: Instant
}

/** An operator's decision on a held value of the pair. */
export interface Override {
  buy: Price
  sell: Price
  status: 'accepted' | 'rejected'
}

/** The value in effect of a pair, as its relatives see it. */
export interface MarketValue {
  pair: Pair
  buy: Price
  sell: Price
  lastScrapedAt: Instant
  /** What its sources last said, and what documents print of it in this cycle, published or not. */
  readings?: readonly Level[]
}

export interface AcceptInput {
  pair: Pair
  /** Null for a pair that was never quoted. */
  current: Current | null
  /** What the last decision of the pair returned, as it came out of storage: anything goes. */
  memory: unknown
  /** In the pair's order of preference: what those asked so far in this cycle say. */
  candidates: readonly Candidate[]
  /** `Candidate.source` names of those that were asked (or could not be derived) and failed. */
  failed: readonly string[]
  override: Override | null
  /** The values in effect of all pairs; the pair's own is ignored. */
  market?: readonly MarketValue[]
  now: Instant
}

/** A value held back, for the quarantine table. */
export interface Held {
  candidate: Candidate
  /** Name of the term that weighs most against it: stable. */
  reason: string
  /** All the evidence, in a line for the operator. Null in a cycle that did not hear its source. */
  ballot: string | null
}

export interface Decision {
  /** The new value of the pair, or null when nothing changes. */
  publish: Candidate | null
  /** Whether `lastScrapedAt` moves. True also with `publish`. */
  confirmed: boolean
  /** The value held back in this cycle; null means that an earlier hold is over. */
  held: Held | null
  /** The source that confirmed the value: what the status read shows. Null when nobody did. */
  source: string | null
  /**
   * Ask the pair's documents that were not due, and call again with the same memory and all
   * candidates of the cycle. The last decision of the cycle stands as it is.
   */
  needsFallback: boolean
  /** JSON-safe and bounded: store it and hand it back in the next cycle. */
  memory: GuardMemory
}
