/** Texts of the board: currencies, amounts, times of confirmation, directions. */
import { argentineDay, type Instant } from '../../../shared/argentine-time.ts'
import type { Currency, Pair } from '../../../shared/market/catalog.ts'
import type { Price } from '../../../shared/market/price.ts'
import {
  dayText,
  priceText,
  rangeText,
  unitsOf,
  valueText,
  withUnit,
} from '../../../shared/market/spanish-text.ts'

export const CURRENCY_NAMES: Record<Currency, string> = {
  USD: 'Dólar',
  EUR: 'Euro',
  BRL: 'Real brasileño',
  CLP: 'Peso chileno',
  UYU: 'Peso uruguayo',
  ARG: 'Índices argentinos',
}

/** When a source last confirmed any value of the board: not the time of the last cycle. */
export function valuesText(
  { quotes }: { quotes: readonly { lastScrapedAt: string }[] },
  now: Instant,
): string {
  const instants = quotes.map(({ lastScrapedAt }) => lastScrapedAt)
  const last = instants.toSorted().at(-1)
  if (last === undefined) return 'Todavía no hay valores.'
  const day = last.slice(0, 10)
  const ofDay = day === argentineDay(now) ? '' : ` del ${dayText(day)}`
  return `Valores de las ${last.slice(11, 16)}${ofDay}, hora argentina.`
}

/** `compra $ 1.410,00, venta $ 1.430,00`, or the one value of the pair. */
export function bothSides(pair: Pair, { buy, sell }: { buy: Price; sell: Price }): string {
  const [bought, sold] = [buy, sell].map((price) => valueText(price, unitsOf(pair)))
  return pair.singleValue ? sold! : `compra ${bought}, venta ${sold}`
}

/** The lowest and highest sell of a day. */
export function dayRangeText(pair: Pair, range: { low: Price; high: Price } | null): string {
  if (!range) return 'sin cambios'
  const { low, high } = range
  const { valueType, decimals } = unitsOf(pair)
  const text = low === high ? priceText(low, decimals) : rangeText(low, high, decimals)
  return withUnit(text, valueType)
}

/** The unit of an amount of the pair, in the plural. */
export const UNITS: Record<Currency, string> = {
  USD: 'dólares',
  EUR: 'euros',
  BRL: 'reales',
  CLP: 'pesos chilenos',
  UYU: 'pesos uruguayos',
  ARG: 'UVA',
}

/** The address of a pair's page: `/usd/blue`. */
export function pairPath(pair: Pick<Pair, 'currency' | 'origin'>): string {
  return `/${pair.currency}/${pair.origin}`.toLowerCase()
}

/** The direction of a change, for pages and their scripts. */
export type Direction = 'up' | 'down' | 'flat'

export function directionOf(amount: number): Direction {
  return amount > 0 ? 'up' : amount < 0 ? 'down' : 'flat'
}

export const ARROWS: Record<Direction, string> = { up: '▲', down: '▼', flat: '=' }
export const DIRECTION_WORDS: Record<Direction, string> = {
  up: 'subió',
  down: 'bajó',
  flat: 'sin cambios',
}
