import type { Pair } from '../../../../shared/market/catalog.ts'
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
  /** The value in effect, shifted by the known gap of the source; null when there is none. */
  baseline: Level | null
  /** The value in effect is more than 7 days old: no baseline for a jump (decision 55). */
  stale: boolean
  /** Hours since the value in effect was first seen. */
  stoodHours: number
}

export interface Rule {
  /** Stable: it is stored in the quarantine table. */
  name: string
  release: Release
  suspects(subject: Subject): boolean
}
