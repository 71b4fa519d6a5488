/**
 * Related pairs: a third witness beside two sources of one market. Dollars that arbitrage binds
 * move together within a few per cent a day, and so do the official rates; other currencies follow
 * the dollar times a cross rate that moves slowly.
 */
import { DAY_MS, type Instant } from '../../../../shared/argentine-time.ts'
import { type Pair, type PairKey, pairKey } from '../../../../shared/market/catalog.ts'
import type { MarketValue } from '../decision.ts'
import { distance, type Level } from './levels.ts'
import { MILLION, type RelativeMemory } from './memory.ts'

const FINANCIAL: readonly PairKey[] = ['USD/BOLSA', 'USD/CCL', 'USD/CRIPTO', 'USD/BLUE']
/** The card dollar is Banco Nación's times a tax: no voice of its own. */
const OFFICIAL: readonly PairKey[] = ['USD/BNA', 'USD/MAYORISTA', 'USD/OFICIAL']

const RELATIVES: Partial<Record<PairKey, readonly PairKey[]>> = {
  'USD/OFICIAL': OFFICIAL,
  'USD/BNA': OFFICIAL,
  'USD/MAYORISTA': OFFICIAL,
  'USD/TARJETA': OFFICIAL,
  'USD/FUTURO': ['USD/MAYORISTA', 'USD/BNA', 'USD/OFICIAL'],
  'USD/BLUE': FINANCIAL,
  'USD/BOLSA': FINANCIAL,
  'USD/CCL': FINANCIAL,
  'USD/CRIPTO': FINANCIAL,
  'EUR/OFICIAL': [...OFFICIAL, 'EUR/BNA'],
  'EUR/BNA': [...OFFICIAL, 'EUR/OFICIAL'],
  'EUR/BLUE': ['USD/BLUE', 'USD/BOLSA', 'USD/CRIPTO'],
  'BRL/OFICIAL': [...OFFICIAL, 'BRL/BNA'],
  'BRL/BNA': [...OFFICIAL, 'BRL/OFICIAL'],
  'CLP/OFICIAL': OFFICIAL,
  'UYU/OFICIAL': OFFICIAL,
}

/** A value that nobody confirmed for a day says nothing of where its market is. */
const FRESH_MS = DAY_MS

/** A ratio follows in a day of calm cycles; an hour of them (12) makes it known. */
const MOST_WEIGHT = 288
const KNOWN_AFTER = 12

/** One relative is one voice; two are a market. */
const FEWEST = 2

/**
 * How far a level stands from where its relatives usually have it: the median over them, as a
 * step of the logarithm. Null when fewer than two are known.
 */
export function offRelatives(
  sell: Level['sell'],
  ratios: readonly RelativeMemory[],
  market: readonly MarketValue[],
  now: Instant,
): number | null {
  const offs = ratios.flatMap(({ pair, ratio, samples }) => {
    const value = valueOf(pair, market, now)
    return value && samples >= KNOWN_AFTER ? [distance(value.sell, sell) - ratio / MILLION] : []
  })
  return offs.length >= FEWEST ? median(offs) : null
}

/** Learns from a calm cycle how the pair stands to each of its relatives. */
export function learnRatios(
  known: readonly RelativeMemory[],
  pair: Pair,
  { sell }: Level,
  market: readonly MarketValue[],
  now: Instant,
): RelativeMemory[] {
  const own = pairKey(pair)
  return (RELATIVES[own] ?? []).flatMap((key) => {
    const value = key === own ? undefined : valueOf(key, market, now)
    const before = known.find((one) => one.pair === key)
    if (!value) return before ? [before] : []

    const { ratio, samples } = before ?? { ratio: 0, samples: 0 }
    const weight = Math.min(samples + 1, MOST_WEIGHT)
    const step = Math.round((distance(value.sell, sell) * MILLION - ratio) / weight)
    return [{ pair: key, ratio: ratio + step, samples: weight }]
  })
}

function valueOf(key: string, market: readonly MarketValue[], now: Instant) {
  const value = market.find(({ pair }) => pairKey(pair) === key)
  return value && now - value.lastScrapedAt <= FRESH_MS ? value : undefined
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = (sorted.length - 1) / 2
  return (sorted[Math.floor(middle)]! + sorted[Math.ceil(middle)]!) / 2
}
