import { distance, type Level, widest } from './levels.ts'
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

/** A gap is a matter of definition: taxes on one side at most. Beyond it something is wrong. */
const LARGEST = 0.7

export function isLearnable(source: SourceMemory, inEffect: Level): boolean {
  return widest(inEffect, source) <= LARGEST
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

/**
 * The gaps once another source speaks for the pair: they are measured from the value in effect,
 * which now has that source's definition.
 */
export function rebaseGaps(
  sources: readonly SourceMemory[],
  from: string | undefined,
  to: string,
): SourceMemory[] {
  const base = sources.find(({ name }) => name === to)
  if (!base || from === to) return [...sources]

  return sources.map((source) => {
    const isBase = source.name === from
    return {
      ...source,
      gapBuy: (isBase ? 0 : source.gapBuy) - base.gapBuy,
      gapSell: (isBase ? 0 : source.gapSell) - base.gapSell,
      samples: isBase ? base.samples : Math.min(source.samples, base.samples),
    }
  })
}
