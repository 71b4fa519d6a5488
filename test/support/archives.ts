import { createServer } from 'node:http'
import { addDays, type Day, type Instant, MINUTE_MS } from '../../shared/argentine-time.ts'
import { bankDayBefore, isBankDay } from '../../shared/market/holidays.ts'
import { answer, bankDaysFrom, cut, daysFrom } from '../../tools/operate/demo-market/documents.ts'
import {
  type Market,
  marketAt,
  marketOn,
  type Sides,
  uvaOn,
} from '../../tools/operate/demo-market/market.ts'
import { listen, type Listening } from '../../tools/support/listen.ts'

/** A server that replays the archives' documents, and may fail. */
export interface Archives extends AsyncDisposable {
  url: string
  /** Addresses asked so far, `HOST/PATH?QUERY`. */
  asked: string[]
  /** What an address answers instead: a status, or a text. */
  instead: (address: string) => number | string | null
}

/** Archives of the demo market's past, in their real formats, as they stand at one instant. */
export async function openArchives(now: Instant): Promise<Archives> {
  const archives: Pick<Archives, 'asked' | 'instead'> = { asked: [], instead: () => null }
  const market = marketAt(now, { seed: 3, stepMs: 5 * MINUTE_MS })
  // A document of some thousand days is made once, however often it is asked for.
  const documents = new Map<string, string | null>()
  function documentOf(path: string): string | null {
    if (!documents.has(path)) documents.set(path, archiveAt(new URL(`https:/${path}`), market))
    return documents.get(path)!
  }
  const server = createServer((request, response) => {
    const address = request.url!.slice(1)
    archives.asked.push(address)
    const instead = archives.instead(address)
    if (typeof instead === 'number') return void response.writeHead(instead).end()

    const body = instead === null ? documentOf(request.url!) : instead
    response.writeHead(body === null ? 404 : 200).end(body)
  })
  const listening: Listening = await listen(server)

  return Object.assign(archives, {
    url: `http://127.0.0.1:${listening.port}`,
    [Symbol.asyncDispose]: () => listening[Symbol.asyncDispose](),
  })
}

/** The document of an archive; what only a cycle asks for too is the demo market's. */
function archiveAt(address: URL, market: Market): string | null {
  const series = ARCHIVES[address.host]?.(address, market)
  return series ? JSON.stringify(series) : answer(address, market)
}

const ARCHIVES: Readonly<Record<string, (address: URL, market: Market) => object | null>> = {
  'api.argentinadatos.com': ({ pathname }, market) => {
    const { today } = market
    switch (pathname) {
      case '/v1/finanzas/indices/riesgo-pais':
        return bankDaysFrom('1999-01-22', today).map((fecha) => ({
          valor: marketOn(fecha, market).riesgo,
          fecha,
        }))
      case '/v1/finanzas/indices/uva':
        return daysFrom('2016-03-31', addDays(today, 7)).map((fecha) => ({
          fecha,
          valor: cut(uvaOn(fecha)),
        }))
      case '/v1/cotizaciones/dolares':
        return daysFrom('2011-01-03', today).flatMap((fecha) =>
          dollarsOn(fecha, marketOn(fecha, market)),
        )
      default:
        return null
    }
  },
  'api.bcra.gob.ar': ({ pathname, searchParams }, market) => {
    const [, code] = /\/Cotizaciones\/([A-Z]{3})$/.exec(pathname) ?? []
    return code === undefined ? null : closingRatesOf(code, market, searchParams)
  },
}

const CASAS: readonly [casa: string, from: Day, sides: (market: Market) => Sides][] = [
  ['blue', '2011-01-03', ({ blue }) => blue],
  ['oficial', '2011-01-03', ({ bna }) => bna],
  ['mayorista', '2011-01-03', ({ mayorista }) => mayorista],
  ['contadoconliqui', '2013-01-02', ({ ccl }) => ccl],
  ['bolsa', '2018-10-29', ({ mep }) => mep],
  ['tarjeta', '2019-12-23', ({ bna }) => ({ buy: bna.buy * 1.3, sell: bna.sell * 1.3 })],
  ['cripto', '2023-02-07', ({ cripto }) => cripto],
]

function dollarsOn(fecha: Day, market: Market) {
  return CASAS.filter(([, from]) => fecha >= from).map(([casa, , sidesOf]) => {
    const { buy, sell } = sidesOf(market)
    return { casa, compra: cut(buy), venta: cut(sell), fecha }
  })
}

/** A day that the real one has twice. */
const DOUBLED_DAY = '2017-09-06'

/** One currency day by day, newest first; a holiday within the week has no detail. */
function closingRatesOf(code: string, market: Market, range: URLSearchParams) {
  const to = range.get('fechahasta')!
  const lastClose = bankDayBefore(market.today)
  const days = daysFrom(range.get('fechadesde')!, to < lastClose ? to : lastClose)
  const weekdays = days.filter((day) => ![0, 6].includes(new Date(day).getUTCDay()))
  const results = weekdays.toReversed().map((fecha) => {
    const dollars = marketOn(fecha, market).dollars[code as keyof Market['dollars']]
    const rate = {
      codigoMoneda: code,
      descripcion: code,
      tipoPase: cut(dollars, 8),
      tipoCotizacion: cut(dollars * market.a3500On(fecha), 8),
    }
    const isDoubled = fecha === DOUBLED_DAY
    return { fecha, detalle: isBankDay(fecha) ? (isDoubled ? [rate, rate] : [rate]) : [] }
  })
  return { metadata: { resultset: { count: results.length } }, results }
}
