import { distance, type Level } from './levels.ts'
import type { SourceMemory } from './memory.ts'

/** Before this many calm cycles (an hour) the gap of a source is not known. */
const KNOWN_AFTER = 12

/** Afterwards a day of calm cycles weighs as one: the source's own first steps barely move it. */
const MOST_WEIGHT = 288

const MILLION = 1_000_000

/**
 * The value in effect as this source would say it: sources of one pair stand apart by their
 * definition (an average of banks and one bank), and that gap is no news.
 */
export function shifted(level: Level, source: SourceMemory): Level {
  if (!isGapKnown(source)) return level

  return {
    buy: level.buy * Math.exp(source.gapBuy / MILLION),
    sell: level.sell * Math.exp(source.gapSell / MILLION),
  }
}

export function isGapKnown({ samples }: SourceMemory): boolean {
  return samples >= KNOWN_AFTER
}

/** Learns from one calm cycle how far the source stands from the value in effect. */
export function learnGap(source: SourceMemory, inEffect: Level): SourceMemory {
  const weight = Math.min(source.samples + 1, MOST_WEIGHT)
  const learn = (known: number, step: number) =>
    known + Math.round((step * MILLION - known) / weight)

  return {
    ...source,
    gapBuy: learn(source.gapBuy, distance(inEffect.buy, source.buy)),
    gapSell: learn(source.gapSell, distance(inEffect.sell, source.sell)),
    samples: weight,
  }
}
