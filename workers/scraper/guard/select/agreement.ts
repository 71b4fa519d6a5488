import { type Pair, pairKey } from '../../../../shared/market/catalog.ts'
import type { Candidate } from '../../pairs/candidate.ts'
import type { Assessment } from '../assessment.ts'
import { distance, type Level, spreadOf, stepOf, widest } from '../observe/levels.ts'
import { limitsOf } from '../rules/limits.ts'
import type { HoldMemory, SourceMemory } from '../observe/memory.ts'
import { shifted, unshifted } from '../observe/basis.ts'

/**
 * Two sources agree on a step when they differ by less than this share of it, within bounds. Two
 * that are wrong at once, each by its own 8 %, differ by more.
 */
const SHARE_OF_STEP = 0.2
const LEAST = 0.01
const MOST = 0.05

type Side = 'buy' | 'sell'

/** Rules that doubt how the sides stand to one another. */
export const ABOUT_SPREAD = ['wide-spread', 'unusual-spread', 'inverted', 'swapped']

/** Who vouches for a suspicious value: the last word of another source, or a value held lately. */
export interface Witness extends Level {
  provenance: string
  source: SourceMemory | undefined
}

export function witnessOf(source: SourceMemory): Witness {
  const { buy, sell, provenance } = source
  return { buy, sell, provenance, source }
}

export function heldWitness(hold: HoldMemory, sources: readonly SourceMemory[]): Witness {
  return { ...hold, source: sources.find(({ name }) => name === hold.source) }
}

/** Whether an independent source says the same new level, each by its own definition. */
export function agrees({ candidate, source, baseline, suspicion }: Assessment, witness: Witness) {
  if (witness.provenance === candidate.provenance) return false

  const expected = asSaidBy(witness, candidate, source)
  const tolerance = baseline ? toleranceOf(candidate, baseline) : MOST
  const isNear = (side: Side) => Math.abs(distance(expected[side], witness[side])) <= tolerance
  if (suspicion && ABOUT_SPREAD.includes(suspicion.name)) {
    return isNear('sell') && isNear('buy') && hasSuchSpread(candidate, witness)
  }

  if (suspicion?.lasts) {
    return isNear('sell') && isNear('buy') && isNearer(candidate, baseline, expected, witness)
  }

  const sideAgrees = (side: Side) =>
    isNear(side) || movedLikewise(side, candidate, baseline, witness, tolerance)
  const sellMoved = !baseline || hasMoved(candidate.pair, baseline.sell, candidate.sell)
  const buyMoved = !baseline || hasMoved(candidate.pair, baseline.buy, candidate.buy)
  if (sellMoved && hasOnlySell(candidate.pair, witness, candidate)) return sideAgrees('sell')

  return sideAgrees('sell') && (!buyMoved || sideAgrees('buy'))
}

/**
 * Whether the witness made the same step from where it had rested: on a day on which the two stray
 * from their usual distance, their steps agree better than their levels.
 */
function movedLikewise(
  side: Side,
  candidate: Candidate,
  baseline: Level | null,
  { sell, source }: Witness,
  tolerance: number,
): boolean {
  if (!baseline || !source || source.sell !== sell) return false

  const step = distance(source.rested[side], source[side])
  return (
    hasMoved(candidate.pair, source.rested[side], source[side]) &&
    Math.abs(step - distance(baseline[side], candidate[side])) <= tolerance
  )
}

/** A misread row is another's value: who stands between it and the old value does not bear it. */
function isNearer(candidate: Level, baseline: Level | null, expected: Level, { sell }: Level) {
  if (!baseline) return true
  const off = distance(expected.sell, sell)
  return Math.abs(off) < Math.abs(off + distance(baseline.sell, candidate.sell)) / 2
}

/** Whether a witness shows the same width: one number beside a quote says nothing of it. */
function hasSuchSpread(candidate: Candidate, witness: Witness): boolean {
  const own = spreadOf(candidate)
  const other = spreadOf(witness)
  if (other === 0 || (own < 0 && other >= 0)) return false
  return Math.abs(own - other) <= limitsOf(candidate.pair).spreadRoom
}

/** Whether only the sell side of what a source says can be compared. */
export function hasOnlySell(pair: Pair, said: Level, other: Level): boolean {
  // Ámbito's card dollar is taxed on one side, dolarapi's on both.
  if (pairKey(pair) === 'USD/TARJETA') return true
  return said.buy === said.sell && other.buy !== other.sell
}

function toleranceOf({ pair, buy, sell }: Candidate, baseline: Level): number {
  const share = widest(baseline, { buy, sell }) * SHARE_OF_STEP
  return Math.min(Math.max(share, LEAST, 2 * limitsOf(pair).dispersion), MOST)
}

function hasMoved(pair: Pair, from: number, to: number): boolean {
  return Math.abs(distance(from, to)) > stepOf(limitsOf(pair).jump) / 2
}

/** A level as the witness would say it, from what is known of both sources' bases. */
function asSaidBy({ source: witness }: Witness, level: Level, source: SourceMemory): Level {
  const plain = unshifted(level, source)
  return witness ? shifted(plain, witness) : plain
}
