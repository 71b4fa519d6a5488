import type { Pair } from '../../../../shared/market/catalog.ts'
import type { MarketValue } from '../decision.ts'
import type { Level } from '../observe/levels.ts'
import type { Limits } from './limits.ts'

/**
 * What can free a value that a rule holds; each also frees what the next one does not need.
 * `repetition`: being said again over enough cycles, an independent source, or an operator.
 * `independent`: a source of other provenance, or an operator. `operator`: nobody else.
 */
export type Release = 'repetition' | 'independent' | 'operator'

/** A value as the rules see it. */
export interface Subject extends Level {
  pair: Pair
  limits: Limits
  /** The value in effect, shifted by the known basis of the source; null when there is none. */
  baseline: Level | null
  /** The value in effect is more than 7 days old: no baseline for a jump (decision 55). */
  stale: boolean
  /** Hours since any source was last believed: the market was closed meanwhile. */
  closedHours: number
  /** The value in effect as it stands. */
  inEffect: Level | null
  /** Between what its source's spread usually lies; null when not known. */
  usualSpread: { low: number; high: number } | null
  /** What its source said before: just now, and when it last rested at a level. */
  before: readonly Level[]
  /** What live sources of other provenance say, in the terms of this one. */
  witnesses: readonly WitnessWord[]
  /** How far the baseline and the value stand from where the pair's relatives usually have it. */
  relatives: { before: number; after: number } | null
  /** The values in effect of the other pairs. */
  others: readonly MarketValue[]
}

/** The last word of a live source of other provenance. */
export interface WitnessWord {
  said: Level
  /** Whether it is known how it says the buy side. */
  knowsBuy: boolean
  /** The distance below which its word proves nothing. */
  floor: number
}

export interface Rule {
  /** Stable: it is stored in the quarantine table. */
  name: string
  release: Release
  /** Goes on suspecting the very word that it holds, though what it was compared with moved on. */
  lasts?: true
  suspects(subject: Subject): boolean
}
