/**
 * Related pairs as one voice. Dollars that arbitrage binds move together within a few per cent a day,
 * and so do the official rates; other currencies follow the dollar times a cross rate that moves slowly.
 */
import { DAY_MS, type Instant } from '../../../../shared/argentine-time.ts'
import { type Pair, pairKey } from '../../../../shared/market/catalog.ts'
import type { MarketValue } from '../decision.ts'
import { clip, distance } from '../level.ts'
import { MILLION, millionths, type RelativesMemory } from '../memory.ts'
import { relativesOf } from '../usual.ts'
import { CLIP, DAY_CYCLES, KNOWN_CYCLES } from '../weights.ts'

/** How far a sell stands from where its relatives usually have it: the median; null when none is known. */
export function offRelatives(
  sell: number,
  { ratios }: RelativesMemory,
  market: readonly MarketValue[],
  now: Instant,
): number | null {
  const offs = ratios.flatMap(({ pair, ratio, samples }) => {
    const value = valueOf(pair, market, now)
    return value && samples >= KNOWN_CYCLES ? [distance(value.sell, sell) - ratio / MILLION] : []
  })
  if (offs.length === 0) return null

  const sorted = offs.toSorted((a, b) => a - b)
  const middle = (sorted.length - 1) / 2
  return (sorted[Math.floor(middle)]! + sorted[Math.ceil(middle)]!) / 2
}

/** Learns from a calm cycle how the pair stands to each of its relatives, and how far it strays. */
export function learnRelatives(
  known: RelativesMemory,
  pair: Pair,
  sell: number,
  market: readonly MarketValue[],
  now: Instant,
): RelativesMemory {
  const ratios = relativesOf(pair).flatMap((key) => {
    const value = valueOf(key, market, now)
    const before = known.ratios.find((one) => one.pair === key)
    if (!value) return before ? [before] : []

    const { ratio, samples } = before ?? { ratio: 0, samples: 0 }
    const weight = Math.min(samples + 1, DAY_CYCLES)
    const off = distance(value.sell, sell) - ratio / MILLION
    return [{ pair: key, ratio: ratio + millionths(off / weight), samples: weight }]
  })
  const off = offRelatives(sell, known, market, now)
  const strayed = off === null ? known.noise : clip(millionths(Math.abs(off)), 2 * CLIP * MILLION)
  return { ratios, noise: Math.round(known.noise + (strayed - known.noise) / DAY_CYCLES) }
}

/** A value that nobody confirmed for a day says nothing of where its market is. */
function valueOf(key: string, market: readonly MarketValue[], now: Instant) {
  const value = market.find(({ pair }) => pairKey(pair) === key)
  return value && now - value.lastScrapedAt <= DAY_MS ? value : undefined
}
