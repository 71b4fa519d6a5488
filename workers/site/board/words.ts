/** Prices, percents and ages as they are written here. */
import {
  DAY_MS,
  formatArgentine,
  HOUR_MS,
  type Instant,
  MINUTE_MS,
} from '../../../shared/argentine-time.ts'
import type { Currency, Pair } from '../../../shared/market/catalog.ts'
import type { Price } from '../../../shared/market/price.ts'
import { formatScaled } from '../public/static/convert.js'

type Units = Pick<Pair, 'valueType' | 'decimals'>

/** `1.430,00`; a pair of four decimals shows its last two only where they say something. */
export function priceText(price: Price, { decimals }: Pick<Pair, 'decimals'>): string {
  const shown = decimals === 4 && price % 100 === 0 ? 2 : decimals
  return formatScaled(BigInt(Math.round(price / 10 ** (4 - shown))), shown)
}

/** The price with its unit: `$ 1.430,00`, `623 puntos`, or the bare coefficient. */
export function valueText(price: Price, pair: Units): string {
  const number = priceText(price, pair)
  if (pair.valueType === 'money') return `$\u00a0${number}`
  return pair.valueType === 'points' ? `${number}\u00a0puntos` : number
}

/** `+1,42 %`; the minus is the typographic one. */
export function percentText(percent: number): string {
  const sign = percent > 0 ? '+' : percent < 0 ? '−' : ''
  return `${sign}${Math.abs(percent).toFixed(2).replace('.', ',')}\u00a0%`
}

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

/** `recién`, `hace 3 min`, `hace 2 h`, `hace 4 días`. */
export function ageText(since: Instant, now: Instant): string {
  const age = now - since
  if (age < MINUTE_MS) return 'recién'
  if (age < HOUR_MS) return `hace ${Math.floor(age / MINUTE_MS)} min`
  if (age < DAY_MS) return `hace ${Math.floor(age / HOUR_MS)} h`
  const days = Math.floor(age / DAY_MS)
  return days === 1 ? 'hace 1 día' : `hace ${days} días`
}

/** `21/11/2026 15:04`, Argentine time. */
export function momentText(instant: Instant): string {
  const printed = formatArgentine(instant)
  return `${dayText(printed.slice(0, 10))} ${printed.slice(11, 16)}`
}

/** A day `2026-11-21` as `21/11/2026`. */
export function dayText(day: string): string {
  const [year, month, date] = day.split('-')
  return `${date}/${month}/${year}`
}

export const CURRENCY_NAMES: Record<Currency, string> = {
  USD: 'Dólar',
  EUR: 'Euro',
  BRL: 'Real brasileño',
  CLP: 'Peso chileno',
  UYU: 'Peso uruguayo',
  ARG: 'Índices argentinos',
}

/** What an amount of the pair is counted in, in the plural. */
export const UNITS: Record<Currency, string> = {
  USD: 'dólares',
  EUR: 'euros',
  BRL: 'reales',
  CLP: 'pesos chilenos',
  UYU: 'pesos uruguayos',
  ARG: 'UVA',
}

/** `/usd/blue`: the one address of a pair's page. */
export function pairPath(pair: Pick<Pair, 'currency' | 'origin'>): string {
  return `/${pair.currency}/${pair.origin}`.toLowerCase()
}
