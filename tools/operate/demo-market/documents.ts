/** The documents that the demo market serves, for every address that the scraper requests. */
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import {
  addDays,
  argentineDay,
  type Day,
  dayEnd,
  formatArgentine,
  formatUtc,
  type Instant,
} from '../../../shared/argentine-time.ts'
import { bankDayBefore, BRIDGE, closedDay, isBankDay } from '../../../shared/market/holidays.ts'
import { MONTHS } from '../../../shared/market/spanish-text.ts'
import { listen } from '../../support/listen.ts'
import {
  a3500On,
  around,
  cerOn,
  type Market,
  marketAt,
  marketOfTable,
  type Sides,
  TICK_MS,
  times,
  uvaOn,
  wholesaleRates,
} from './market.ts'

const AMBITO = 'mercados.ambito.com'
const BYMA = 'open.bymadata.com.ar/vanoms-be-core/rest/api/bymadata/free/public-bonds'

/** For each address, the file in `documents` and the value that `it` stands for in that file. */
const DOCUMENTS: Readonly<Record<string, readonly [file: string, it?: string]>> = {
  [`${AMBITO}/dolar/oficial/variacion`]: ['ambito-quote.json', 'USD/OFICIAL'],
  [`${AMBITO}/dolarnacion/variacion`]: ['ambito-quote.json', 'USD/BNA'],
  [`${AMBITO}/dolar/informal/variacion`]: ['ambito-quote.json', 'USD/BLUE'],
  [`${AMBITO}/dolar/mayorista/variacion`]: ['ambito-quote.json', 'USD/MAYORISTA'],
  [`${AMBITO}/dolarrava/mep/variacion`]: ['ambito-value.json', 'USD/BOLSA.sell'],
  [`${AMBITO}/dolarrava/cl/variacion`]: ['ambito-value.json', 'USD/CCL.sell'],
  [`${AMBITO}/dolarcripto/variacion`]: ['ambito-value.json', 'USD/CRIPTO.sell'],
  [`${AMBITO}/dolarturista/variacion`]: ['ambito-quote.json', 'turista'],
  [`${AMBITO}/dolarfuturo/datos`]: ['ambito-futures.json'],
  [`${AMBITO}/dolarfuturo/variacion`]: ['ambito-future.json'],
  [`${AMBITO}/euro/variacion`]: ['ambito-quote.json', 'EUR/OFICIAL'],
  [`${AMBITO}/euro/informal/variacion`]: ['ambito-quote.json', 'EUR/BLUE'],
  [`${AMBITO}/real/variacion`]: ['ambito-quote.json', 'BRL/OFICIAL'],
  [`${AMBITO}/riesgopais/jornada`]: ['ambito-riesgo-jornada.json'],
  [`${AMBITO}/riesgopais/variacion`]: ['ambito-riesgo.json'],
  'apicem.matbarofex.com.ar/api/v2/closing-prices': ['a3.json'],
  'api.argentinadatos.com/v1/finanzas/indices/riesgo-pais/ultimo': ['argentinadatos-riesgo.json'],
  'api.argentinadatos.com/v1/finanzas/indices/uva': ['argentinadatos-uva.json'],
  'api.bcra.gob.ar/estadisticascambiarias/v1.0/Cotizaciones': ['bcra-rates.json'],
  'api.belo.app/public/price': ['belo.json'],
  'api.comparadolar.ar/usdt': ['comparadolar.json'],
  'criptoya.com/api/USDT/ARS/1000': ['criptoya-usdt.json'],
  'criptoya.com/api/dolar': ['criptoya-dolar.json'],
  'criptoya.com/api/bancostodos': ['criptoya-bancos.json'],
  'criptoya.com/api/cer': ['criptoya-index.json', 'ARG/CER.sell'],
  'criptoya.com/api/uva': ['criptoya-index.json', 'ARG/UVA.sell'],
  'data912.com/live/arg_bonds': ['data912.json'],
  'dolarapi.com/v1/dolares': ['dolarapi-dolares.json'],
  'dolarapi.com/v1/ambito/dolares': ['dolarapi-ambito.json'],
  'dolarapi.com/v1/cotizaciones': ['dolarapi-cotizaciones.json'],
  'dolarhoy.com/': ['dolarhoy.html'],
  'iol.invertironline.com/mercado/cotizaciones/argentina/monedas': ['iol.html'],
  [BYMA]: ['byma.json'],
  'www.rava.com/perfil/RIESGO%20PAIS': ['rava.html'],
}

