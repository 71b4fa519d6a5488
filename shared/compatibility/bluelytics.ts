/** Bluelytics' numbers and rows: always two decimals. */
import type { Day } from '../argentine-time.ts'
import { type Price, priceToNumber, roundPrice } from '../market/price.ts'

/** `1520.00`: two decimals, half away from zero. */
export function twoDecimals(price: Price): string {
  return priceToNumber(roundPrice(price, 2)).toFixed(2)
}

type EvolutionRow = (day: Day, source: 'Oficial' | 'Blue', buy: Price, sell: Price) => string

/** One row of its evolution. */
export const evolutionRow: EvolutionRow = (day, source, buy, sell) =>
  `{"date":"${day}","source":"${source}","value_sell":${twoDecimals(sell)},"value_buy":${twoDecimals(buy)}}`

/** The same row as CSV, in which the two prices have the other order. */
export const evolutionCsvRow: EvolutionRow = (day, source, buy, sell) =>
  `${day},${source},${twoDecimals(buy)},${twoDecimals(sell)}`
