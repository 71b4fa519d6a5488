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
  /** How far apart the two counters lie between which banks switch their `buy`. */
  buySwitch: number
  /** How far beyond its usual spread a source may go without a second opinion. */
  spreadRoom: number
  /** How far sell may stand below buy: only thin bond books cross at all. */
  inversion: number
  /** How far sources of the same definition stand apart on an ordinary day. */
  dispersion: number
  /** How far they can stand apart for good: nothing is learned beyond it. */
  basis: number
  /** The same for `buy`, where sources tax or choose it differently. */
  buyBasis: number
  /** A smaller change than this is none. */
  minChange: number
  /** Outside these (in units, not in `Price`) a value cannot be right in this decade. */
  lowest: number
  highest: number
}

/** Values set by banks and authorities: the largest honest hourly step seen is 2.1 %. */
const OFFICIAL: Limits = {
  jump: 0.03,
  // 4.7 % apart in 2024, and a witness strays by a per cent meanwhile.
  buySwitch: 0.06,
  buyRoom: 2,
  wideSpread: 0.12,
  absurdSpread: 0.3,
  spreadRoom: 0.01,
  inversion: 0,
  dispersion: 0,
  basis: 0.01,
  buyBasis: 0.01,
  minChange: 0,
  lowest: 50,
  highest: 50_000,
}

/** Values made by trading all day: steps of 3 % happen some times a year. */
const MARKET: Limits = {
  ...OFFICIAL,
  jump: 0.04,
  buySwitch: 0,
  wideSpread: 0.08,
  dispersion: 0.006,
}

/** Two books of bonds, whose best prices cross by a little. */
const BONDS: Limits = { ...MARKET, spreadRoom: 0.02, inversion: 0.025, basis: 0.015 }

const LIMITS: Record<PairKey | string, Limits> = {
  // An average of banks beside one bank: 3.4 % apart for months of 2024.
  'USD/OFICIAL': { ...OFFICIAL, dispersion: 0.0075, basis: 0.04, buyBasis: 0.06 },
  'USD/BNA': OFFICIAL,
  'USD/BLUE': MARKET,
  'USD/MAYORISTA': { ...OFFICIAL, buyBasis: 0.05 },
  'USD/BOLSA': BONDS,
  // Thin last trades move it up to 4.9 % between two readings; its books cross by up to 4.0 %.
  'USD/CCL': { ...BONDS, jump: 0.05, dispersion: 0.01, basis: 0.02, inversion: 0.045 },
  // Around the clock, with the widest books; 0.05 % is the minimum change (decision 51).
  'USD/CRIPTO': {
    ...MARKET,
    wideSpread: 0.14,
    // Offers of several exchanges: the best buy dips by 5 % on honest days.
    buySwitch: 0.05,
    spreadRoom: 0.04,
    inversion: 0.005,
    dispersion: 0.01,
    basis: 0.04,
    buyBasis: 0.06,
    minChange: 0.0005,
  },
  // Ámbito taxes only the sell side: 35 % today, 68 % before the end of 2024, by construction.
  'USD/TARJETA': { ...OFFICIAL, buyRoom: 20, wideSpread: 0.8, absurdSpread: 1.2, buyBasis: 0.7 },
  'USD/FUTURO': { ...MARKET, dispersion: 0.003 },
  'EUR/OFICIAL': { ...OFFICIAL, dispersion: 0.0075 },
  'EUR/BNA': OFFICIAL,
  'EUR/BLUE': MARKET,
  'BRL/OFICIAL': { ...OFFICIAL, dispersion: 0.004, lowest: 8, highest: 8000 },
  'BRL/BNA': { ...OFFICIAL, lowest: 8, highest: 8000 },
  'CLP/OFICIAL': { ...OFFICIAL, dispersion: 0.004, lowest: 0.05, highest: 50 },
  'UYU/OFICIAL': { ...OFFICIAL, dispersion: 0.004, lowest: 1, highest: 1000 },
  // 1081 to 708 points over one weekend happened.
  'ARG/RIESGO': { ...OFFICIAL, jump: 0.15, lowest: 20, highest: 20_000 },
  'ARG/CER': OFFICIAL,
  'ARG/UVA': OFFICIAL,
}

export function limitsOf(pair: Pair): Limits {
  return LIMITS[pairKey(pair)] ?? OFFICIAL
}
