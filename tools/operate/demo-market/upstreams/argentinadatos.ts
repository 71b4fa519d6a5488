import { addDays, type Day } from '../../../../shared/argentine-time.ts'
import type { Market, Sides } from '../market.ts'
import { jsonUpstream } from '../upstream.ts'
import { bankDaysFrom, cut, daysFrom } from '../writing.ts'

/** The last value of each index, and closes of every calendar day from the beginning, oldest first. */
export const argentinadatos = jsonUpstream('api.argentinadatos.com', ({ pathname }, market) => {
  const { today, riesgo, uva, on } = market
  switch (pathname) {
    case '/v1/finanzas/indices/riesgo-pais/ultimo':
      return { valor: riesgo, fecha: today }
    case '/v1/finanzas/indices/riesgo-pais':
      return bankDaysFrom('1999-01-22', today).map((fecha) => ({ valor: on(fecha).riesgo, fecha }))
    case '/v1/finanzas/indices/uva':
      return daysFrom('2016-03-31', addDays(today, 7)).map((fecha) => ({
        fecha,
        valor: cut(uva(fecha)),
      }))
    case '/v1/cotizaciones/dolares':
      return daysFrom('2011-01-03', today).flatMap((fecha) => dollarsOn(fecha, on(fecha)))
    default:
      return null
  }
})

const CASAS: [casa: string, from: Day, sides: (market: Market) => Sides][] = [
  ['blue', '2011-01-03', ({ blue }) => blue],
  ['oficial', '2011-01-03', ({ bna }) => bna],
  ['mayorista', '2011-01-03', ({ mayorista }) => mayorista],
  ['contadoconliqui', '2013-01-02', ({ ccl }) => ({ buy: ccl * 0.998, sell: ccl })],
  ['bolsa', '2018-10-29', ({ mep }) => ({ buy: mep * 0.999, sell: mep })],
  ['tarjeta', '2019-12-23', ({ bna }) => ({ buy: bna.buy * 1.3, sell: bna.sell * 1.3 })],
  ['cripto', '2023-02-07', ({ cripto }) => cripto],
]

function dollarsOn(fecha: Day, market: Market) {
  return CASAS.flatMap(([casa, from, sidesOf]) => {
    if (fecha < from) return []
    const { buy, sell } = sidesOf(market)
    return [{ casa, compra: cut(buy), venta: cut(sell), fecha }]
  })
}
