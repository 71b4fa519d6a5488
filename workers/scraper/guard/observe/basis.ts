/**
 * Basis: how far a source stands from the value in effect by its definition (an average of banks
 * beside one bank). It is learned in calm cycles, a little at a time, and never beyond a cap.
 */
import type { Candidate } from '../../pairs/candidate.ts'
import { distance, type Level, stepOf } from './levels.ts'
import { type Limits, limitsOf } from '../rules/limits.ts'
import { MILLION, type SourceMemory, type Usual } from './memory.ts'

/** Before this many calm cycles (an hour) nothing of a source counts as known. */
const KNOWN_AFTER = 12

/** Afterwards a day of calm cycles weighs as one: no hour of it moves the basis by much. */
const MOST_WEIGHT = 288

/** Near definitions differ by more: one number for two sides, a wholesale rate for a retail one. */
const NEAR_CAP = stepOf(0.05)

/** One calm cycle is heard this far beyond what is usual, and no further. */
const CLIP = 0.01

/** A level as a source would say it, from what is known of its basis. */
export function shifted(level: Level, { usual }: Pick<SourceMemory, 'usual'>): Level {
  if (!isBasisKnown(usual)) return level

  return {
    buy: level.buy * Math.exp(usual.basisBuy / MILLION),
    sell: level.sell * Math.exp(usual.basisSell / MILLION),
  }
}

/** What a source says, in the terms of the value in effect. */
export function unshifted(level: Level, { usual }: Pick<SourceMemory, 'usual'>): Level {
  const { basisBuy, basisSell } = usual
  return shifted(level, { usual: { ...usual, basisBuy: -basisBuy, basisSell: -basisSell } })
}

export function isBasisKnown({ samples }: Usual): boolean {
  return samples >= KNOWN_AFTER
}

/** Whether a distance can be a matter of definition; beyond the cap something is wrong. */
export function isLearnable(
  source: SourceMemory,
  inEffect: Level,
  pair: Candidate['pair'],
): boolean {
  return (
    Math.abs(distance(inEffect.sell, source.sell)) <= capOf(source, limitsOf(pair)) &&
    Math.abs(distance(inEffect.buy, source.buy)) <= buyCapOf(source, limitsOf(pair))
  )
}

/** Learns from one calm cycle how far the source stands from the value in effect, and its noise. */
export function learnBasis(source: SourceMemory, inEffect: Level): Usual {
  const { usual } = source
  const weight = Math.min(usual.samples + 1, MOST_WEIGHT)
  const isNew = !isBasisKnown(usual)
  const learn = (known: number, step: number) => {
    const off = step * MILLION - known
    const heard = isNew ? off : clip(off, CLIP * MILLION)
    return known + Math.round(heard / weight)
  }
  const sell = distance(inEffect.sell, source.sell)
  const strayed = Math.abs(clip(sell * MILLION - usual.basisSell, 2 * CLIP * MILLION))

  return {
    ...usual,
    basisBuy: learn(usual.basisBuy, distance(inEffect.buy, source.buy)),
    basisSell: learn(usual.basisSell, sell),
    noise: usual.noise + Math.round((strayed - usual.noise) / weight),
    samples: weight,
  }
}

/**
 * The bases once another source speaks for the pair: they are measured from the value in effect,
 * which now has that source's definition.
 */
export function rebase(
  sources: readonly SourceMemory[],
  from: string | undefined,
  to: string,
  pair: Candidate['pair'],
): SourceMemory[] {
  const base = sources.find(({ name }) => name === to)?.usual
  if (!base || from === to) return [...sources]

  return sources.map((source) => {
    const isBase = source.name === from
    const { usual } = source
    const rebased = {
      ...usual,
      basisBuy: (isBase ? 0 : usual.basisBuy) - base.basisBuy,
      basisSell: (isBase ? 0 : usual.basisSell) - base.basisSell,
      noise: isBase ? base.noise : usual.noise,
      samples: isBase ? base.samples : Math.min(usual.samples, base.samples),
    }
    return { ...source, usual: isWithinCap(source, rebased, pair) ? rebased : forgetBasis(usual) }
  })
}

/** What is usual of a source without its basis, which turned out to be wrong. */
export function forgetBasis(usual: Usual): Usual {
  return { ...usual, basisBuy: 0, basisSell: 0, samples: 0 }
}

function isWithinCap(source: SourceMemory, usual: Usual, pair: Candidate['pair']): boolean {
  const limits = limitsOf(pair)
  return (
    Math.abs(usual.basisSell) <= capOf(source, limits) * MILLION &&
    Math.abs(usual.basisBuy) <= buyCapOf(source, limits) * MILLION
  )
}

function capOf({ sameDefinition }: SourceMemory, { basis }: Limits): number {
  return sameDefinition ? stepOf(basis) : Math.max(NEAR_CAP, stepOf(basis))
}

function buyCapOf(source: SourceMemory, limits: Limits): number {
  return Math.max(capOf(source, limits), stepOf(limits.buyBasis))
}

function clip(value: number, most: number): number {
  return Math.max(-most, Math.min(most, value))
}
