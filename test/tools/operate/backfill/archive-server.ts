import { createServer } from 'node:http'
import {
  addDays,
  argentineDay,
  type Day,
  DAY_MS,
  type Instant,
} from '../../../../shared/argentine-time.ts'
import { bankDayBefore, isBankDay } from '../../../../shared/market/holidays.ts'
import {
  bankDaysFrom,
  daysFrom,
  documentAt,
} from '../../../../tools/operate/demo-market/documents.ts'
import { listen } from '../../../../tools/support/listen.ts'

export type Archives = Awaited<ReturnType<typeof openArchives>>

/** A server with the archives in their real formats, as of one instant. It may fail. */
export async function openArchives(now: Instant) {
  const archives = {
    /** The requested addresses so far, `HOST/PATH?QUERY`. */
    asked: [] as string[],
    /** Another answer for an address: a status, or a text. */
    instead: (_address: string): number | string | null => null,
  }
  // A document of some thousand days is made once, however often it is requested.
  const documents = new Map<string, string | null>()
  function documentOf(path: string): string | null {
    if (!documents.has(path)) documents.set(path, archiveAt(new URL(`https:/${path}`), now))
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
  const { port, ...listening } = await listen(server)
  return Object.assign(archives, listening, { url: `http://127.0.0.1:${port}` })
}

/** The document of an archive; the BCRA's variables are the demo market's. */
function archiveAt(address: URL, now: Instant): string | null {
  const { host, pathname, search, searchParams } = address
  const today = argentineDay(now)
  const [, code] = /\/Cotizaciones\/([A-Z]{3})$/.exec(pathname) ?? []
  if (code !== undefined) return JSON.stringify(closingRatesOf(code, today, searchParams))

  switch (pathname) {
    case '/v1/finanzas/indices/riesgo-pais':
      return indexOf(bankDaysFrom('1999-01-22', today))
    case '/v1/finanzas/indices/uva':
      return indexOf(daysFrom('2016-03-31', addDays(today, 7)))
    case '/v1/cotizaciones/dolares':
      return JSON.stringify(daysFrom('2011-01-03', today).flatMap(dollarsOn))
    default:
      return documentAt(`/${host}${pathname}${search}`, now)
  }
}

/** It changes every day. */
const valueOn = (day: Day) => 1000 + ((Date.parse(day) / DAY_MS) % 97)

function indexOf(days: readonly Day[]): string {
  return JSON.stringify(days.map((fecha) => ({ fecha, valor: valueOn(fecha) })))
}

const CASAS = Object.entries({
  blue: '2011-01-03',
  oficial: '2011-01-03',
  mayorista: '2011-01-03',
  contadoconliqui: '2013-01-02',
  bolsa: '2018-10-29',
  tarjeta: '2019-12-23',
  cripto: '2023-02-07',
})

function dollarsOn(fecha: Day) {
  const venta = valueOn(fecha)
  return CASAS.flatMap(([casa, from]) =>
    fecha >= from ? [{ casa, compra: venta - 20, venta, fecha }] : [],
  )
}

/** One currency day by day, newest first; a holiday within the week has no detail. */
function closingRatesOf(code: string, today: Day, range: URLSearchParams) {
  const to = range.get('fechahasta')!
  const lastClose = bankDayBefore(today)
  const days = daysFrom(range.get('fechadesde')!, to < lastClose ? to : lastClose)
  const weekdays = days.filter((day) => ![0, 6].includes(new Date(day).getUTCDay()))
  const results = weekdays.toReversed().map((fecha) => {
    const tipoCotizacion = valueOn(fecha)
    const rate = { codigoMoneda: code, descripcion: code, tipoPase: 1.1, tipoCotizacion }
    return { fecha, detalle: isBankDay(fecha) ? [rate] : [] }
  })
  return { metadata: { resultset: { count: results.length } }, results }
}
