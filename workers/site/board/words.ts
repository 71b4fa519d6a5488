/** Prices, percents and ages as they are written here. */
import { argentineDay, formatArgentine, type Instant } from '../../../shared/argentine-time.ts'
import type { Board } from '../../../shared/board/board.ts'
import type { Currency, Pair } from '../../../shared/market/catalog.ts'
import type { Price } from '../../../shared/market/price.ts'
import { priceText as print } from '../public/static/quote-text.js'

export {
  ageText,
  ARROWS,
  DIRECTION_WORDS,
  directionOf,
  percentText,
  valueText,
} from '../public/static/quote-text.js'

/** `1.430,00`; a pair of four decimals shows its last two only when they are not zero. */
export function priceText(price: Price, { decimals }: Pick<Pair, 'decimals'>): string {
  return print(price, decimals)
}

/** `21/11/2026 15:04`, Argentine time, to the minute or to the second. */
export function momentText(instant: Instant, to: 'minutes' | 'seconds' = 'minutes'): string {
  const printed = formatArgentine(instant)
  return `${dayText(printed.slice(0, 10))} ${printed.slice(11, to === 'minutes' ? 16 : 19)}`
}

/** A day `2026-11-21` as `21/11/2026`. */
export function dayText(day: string): string {
  const [year, month, date] = day.split('-')
  return `${date}/${month}/${year}`
}

const MONTHS =
  'enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre'.split(
    ' ',
  )

/** A day `2026-11-21` as `21 de noviembre de 2026`. */
export function longDayText(day: string): string {
  const [year, month, date] = day.split('-').map(Number)
  return `${date} de ${MONTHS[month! - 1]} de ${year}`
}

export const CURRENCY_NAMES: Record<Currency, string> = {
  USD: 'Dólar',
  EUR: 'Euro',
  BRL: 'Real brasileño',
  CLP: 'Peso chileno',
  UYU: 'Peso uruguayo',
  ARG: 'Índices argentinos',
}

/** When a source last confirmed a value of the board: a cycle in which none answers confirms none. */
export function valuesText({ quotes }: Pick<Board, 'quotes'>, now: Instant): string {
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

/** `/usd/blue`: the one address of a pair's page. */
export function pairPath(pair: Pick<Pair, 'currency' | 'origin'>): string {
  return `/${pair.currency}/${pair.origin}`.toLowerCase()
}
