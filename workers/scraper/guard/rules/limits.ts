import { type Pair, type PairKey, pairKey } from '../../../../shared/market/catalog.ts'

/**
 * What is usual for a pair. Shares are fractions (0.03 is 3 %). The figures come from fifteen
 * months of hourly values (2024-01 to 2025-03) and two of 2026, and stand well away from them:
 * a limit that real days touch would hold real days.
 */
export interface Limits {
  /** A step of `sell` within a running day that needs no second opinion. */
  jump: number
  /** How many such steps `buy` may make: banks show a buy that switches between two counters. */
  buyRoom: number
  /** Sell over buy, less one: beyond it a value is held, beyond `absurd` nothing but an operator frees it. */
  wideSpread: number
  absurdSpread: number
  /** How far sources of the same definition stand apart on an ordinary day. */
  gap: number
  /** A smaller change than this is none. */
  minChange: number
  /** Outside these (in units, not in `Price`) a value cannot be right in this decade. */
  lowest: number
  highest: number
}

/** Values set by banks and authorities: the largest honest hourly step seen is 2.1 %. */
const OFFICIAL: Limits = {
  jump: 0.03,
  buyRoom: 2,
  wideSpread: 0.12,
  absurdSpread: 0.3,
  gap: 0,
  minChange: 0,
  lowest: 50,
  highest: 50_000,
}

/** Values made by trading all day: steps of 3 % happen some times a year. */
const MARKET: Limits = { ...OFFICIAL, jump: 0.04, wideSpread: 0.08, gap: 0.006 }

const LIMITS: Record<PairKey | string, Limits> = {
  'USD/OFICIAL': { ...OFFICIAL, gap: 0.0075 },
  'USD/BNA': OFFICIAL,
  'USD/BLUE': MARKET,
  'USD/MAYORISTA': OFFICIAL,
  'USD/BOLSA': MARKET,
  // Thin last trades move it up to 4.9 % between two readings.
  'USD/CCL': { ...MARKET, jump: 0.05, gap: 0.01 },
  // Around the clock, with the widest books; 0.05 % is the minimum change (decision 51).
  'USD/CRIPTO': { ...MARKET, jump: 0.05, wideSpread: 0.14, gap: 0.01, minChange: 0.0005 },
  // Ámbito taxes only the sell side: 35 % today, 68 % before the end of 2024, by construction.
  'USD/TARJETA': { ...OFFICIAL, buyRoom: 20, wideSpread: 0.8, absurdSpread: 1.2 },
  'USD/FUTURO': { ...MARKET, gap: 0.003 },
  'EUR/OFICIAL': { ...OFFICIAL, gap: 0.0075 },
  'EUR/BNA': OFFICIAL,
  'EUR/BLUE': MARKET,
  'BRL/OFICIAL': { ...OFFICIAL, gap: 0.004, lowest: 8, highest: 8000 },
  'BRL/BNA': { ...OFFICIAL, lowest: 8, highest: 8000 },
  'CLP/OFICIAL': { ...OFFICIAL, gap: 0.004, lowest: 0.05, highest: 50 },
  'UYU/OFICIAL': { ...OFFICIAL, gap: 0.004, lowest: 1, highest: 1000 },
  // 1081 to 708 points over one weekend happened.
  'ARG/RIESGO': { ...OFFICIAL, jump: 0.15, lowest: 20, highest: 20_000 },
  'ARG/CER': OFFICIAL,
  'ARG/UVA': OFFICIAL,
}

export function limitsOf(pair: Pair): Limits {
  return LIMITS[pairKey(pair)] ?? OFFICIAL
}
