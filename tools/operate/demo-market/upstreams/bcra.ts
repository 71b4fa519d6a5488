import { addDays, type Day } from '../../../../shared/argentine-time.ts'
import { isBankDay } from '../../../../shared/market/holidays.ts'
import type { Market } from '../market.ts'
import { jsonUpstream } from '../upstream.ts'
import { bankDaysFrom, cut, daysFrom } from '../writing.ts'

const AHEAD_DAYS = 20

/** A day that the real one has twice. */
const DOUBLED_DAY = '2017-09-06'

/** Closing rates of the last bank day and by currency, and the main variables, newest first. */
export const bcra = jsonUpstream('api.bcra.gob.ar', ({ pathname, searchParams }, market) => {
  const [, , code] =
    /^\/estadisticascambiarias\/v1\.0\/Cotizaciones(\/([A-Z]{3}))?$/.exec(pathname) ?? []
  if (code !== undefined) return closingRatesOf(code, market, searchParams)
  if (pathname === '/estadisticascambiarias/v1.0/Cotizaciones') return closingRates(market)

  const [, id] = /^\/estadisticas\/v4\.0\/Monetarias\/(\d+)$/.exec(pathname) ?? []
  const values = id ? seriesOf(Number(id), market, searchParams) : null
  if (!values) return null

  const page = paged(values.toReversed(), searchParams)
  return { ...page, results: [{ idVariable: Number(id), detalle: page.results }] }
})

function closingRates(market: Market) {
  const rates = ['BRL', 'CLP', 'EUR', 'REF', 'USD', 'UYU'].map((code) =>
    rateOf(code, market, market.a3500),
  )
  return { status: 200, results: { fecha: market.lastClose, detalle: rates } }
}

/** One currency day by day; a holiday within the week has no detail. */
function closingRatesOf(code: string, market: Market, range: URLSearchParams) {
  const from = range.get('fechadesde') ?? addDays(market.today, -10)
  const to = least(range.get('fechahasta') ?? market.today, market.lastClose)
  const days = daysFrom(from, to).filter((day) => ![0, 6].includes(new Date(day).getUTCDay()))

  return paged(
    days.toReversed().map((fecha) => {
      const rate = rateOf(code, market.on(fecha), market.a3500On(fecha))
      if (!isBankDay(fecha)) return { fecha, detalle: [] }
      return { fecha, detalle: fecha === DOUBLED_DAY ? [rate, rate] : [rate] }
    }),
    range,
  )
}

function paged<Row>(rows: readonly Row[], range: URLSearchParams) {
  const [limit, offset] = [Number(range.get('limit') ?? 1000), Number(range.get('offset') ?? 0)]
  return {
    status: 200,
    metadata: { resultset: { count: rows.length, offset, limit } },
    results: rows.slice(offset, offset + limit),
  }
}

function rateOf(code: string, { eurUsd, brlPerUsd, clpPerUsd, uyuPerUsd }: Market, a3500: number) {
  switch (code) {
    case 'EUR':
      return rate(code, eurUsd, a3500 * eurUsd)
    case 'BRL':
      return rate(code, 1 / brlPerUsd, a3500 / brlPerUsd)
    case 'CLP':
      return rate(code, 1 / clpPerUsd, a3500 / clpPerUsd)
    case 'UYU':
      return rate(code, 1 / uyuPerUsd, a3500 / uyuPerUsd)
    case 'REF':
      return rate(code, 0, a3500)
    default:
      return rate(code, 0, a3500 - 1)
  }
}

function seriesOf(id: number, market: Market, range: URLSearchParams) {
  const from = range.get('desde') ?? addDays(market.today, -10)
  const to = range.get('hasta') ?? market.today
  const closed = () => bankDaysFrom(from, least(to, market.lastClose))
  const ahead = () => daysFrom(from, least(to, addDays(market.today, AHEAD_DAYS)))

  switch (id) {
    case 4:
      return closed().map(row((day) => cut(market.on(day).oficial.sell)))
    case 5:
      return closed().map(row((day) => cut(market.a3500On(day), 4)))
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
