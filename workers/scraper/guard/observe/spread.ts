/**
 * The spread that is usual for a source: two bounds, between which nearly all of its spreads lie.
 * Each cycle moves a bound by a fixed small amount, so that no single spread moves it far.
 */
import { type Level, spreadOf } from './levels.ts'
import { MILLION, type Usual } from './memory.ts'

/** Outwards 0.02 % a cycle: a fault that stands for an hour moves a bound by 0.24 %. */
const OUT = 200

/** Inwards a two hundredth of that: markets forget a rough week in months. */
const IN = 1

/** Cycles (a quarter of a trading day) before the bounds count. */
const KNOWN_AFTER = 36
const MOST = 1000

/** Learns from one cycle. One number for both sides says nothing of a spread. */
export function learnSpread(usual: Usual, level: Level): Usual {
  if (level.buy === level.sell) return usual

  const spread = millionths(level)
  const spreads = Math.min(usual.spreads + 1, MOST)
  if (usual.spreads === 0) return { ...usual, spreads, spreadLow: spread, spreadHigh: spread }

  const { spreadLow: low, spreadHigh: high } = usual
  return {
    ...usual,
    spreads,
    spreadLow: spread < low ? Math.max(spread, low - OUT) : Math.min(spread, low + IN),
    spreadHigh: spread > high ? Math.min(spread, high + OUT) : Math.max(spread, high - IN),
  }
}

/** A spread that was believed after all is a usual one from now on. */
export function includeSpread(usual: Usual, level: Level): Usual {
  if (level.buy === level.sell) return usual

  const spread = millionths(level)
  return {
    ...usual,
    spreadLow: Math.min(usual.spreadLow, spread),
    spreadHigh: Math.max(usual.spreadHigh, spread),
  }
}

/** The usual bounds as shares; null when too little was heard of the source. */
export function usualSpread(usual: Usual): { low: number; high: number } | null {
  if (usual.spreads < KNOWN_AFTER) return null
  return { low: usual.spreadLow / MILLION, high: usual.spreadHigh / MILLION }
}

/** Memory goes through JSON, which knows no negative zero. */
function millionths(level: Level): number {
  return Math.round(spreadOf(level) * MILLION) + 0
}
