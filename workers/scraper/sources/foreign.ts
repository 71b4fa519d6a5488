import * as z from 'zod/mini'
import type { Day, Instant } from '../../../shared/argentine-time.ts'
import type { Hours } from '../../../shared/market/market-hours.ts'
import { bcbPtaxAddress, BCU, lastDays, MINDICADOR_DOLAR } from './addresses.ts'
import { get, inputsOf, json } from './json-source.ts'
import { isoDay } from './parsing/dates.ts'
import { type Element, elementsByTag, readXml, textOf, type Tree } from './parsing/html.ts'
import { priceText } from './parsing/number-text.ts'
import { emptyError, formatError } from './parsing/source-error.ts'
import type { Reading, Source } from './source.ts'

const payload = z.object({
  value: z.array(
    z.object({
      cotacaoVenda: z.number(),
      dataHoraCotacao: z.string(),
      tipoBoletim: z.string(),
    }),
  ),
})

/** Our business days are near enough for a fallback. */
const DAILY: Hours = { days: 'weekdays', windows: [[9 * 60, 20 * 60]] }

/** Brazil's closing PTAX, BRL per USD, fixed about 13:10 in Brasília; oldest first. */
export const bcb: Source = {
  ...get('bcb-ptax', 60, DAILY, (now) => bcbPtaxAddress(lastDays(now))),
  parse: json(payload, ({ value }) => {
    if (value.some(({ tipoBoletim }) => tipoBoletim !== 'Fechamento'))
      throw formatError('has bulletins before the close')

    const rows = value.map((row) => ({ fecha: row.dataHoraCotacao, valor: row.cotacaoVenda }))
    return inputsOf('BRL per USD', rows)
  }),
}

const series = z.object({
  codigo: z.string(),
  serie: z.array(z.object({ fecha: z.string(), valor: z.number() })),
})

/**
 * Chile's observed dollar, CLP per USD, newest first. Its times are Chilean midnights: their
 * first ten characters are the day. An empty series is no data (a day without business).
 */
export const mindicador: Source = {
  ...get('mindicador', 60, DAILY, MINDICADOR_DOLAR),
  parse: json(series, ({ codigo, serie }) => {
    if (codigo !== 'dolar') throw formatError('is another indicator')

    return inputsOf('CLP per USD', serie)
  }),
}

/** The field of each currency code: `TCV` is UYU per unit, `ArbAct` units per USD. */
const CODES: Record<string, { input: string; field: string }> = {
  '2225': { input: 'UYU per USD', field: 'TCV' },
  '1300': { input: 'CLP per USD', field: 'ArbAct' },
}

/** Uruguay's central bank, a SOAP service; daily, from 15 to 17. */
export const bcu: Source = {
  name: 'bcu',
  rhythm: { everyMinutes: 60, hours: DAILY },
  request: (now) => ({
    url: BCU,
    method: 'POST',
    headers: { 'Content-Type': 'text/xml; charset=utf-8' },
    body: envelope(now),
  }),
  parse(body) {
    const document = readXml(body)
    if (elementsByTag(document, 'respuestastatus').length !== 1) throw formatError('has no status')
    if (field(document, 'status') !== '1') throw emptyError('says that it has no rate')

    const readings = elementsByTag(document, 'datoscotizaciones.dato').flatMap(inputOf)
    if (!readings.some((reading) => reading.kind === 'input' && reading.name === 'UYU per USD')) {
      throw emptyError('has no dollar')
    }
    return readings
  },
}

function inputOf(row: Element): Reading[] {
  const code = CODES[field(row, 'Moneda')]
  if (!code) return []

  const value = priceText(field(row, code.field), 'point')
  return [{ kind: 'input', name: code.input, value, day: isoDay(field(row, 'Fecha')) }]
}

/** The text of the one element of a name. */
function field(within: Tree | Element, name: string): string {
  const found = elementsByTag(within, name)
  const [element] = found
  if (!element || found.length > 1) throw formatError(`has ${found.length} fields ${name}`)

  return textOf(element)
}

/** As a working client sends it. The range covers the longest run of holidays. */
function envelope(now: Instant): string {
  const { from, to }: { from: Day; to: Day } = lastDays(now)
  const items = Object.keys(CODES).map((code) => `<cot:item>${code}</cot:item>`)
  return `<?xml version="1.0" encoding="UTF-8"?>
<soapenv:Envelope xmlns:soapenv="http://schemas.xmlsoap.org/soap/envelope/" xmlns:cot="Cotiza">
  <soapenv:Header />
  <soapenv:Body>
    <cot:wsbcucotizaciones.Execute>
      <cot:Entrada>
        <cot:Moneda>${items.join('')}</cot:Moneda>
        <cot:FechaDesde>${from}</cot:FechaDesde>
        <cot:FechaHasta>${to}</cot:FechaHasta>
        <cot:Grupo>0</cot:Grupo>
      </cot:Entrada>
    </cot:wsbcucotizaciones.Execute>
  </soapenv:Body>
</soapenv:Envelope>`
}