/** Serves the market on a free loopback port. `URL/HOST/PATH` answers for `https://HOST/PATH`. */
export async function openDemoMarket(tickMs = TICK_MS) {
  let values: Values | undefined
  const server = createServer((request, response) => {
    request.resume()
    const now = Date.now()
    // A cycle requests some thirty documents of one tick.
    if (!values || Math.floor(values.now / tickMs) !== Math.floor(now / tickMs))
      values = valuesOf(marketAt(now, tickMs))
    const body = documentOf(values, request.url ?? '/')
    response.writeHead(body === null ? 404 : 200).end(body)
  })
  const { port, ...listening } = await listen(server)

  return { ...listening, url: `http://127.0.0.1:${port}` }
}

/** The document at `/HOST/PATH?QUERY` in the upstream's format. Null for an unknown address. */
export function documentAt(path: string, now: Instant, tickMs = TICK_MS): string | null {
  return documentOf(valuesOf(marketAt(now, tickMs)), path)
}

function documentOf(values: Values, path: string): string | null {
  const address = URL.parse(`https:/${path}`)
  if (!address) return null

  const { host, pathname, searchParams } = address
  const [, variable] = /^\/estadisticas\/v4\.0\/Monetarias\/(\d+)$/.exec(pathname) ?? []
  if (host === 'api.bcra.gob.ar' && variable)
    return bcraVariable(Number(variable), values, searchParams)

  const [, year] = /^\/v1\/feriados\/(\d{4})$/.exec(pathname) ?? []
  if (host === 'api.argentinadatos.com' && year) return holidays(year)
  if (host === 'www.bna.com.ar' && pathname === '/Personas') return bnaPage(values)

  const [file, it] = DOCUMENTS[`${host}${pathname}`] ?? []
  if (file === undefined) return null

  return print(file, it, values)
}

/** Banco Nación's page: the rates of banknotes, and the bank's latest wholesale table. */
function bnaPage(market: Market): string {
  const banknotes = [
    { title: 'Dolar U.S.A', ...market['USD/BNA'] },
    { title: 'Euro', ...market['EUR/BNA'] },
    { title: 'Real *', ...times(market['BRL/BNA'], 100) },
  ]
  const table = marketOfTable(market)
  return (
    bnaBlock('billetes', market.now, banknotes, 'comma') +
    bnaBlock('divisas', table.now, wholesaleRates(table), '4')
  )
}

function bnaBlock(
  id: string,
  at: Instant,
  rates: readonly ({ title: string } & Sides)[],
  format: string,
): string {
  const { shortDate, clock } = timesOf(at)
  const rows = rates.map(
    ({ title, buy, sell }) =>
      `<tr><td class="tit">${title}</td><td>${written(buy, format)}</td><td>${written(sell, format)}</td></tr>`,
  )
  return `<div id="${id}">
    <table>
      <tr><th class="fechaCot">${shortDate}</th><th>Compra</th><th>Venta</th></tr>
      ${rows.join('\n')}
    </table>
    <div class="legal">Hora Actualización: ${clock}</div>
  </div>`
}

/** The holidays of our calendar, without the days on which only banks close. */
function holidays(year: string): string {
  const days = daysFrom(`${year}-01-01`, `${year}-12-31`).flatMap((fecha) => {
    const closed = closedDay(fecha)
    const isBridge = closed?.name === BRIDGE
    if (!closed?.isHoliday && !isBridge) return []
    return [{ fecha, tipo: isBridge ? 'puente' : 'inamovible', nombre: closed!.name }]
  })
  return JSON.stringify(days)
}

/** Variables of the central bank by id. CER and UVA are published days ahead. */
const VARIABLES: Readonly<
  Record<number, { on: (day: Day) => number; decimals: number; isAhead?: true }>
> = {
  4: { on: (day) => marketAt(dayEnd(day))['USD/OFICIAL'].sell, decimals: 2 },
  5: { on: a3500On, decimals: 4 },
  30: { on: cerOn, decimals: 11, isAhead: true },
  31: { on: uvaOn, decimals: 2, isAhead: true },
}
const AHEAD_DAYS = 20

