/**
 * The names of dollars and the formats of rows in DolarApi, ArgentinaDatos and Bluelytics, for
 * workers/edge/compatibility and the nightly files.
 */
import type { Day } from '../argentine-time.ts'
import { type Origin, type Pair, findPair } from './catalog.ts'
import { type Price, priceToNumber, roundPrice } from './price.ts'

export interface Casa {
  casa: string
  /** DolarApi's readable name. */
  nombre: string
  pair: Pair
}

/** In DolarApi's order. */
export const CASAS: readonly Casa[] = [
  casa('oficial', 'OFICIAL', 'Oficial'),
  casa('blue', 'BLUE', 'Blue'),
  casa('bolsa', 'BOLSA', 'Bolsa'),
  casa('contadoconliqui', 'CCL', 'Contado con liquidación'),
  casa('mayorista', 'MAYORISTA', 'Mayorista'),
  casa('cripto', 'CRIPTO', 'Cripto'),
  casa('tarjeta', 'TARJETA', 'Tarjeta'),
]

/** DolarApi has this row only at its Ámbito addresses, after the others. */
export const BNA: Casa = casa('bna', 'BNA', 'BNA')

const BY_NAME = CASAS.toSorted((a, b) => (a.casa < b.casa ? -1 : 1))

/**
 * From these days on, ArgentinaDatos prints rows in DolarApi's order, before that alphabetically.
 * Its list of all days changed one day later than its answers about one day.
 */
const ORDERED_SINCE = { day: '2024-01-30', list: '2024-01-31' } satisfies Record<string, Day>

/** ArgentinaDatos' order of a day's rows, in the answer about the day or the list of all days. */
export function casasOn(day: Day, where: keyof typeof ORDERED_SINCE): readonly Casa[] {
  return day < ORDERED_SINCE[where] ? BY_NAME : CASAS
}

function casa(casa: string, origin: Origin, nombre: string): Casa {
  return { casa, nombre, pair: findPair('USD', origin)! }
}

/** A dollar of a day, as ArgentinaDatos prints it. */
export function dollarOfDay(casa: string, fecha: Day, buy: Price, sell: Price) {
  return { casa, compra: priceToNumber(buy), venta: priceToNumber(sell), fecha }
}

/** An index on a day, as ArgentinaDatos prints it: the two lists differ in the order of keys. */
export const indexOfDay = {
  'riesgo-pais': (fecha: Day, value: Price) => ({ valor: priceToNumber(value), fecha }),
  uva: (fecha: Day, value: Price) => ({ fecha, valor: priceToNumber(value) }),
} as const

export type IndexName = keyof typeof indexOfDay

/** A row as an element of a JSON list that is indented by two spaces. */
export function inList(row: object): string {
  return `  ${JSON.stringify(row, null, 2).replaceAll('\n', '\n  ')}`
}

/** `1520.00`, as Bluelytics prints prices: two decimals, half away from zero. */
export function twoDecimals(price: Price): string {
  return priceToNumber(roundPrice(price, 2)).toFixed(2)
}

type EvolutionRow = (day: Day, source: 'Oficial' | 'Blue', buy: Price, sell: Price) => string

/** One row of Bluelytics' evolution. */
export const evolutionRow: EvolutionRow = (day, source, buy, sell) =>
  `{"date":"${day}","source":"${source}","value_sell":${twoDecimals(sell)},"value_buy":${twoDecimals(buy)}}`

/** The same row as CSV, where `buy` comes before `sell`. */
export const evolutionCsvRow: EvolutionRow = (day, source, buy, sell) =>
  `${day},${source},${twoDecimals(buy)},${twoDecimals(sell)}`
