/** The service's currencies, origins and pairs, in the order in which lists print them. */

export const CURRENCIES = ['USD', 'EUR', 'BRL', 'CLP', 'UYU', 'ARG'] as const
export type Currency = (typeof CURRENCIES)[number]

export const ORIGINS = [
  'OFICIAL',
  'BNA',
  'BLUE',
  'MAYORISTA',
  'BOLSA',
  'CCL',
  'CRIPTO',
  'TARJETA',
  'FUTURO',
  'RIESGO',
  'CER',
  'UVA',
] as const
export type Origin = (typeof ORIGINS)[number]

export type ValueType = 'money' | 'points' | 'coefficient'

export interface Pair {
  /**
   * Tables store this id: never reuse or change an id. Remove a pair together with a migration that
   * deletes its subscriptions and alerts.
   */
  readonly id: number
  readonly currency: Currency
  readonly origin: Origin
  readonly name: string
  readonly valueType: ValueType
  /** Decimals that are stored. A value has changed if it differs after this rounding. */
  readonly decimals: 0 | 2 | 4
  /** An index, which is a single number: buy always equals sell. */
  readonly singleValue: boolean
}

/** `USD/BLUE`: how logs, configuration and commands name a pair. */
export type PairKey = `${Currency}/${Origin}`

export const PAIRS: readonly Pair[] = [
  pair(1, 'USD', 'OFICIAL', 'Dólar Oficial', 'money', 2),
  pair(2, 'USD', 'BNA', 'Dólar Banco Nación', 'money', 2),
  pair(3, 'USD', 'BLUE', 'Dólar Blue', 'money', 2),
  pair(4, 'USD', 'MAYORISTA', 'Dólar Mayorista', 'money', 4),
  pair(5, 'USD', 'BOLSA', 'Dólar Bolsa (MEP)', 'money', 2),
  pair(6, 'USD', 'CCL', 'Dólar CCL', 'money', 2),
  pair(7, 'USD', 'CRIPTO', 'Dólar Cripto', 'money', 2),
  pair(8, 'USD', 'TARJETA', 'Dólar Tarjeta', 'money', 2),
  pair(9, 'USD', 'FUTURO', 'Dólar Futuro', 'money', 2),
  pair(10, 'EUR', 'OFICIAL', 'Euro Oficial', 'money', 4),
  pair(11, 'EUR', 'BNA', 'Euro Banco Nación', 'money', 4),
  pair(12, 'EUR', 'BLUE', 'Euro Blue', 'money', 4),
  pair(13, 'BRL', 'OFICIAL', 'Real Oficial', 'money', 4),
  pair(14, 'BRL', 'BNA', 'Real Banco Nación', 'money', 4),
  pair(15, 'CLP', 'OFICIAL', 'Peso Chileno Oficial', 'money', 4),
  pair(16, 'UYU', 'OFICIAL', 'Peso Uruguayo Oficial', 'money', 4),
  pair(17, 'ARG', 'RIESGO', 'Riesgo País', 'points', 0),
  pair(18, 'ARG', 'CER', 'CER', 'coefficient', 2),
  pair(19, 'ARG', 'UVA', 'UVA', 'money', 2),
]

/** Explains the value of a pair whose name does not. */
export const PAIR_NOTES: Readonly<Partial<Record<PairKey, string>>> = {
  'USD/FUTURO':
    'El Dólar Futuro es el contrato que vence primero, el último día hábil de su mes. El día hábil siguiente pasa al contrato de ese mes, y el valor salta lo que vale un mes de plazo.',
}

const byKey = new Map(PAIRS.map((pair) => [pairKey(pair), pair]))
const byId = new Map(PAIRS.map((pair) => [pair.id, pair]))
const byCurrency = new Map(
  CURRENCIES.map((currency) => [currency, PAIRS.filter((pair) => pair.currency === currency)]),
)

/** The pair of two codes in any letter case, or undefined when the catalogue has none. */
export function findPair(currency: string, origin: string): Pair | undefined {
  return byKey.get(`${asciiUpper(currency)}/${asciiUpper(origin)}` as PairKey)
}

/** The pair named `usd/blue`, in any letter case. */
export function findPairByKey(key: string): Pair | undefined {
  return byKey.get(asciiUpper(key) as PairKey)
}

export function pairById(id: number): Pair | undefined {
  return byId.get(id)
}

/** The pairs of a currency in catalogue order, or undefined for an unknown currency. */
export function pairsOf(currency: string): readonly Pair[] | undefined {
  return byCurrency.get(asciiUpper(currency) as Currency)
}

export function pairKey(pair: Pick<Pair, 'currency' | 'origin'>): PairKey {
  return `${pair.currency}/${pair.origin}`
}

/** Upper case of ASCII letters only: `toUpperCase` would turn `uſd` (U+017F) into `USD`. */
function asciiUpper(text: string): string {
  return text.replace(/[a-z]/g, (letter) => letter.toUpperCase())
}

function pair(
  id: number,
  currency: Currency,
  origin: Origin,
  name: string,
  valueType: ValueType,
  decimals: Pair['decimals'],
): Pair {
  const singleValue = currency === 'ARG'
  return { id, currency, origin, name, valueType, decimals, singleValue }
}
