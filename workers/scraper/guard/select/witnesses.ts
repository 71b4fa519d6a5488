/** The live words of other sources, in the terms of the one that is judged. */
import type { Instant } from '../../../../shared/argentine-time.ts'
import { type Pair, pairKey } from '../../../../shared/market/catalog.ts'
import { isBasisKnown, shifted, unshifted } from '../observe/basis.ts'
import { limitsOf } from '../rules/limits.ts'
import type { SourceMemory } from '../observe/memory.ts'
import { noiseFloor } from '../observe/noise.ts'
import { usualSpread } from '../observe/spread.ts'
import { isLive } from '../observe/rhythm.ts'
import type { WitnessWord } from '../rules/rule.ts'

/** Near definitions, and sources not known yet, need a wider distance to prove anything. */
const NEAR_TIMES = 1.5

export function witnessesOf(
  source: SourceMemory,
  others: readonly SourceMemory[],
  pair: Pair,
  now: Instant,
  speaks: typeof isLive = isLive,
): WitnessWord[] {
  return others
    .filter(
      (other) => other.provenance !== source.provenance && speaks(other, now) && !other.leftBehind,
    )
    .map((other) => ({
      said: inTermsOf(source, other),
      knowsBuy: knowsBuy(other, pair),
      floor: floorBetween(source, other, pair),
    }))
}

/**
 * Ámbito's card dollar is taxed on one side: its buy is nobody's. Who usually quotes two sides and
 * now prints one number for both knows but one of them.
 */
function knowsBuy({ buy, sell, usual }: SourceMemory, pair: Pair): boolean {
  const isHalf = buy === sell && usualSpread(usual) !== null
  return isBasisKnown(usual) && !isHalf && pairKey(pair) !== 'USD/TARJETA'
}

/** What `other` says, as `source` would say it. */
export function inTermsOf(source: SourceMemory, other: SourceMemory) {
  return shifted(unshifted(other, other), source)
}

/** The distance between two sources below which nothing can be said of either. */
export function floorBetween(one: SourceMemory, other: SourceMemory, pair: Pair): number {
  const noise = Math.max(one.usual.noise, other.usual.noise)
  const floor = noiseFloor(limitsOf(pair), { noise })
  return one.sameDefinition && other.sameDefinition ? floor : NEAR_TIMES * floor
}
