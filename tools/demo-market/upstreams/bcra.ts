import { addDays, type Day } from '../../../shared/argentine-time.ts'
import type { Market } from '../market.ts'
import { jsonUpstream } from '../upstream.ts'
import { bankDaysFrom, cut, daysFrom } from '../writing.ts'

/** How far ahead CER and UVA are published. */
const AHEAD_DAYS = 20

/** Closing rates of the last bank day, and the series of the main variables, newest first. */
export const bcra = jsonUpstream('api.bcra.gob.ar', ({ pathname, searchParams }, market) => {
  if (pathname === '/estadisticascambiarias/v1.0/Cotizaciones') return closingRates(market)

  const [, id] = /^\/estadisticas\/v4\.0\/Monetarias\/(\d+)$/.exec(pathname) ?? []
  const values = id ? seriesOf(Number(id), market, searchParams) : null
  if (!values) return null

  return {
    status: 200,
    metadata: { resultset: { count: values.length, offset: 0, limit: 1000 } },
    results: [{ idVariable: Number(id), detalle: values.toReversed() }],
  }
})

function closingRates({ lastClose, a3500, eurUsd, brlPerUsd, clpPerUsd, uyuPerUsd }: Market) {
  return {
    status: 200,
    results: {
      fecha: lastClose,
      detalle: [
        rate('BRL', 1 / brlPerUsd, a3500 / brlPerUsd),
        rate('CLP', 1 / clpPerUsd, a3500 / clpPerUsd),
        rate('EUR', eurUsd, a3500 * eurUsd),
        rate('REF', 0, a3500),
        rate('USD', 0, a3500 - 1),
        rate('UYU', 1 / uyuPerUsd, a3500 / uyuPerUsd),
      ],
    },
  }
}

function seriesOf(id: number, market: Market, range: URLSearchParams) {
  const from = range.get('desde') ?? addDays(market.today, -10)
  const to = range.get('hasta') ?? market.today
  const closed = () => bankDaysFrom(from, least(to, market.lastClose))
  const ahead = () => daysFrom(from, least(to, addDays(market.today, AHEAD_DAYS)))

  switch (id) {
    case 4:
      return closed().map(row(() => cut(market.oficial.sell)))
    case 5:
      return closed().map(row(() => cut(market.a3500, 4)))
    case 30:
      return ahead().map(row((day) => cut(market.cer(day), 11)))
    case 31:
      return ahead().map(row((day) => cut(market.uva(day))))
    default:
      return null
  }
}

function least(one: Day, other: Day): Day {
  return one < other ? one : other
}

function rate(code: string, dollars: number, pesos: number) {
  return {
    codigoMoneda: code,
    descripcion: code,
    tipoPase: cut(dollars, 8),
    tipoCotizacion: cut(pesos, 8),
  }
}

function row(valor: (day: Day) => number) {
  return (fecha: Day) => ({ fecha, valor: valor(fecha) })
}