function bcraVariable(id: number, { today }: Market, range: URLSearchParams): string | null {
  const variable = VARIABLES[id]
  if (!variable) return null

  const { on, decimals, isAhead } = variable
  const last = isAhead ? addDays(today, AHEAD_DAYS) : bankDayBefore(today)
  const to = range.get('hasta') ?? today
  const days = daysFrom(range.get('desde') ?? addDays(today, -10), to < last ? to : last)
  const rows = days
    .filter((day) => isAhead || isBankDay(day))
    .map((day) => ({ fecha: day, valor: cut(on(day), decimals) }))
    .toReversed()
  return JSON.stringify({ status: 200, results: [{ idVariable: id, detalle: rows }] })
}

export function daysFrom(from: Day, to: Day): Day[] {
  const days: Day[] = []
  for (let day = from; day <= to; day = addDays(day, 1)) days.push(day)
  return days
}

type Values = ReturnType<typeof valuesOf>

/** The values in the documents: the market's prices, and the numbers derived from them. */
function valuesOf(market: Market) {
  const { 'USD/BNA': bna, today, now } = market
  const lastClose = bankDayBefore(today)
  const [yesterday, tomorrow] = [addDays(today, -1), addDays(today, 1)]
  return {
    ...market,
    yesterday,
    tomorrow,
    lastClose,
    time: timesOf(now),
    yesterdayUva: uvaOn(yesterday),
    tomorrowUva: uvaOn(tomorrow),
    /** Ámbito adds the tax only to the sell side. */
    turista: { buy: bna.buy, sell: bna.sell * 1.3 },
    a3500: a3500On(lastClose),
    bonds: { ...legs('AL30', 54, market), ...legs('GD30', 56.5, market) },
  }
}

function timesOf(now: Instant) {
  const argentine = formatArgentine(now)
  const [year, month, date] = argentineDay(now).split('-') as [string, string, string]
  return {
    now,
    utc: formatUtc(now),
    seconds: Math.floor(now / 1000),
    clock: argentine.slice(11, 16),
    longClock: argentine.slice(11, 19),
    date: `${date}/${month}/${year}`,
    dashed: `${date}-${month}-${year}`,
    shortYear: `${date}/${month}/${year.slice(2)}`,
    shortDate: `${Number(date)}/${Number(month)}/${year}`,
    longDate: `${Number(date)} de ${MONTHS[Number(month) - 1]} de ${year}`,
  }
}

/** The legs of a bond, which give MEP and CCL: prices for 100 nominals. */
function legs(symbol: string, dollars: number, market: Market) {
  const { 'USD/BOLSA': mep, 'USD/CCL': ccl } = market
  const pesos = (dollars * (mep.buy + mep.sell)) / 2
  return {
    [symbol]: book(pesos, 0.0004),
    [`${symbol}D`]: book(dollars, 0.0002),
    [`${symbol}C`]: book(pesos / ccl.sell, 0.012),
  }
}

function book(last: number, spread: number) {
  const { buy: bid, sell: ask } = around(last, spread)
  return { last, bid, ask }
}

/**
 * Writes the values into a document: `{{USD/BLUE.buy}}` prints two decimals,
 * `{{USD/BLUE.buy|comma}}` a text with a decimal comma. A JSON string that contains only one such
 * number becomes a number.
 */
function print(file: string, it: string | undefined, values: object): string {
  const text = readFileSync(join(import.meta.dirname, 'documents', file), 'utf8')
  const isJson = file.endsWith('.json')
  return text.replace(/("?)\{\{([\w/.]+)(?:\|(\w+))?\}\}("?)/g, (_, open, path, format, close) => {
    const value = valueAt(values, path.replace(/^it\b/, it ?? 'it'))
    const isNumber = typeof value === 'number' && (!format || /^\d+$/.test(format))
    const quoted = isJson && isNumber && open && close
    return quoted ? written(value, format) : `${open}${written(value, format)}${close}`
  })
}

function valueAt(values: object, path: string): unknown {
  const found = path.split('.').reduce<any>((value, key) => value?.[key], values)
  if (found === undefined) throw new Error(`the demo market has no ${path}`)
  return found
}

function written(value: unknown, format?: string): string {
  if (typeof value !== 'number') return String(value)
  if (format === undefined || format === 'text') return String(cut(value))
  if (format === 'comma') return value.toFixed(2).replace('.', ',')
  if (format === 'dotted') {
    const [whole, fraction] = value.toFixed(4).split('.') as [string, string]
    return `${whole.replace(/\B(?=(\d{3})+$)/g, '.')},${fraction}`
  }
  return value.toFixed(Number(format))
}

/** Rounds a number to this many decimals: 1520.4038 → 1520.4. */
export function cut(value: number, decimals = 2): number {
  return Number(value.toFixed(decimals))
}
