/** Texts of the board: currencies, amounts, times of confirmation, directions. */
import { argentineDay, type Instant } from '../../../shared/argentine-time.ts'
import type { Currency, Pair } from '../../../shared/market/catalog.ts'
import { dayText } from '../../../shared/market/spanish-text.ts'

export const CURRENCY_NAMES: Record<Currency, string> = {
  USD: 'Dólar',
  EUR: 'Euro',
  BRL: 'Real brasileño',
  CLP: 'Peso chileno',
  UYU: 'Peso uruguayo',
  ARG: 'Índices argentinos',
}

/** When a source last confirmed any value of the board. A cycle without answers does not count. */
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
