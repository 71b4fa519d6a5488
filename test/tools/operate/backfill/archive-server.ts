import { createServer } from 'node:http'
import { argentineDay, type Day, DAY_MS, type Instant } from '../../../../shared/argentine-time.ts'
import { isBankDay } from '../../../../shared/market/holidays.ts'
import { daysFrom } from '../../../../tools/operate/demo-market/documents.ts'
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
  const documents = new Map<string, string>()
  const server = createServer((request, response) => {
    const address = request.url!.slice(1)
    archives.asked.push(address)
    const instead = archives.instead(address)
    if (typeof instead === 'number') return void response.writeHead(instead).end()

    const body = documents.get(address) ?? JSON.stringify(archiveAt(address, argentineDay(now)))
    documents.set(address, body)
    response.end(instead ?? body)
  })
  const { port, ...listening } = await listen(server)
  return Object.assign(archives, listening, { url: `http://127.0.0.1:${port}` })
}

/** The document of an archive. Its values change every day. */
function archiveAt(address: string, today: Day): unknown {
  const [from = '2011-01-03', to = today] = address.match(/\d{4}-\d\d-\d\d/g) ?? []
  const days = daysFrom(from, to < today ? to : today)
  const [, id] = /Monetarias\/(\d+)/.exec(address) ?? []
  if (id !== undefined)
    return variable(
      Number(id),
      days.map((fecha) => ({ fecha, valor: valueOn(fecha) })),
    )

  const [, code] = /Cotizaciones\/([A-Z]{3})/.exec(address) ?? []
  if (code !== undefined)
    return closingRates(
      days.map((fecha) => ({
        fecha,
        rates: isBankDay(fecha) ? [rate(code, valueOn(fecha), 1.1)] : [],
      })),
    )
  if (address.endsWith('dolares')) return days.flatMap(dollarsOn)
  return days.map((fecha) => ({ fecha, valor: valueOn(fecha) }))
}

const valueOn = (day: Day) => 1000 + ((Date.parse(day) / DAY_MS) % 97)

const CASAS = ['blue', 'oficial', 'mayorista', 'contadoconliqui', 'bolsa', 'tarjeta', 'cripto']

function dollarsOn(fecha: Day) {
  const venta = valueOn(fecha)
  return CASAS.map((casa) => ({ casa, compra: venta - 20, venta, fecha }))
}

/** The BCRA's document of a variable; `count` says how many rows it should have. */
export function variable(
  idVariable: number,
  detalle: readonly { fecha: Day; valor: number }[],
  count = detalle.length,
) {
  return { metadata: { resultset: { count } }, results: [{ idVariable, detalle }] }
}

export const rate = (
  codigoMoneda: string,
  tipoCotizacion: number,
  tipoPase: number,
  descripcion = codigoMoneda,
) => ({ codigoMoneda, descripcion, tipoPase, tipoCotizacion })

/** The BCRA's closing rates of a currency; a day without business has none. */
export function closingRates(
  days: readonly { fecha: Day | null; rates?: ReturnType<typeof rate>[] }[],
  count = days.length,
) {
  const results = days.map(({ fecha, rates = [] }) => ({ fecha, detalle: rates }))
  return { metadata: { resultset: { count } }, results }
}
