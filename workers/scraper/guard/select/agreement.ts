import { type Pair, pairKey } from '../../../../shared/market/catalog.ts'
import type { Candidate } from '../../pairs/candidate.ts'
import { shifted } from '../observe/gap.ts'
import type { Judged } from '../judged.ts'
import { distance, type Level, stepOf, widest } from '../observe/levels.ts'
import { limitsOf } from '../rules/limits.ts'
import type { HoldMemory, SourceMemory } from '../observe/memory.ts'

/** Two sources agree on a step when they differ by less than this share of it, within bounds. */
const SHARE_OF_STEP = 0.4
const LEAST = 0.01
const MOST = 0.05

/** Who vouches for a suspicious value: a candidate of this cycle, or a value held lately. */
export interface Witness extends Level {
  provenance: string
  source: SourceMemory | undefined
}

export function witnessOf({ candidate, source }: Judged): Witness {
  return { buy: candidate.buy, sell: candidate.sell, provenance: candidate.provenance, source }
}

export function heldWitness(hold: HoldMemory, sources: readonly SourceMemory[]): Witness {
  return { ...hold, source: sources.find(({ name }) => name === hold.source) }
}

/** Whether an independent source says the same new level, each by its own definition. */
export function agrees({ candidate, source, baseline, suspicion }: Judged, witness: Witness) {
  if (witness.provenance === candidate.provenance) return false

  const expected = asSaidBy(witness, candidate, source)
  const tolerance = baseline ? toleranceOf(candidate, baseline) : MOST
  const sellAgrees = Math.abs(distance(expected.sell, witness.sell)) <= tolerance
  const buyAgrees = Math.abs(distance(expected.buy, witness.buy)) <= tolerance

  // One number beside a quote that is too wide says nothing of its width.
  const spreadIsDoubted = suspicion?.name === 'wide-spread' || suspicion?.name === 'inverted'
  if (spreadIsDoubted) return sellAgrees && buyAgrees

  const sellMoved = !baseline || hasMoved(candidate.pair, baseline.sell, candidate.sell)
  const buyMoved = !baseline || hasMoved(candidate.pair, baseline.buy, candidate.buy)
  if (sellMoved && hasOnlySell(candidate.pair, witness, candidate)) return sellAgrees

  return sellAgrees && (!buyMoved || buyAgrees)
}

/** Whether only the sell side of what a source says can be compared. */
export function hasOnlySell(pair: Pair, said: Level, other: Level): boolean {
  // Ámbito's card dollar is taxed on one side, dolarapi's on both.
  if (pairKey(pair) === 'USD/TARJETA') return true
  return said.buy === said.sell && other.buy !== other.sell
}

function toleranceOf({ pair, buy, sell }: Candidate, baseline: Level): number {
  const share = widest(baseline, { buy, sell }) * SHARE_OF_STEP
  return Math.min(Math.max(share, LEAST, 2 * limitsOf(pair).gap), MOST)
}

function hasMoved(pair: Pair, from: number, to: number): boolean {
  return Math.abs(distance(from, to)) > stepOf(limitsOf(pair).jump) / 2
}

/** A level as the witness would say it, from what is known of both sources' gaps. */
function asSaidBy({ source: witness }: Witness, level: Level, source: SourceMemory): Level {
  const plain = shifted(level, {
    ...source,
    gapBuy: -source.gapBuy,
    gapSell: -source.gapSell,
  })
  return witness ? shifted(plain, witness) : plain
}
