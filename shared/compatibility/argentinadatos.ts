/** Rows as ArgentinaDatos prints them. */
import type { Day } from '../argentine-time.ts'
import { type Price, priceToNumber } from '../market/price.ts'

/** A dollar of a day. */
export function dollarOfDay(casa: string, fecha: Day, buy: Price, sell: Price) {
  return { casa, compra: priceToNumber(buy), venta: priceToNumber(sell), fecha }
}

/** An index of a day; each list has its own order of the keys. */
export const indexOfDay = {
  'riesgo-pais': (fecha: Day, value: Price) => ({ valor: priceToNumber(value), fecha }),
  uva: (fecha: Day, value: Price) => ({ fecha, valor: priceToNumber(value) }),
} as const

export type IndexName = keyof typeof indexOfDay

/** A row as an element of a list that is indented by two spaces. */
export function inList(row: object): string {
  return `  ${JSON.stringify(row, null, 2).replaceAll('\n', '\n  ')}`
}
