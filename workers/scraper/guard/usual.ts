import { priceToNumber } from '../../../shared/market/price.ts'
import type { Level } from './level.ts'
import { type Pair, type PairKey, pairKey } from '../../../shared/market/catalog.ts'

/** Usual and possible values of a pair. Shares are fractions: 0.03 is 3 %. */
export interface Usual {
  /** The usual size of the pair's changes. */
  step: number
  /** The largest permanent distance between sources of the same definition (else at least 5 %). */
  basis: number
  /** The same distance for `buy`, which some sources tax or define differently. */
  buyBasis: number
  /** How far sell may be below buy. Only order books cross. */
  crossing: number
  /** A reading with a wider spread is not a quote. */
  widest: number
  /** A smaller change does not count as a change. */
  minChange: number
  /** Outside these bounds (in pesos or points, not in `Price`), a value is wrong in this decade. */
  lowest: number
  highest: number
  /** Pairs that follow this pair by arbitrage or a slow cross rate. May contain the pair itself. */
  relatives: readonly PairKey[]
}

const FINANCIAL: readonly PairKey[] = ['USD/BOLSA', 'USD/CCL', 'USD/CRIPTO', 'USD/BLUE']
/** Without the card dollar, which is derived from Banco Nación’s dollar. */
const BANKS: readonly PairKey[] = ['USD/BNA', 'USD/MAYORISTA', 'USD/OFICIAL']

/** Values set by banks and authorities. */
const OFFICIAL: Usual = {
  step: 0.005,
  basis: 0.01,
  buyBasis: 0.01,
  crossing: 0,
  widest: 0.3,
  minChange: 0,
  lowest: 50,
  highest: 50_000,
  relatives: BANKS,
}

/** Values of continuous trading. */
const MARKET: Usual = { ...OFFICIAL, step: 0.006, relatives: FINANCIAL }

/** Ratios of two order books of bonds, whose best prices sometimes cross a little. */
const BONDS: Usual = { ...MARKET, basis: 0.015, buyBasis: 0.02, crossing: 0.02 }

const EURO: Usual = { ...OFFICIAL, relatives: [...BANKS, 'EUR/OFICIAL', 'EUR/BNA'] }
const REAL: Usual = {
  ...OFFICIAL,
  lowest: 8,
  highest: 8000,
  relatives: [...BANKS, 'BRL/OFICIAL', 'BRL/BNA'],
}

/** Values that do not follow an exchange rate. */
const INDEX: Usual = { ...OFFICIAL, relatives: [] }

/** A pair that is not listed here is an official rate near the value of a dollar. */
const USUAL: Partial<Record<PairKey, Usual>> = {
  // One source is an average of banks, another a single bank: 3.4 % apart for months of 2024.
  'USD/OFICIAL': { ...OFFICIAL, basis: 0.04, buyBasis: 0.06 },
  'USD/BLUE': MARKET,
  'USD/MAYORISTA': { ...OFFICIAL, buyBasis: 0.05 },
  'USD/BOLSA': BONDS,
  'USD/CCL': { ...BONDS, step: 0.008, basis: 0.02 },
  // 0.05 % is the minimum change (decision 51).
  'USD/CRIPTO': {
    ...MARKET,
    step: 0.008,
    basis: 0.04,
    buyBasis: 0.06,
    crossing: 0.003,
    minChange: 0.0005,
  },
  // Ámbito taxes only the sell side: 35 % today, 68 % before the end of 2024.
  'USD/TARJETA': { ...OFFICIAL, widest: 1.2, buyBasis: 0.7 },
  'USD/FUTURO': { ...MARKET, relatives: BANKS },
  'EUR/OFICIAL': EURO,
  'EUR/BNA': EURO,
  'EUR/BLUE': { ...MARKET, relatives: ['USD/BLUE', 'USD/BOLSA', 'USD/CRIPTO'] },
  'BRL/OFICIAL': REAL,
  'BRL/BNA': REAL,
  'CLP/OFICIAL': { ...OFFICIAL, lowest: 0.05, highest: 50 },
  'UYU/OFICIAL': { ...OFFICIAL, lowest: 1, highest: 1000 },
  // Once it fell from 1081 to 708 points over a weekend.
  'ARG/RIESGO': { ...INDEX, step: 0.015, lowest: 20, highest: 20_000 },
  'ARG/CER': INDEX,
  'ARG/UVA': INDEX,
}

export function usualOf(pair: Pair): Usual {
  return USUAL[pairKey(pair)] ?? OFFICIAL
}

/** Whether a value is possible for the pair in this decade. */
export function isPlausible({ buy, sell }: Level, { lowest, highest }: Usual): boolean {
  return [buy, sell].map(priceToNumber).every((value) => value >= lowest && value <= highest)
}

/** The average of banks and the largest bank may print the same quote. */
export function mayCoincide(one: Pair, other: Pair): boolean {
  const alike: readonly PairKey[] = ['USD/OFICIAL', 'USD/BNA']
  return alike.includes(pairKey(one)) && alike.includes(pairKey(other))
}
