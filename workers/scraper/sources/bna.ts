import type { Big } from 'big.js'
import type { Instant } from '../../../shared/argentine-time.ts'
import type { PairKey } from '../../../shared/market/catalog.ts'
import { BNA_HOURS } from '../../../shared/market/market-hours.ts'
import { PAGE_HEADERS } from './parsing/browser.ts'
import { dayOfText, refuseFuture } from './parsing/dates.ts'
import {
  type Element,
  elementById,
  requireElement,
  elementsByClass,
  elementsByTag,
  readHtml,
  textOf,
} from './parsing/html.ts'
import { decimalText, type NumberStyle } from './parsing/number-text.ts'
import { emptyError, formatError } from './parsing/source-error.ts'
import { wholesaleTable } from './bna-wholesale.ts'
import type { Reading, Source } from './source.ts'

interface Row {
  title: string
  pair: PairKey
  /** Units that the row is for. */
  units: number
}

const BANKNOTES: readonly Row[] = [
  { title: 'Dolar U.S.A', pair: 'USD/BNA', units: 1 },
  { title: 'Euro', pair: 'EUR/BNA', units: 1 },
  // "(*) cotización cada 100 unidades"
  { title: 'Real *', pair: 'BRL/BNA', units: 100 },
]
const WHOLESALE: readonly Row[] = [
  { title: 'Dolar U.S.A', pair: 'USD/MAYORISTA', units: 1 },
  { title: 'Euro', pair: 'EUR/OFICIAL', units: 1 },
]

/**
 * Banco Nación's page holds two tables of the same class and row names, in either order: banknotes
 * with decimal comma, wholesale with decimal point. A missing or zero row gives no quote for its
 * pair, and is logged. A repeated row, or a page without the banknote dollar, fails the source.
 * Pairs use the wholesale table only as a fallback; invoices use all of it.
 */
export const bna: Source = {
  name: 'bna-personas',
  rhythm: { everyMinutes: 5, hours: BNA_HOURS },
  request: () => ({ url: 'https://www.bna.com.ar/Personas', headers: PAGE_HEADERS }),
  parse(body, now) {
    const page = readHtml(body)
    const banknotes = quotesOf(requireElement(page, 'billetes'), BANKNOTES, 'comma', now)
    if (!banknotes.some((reading) => reading.kind === 'quote' && reading.pair === 'USD/BNA')) {
      throw emptyError('has no banknote dollar')
    }
    const wholesale = elementById(page, 'divisas')
    if (!wholesale) return [...banknotes, { kind: 'missing', row: '#divisas' }]

    return [
      ...banknotes,
      ...quotesOf(wholesale, WHOLESALE, 'point', now),
      ...wholesaleTable(wholesale, now),
    ]
  },
}

function quotesOf(
  block: Element,
  rows: readonly Row[],
  style: NumberStyle,
  now: Instant,
): Reading[] {
  const stamp = stampOf(block, now)
  return rows.flatMap(({ title, pair, units }): Reading[] => {
    const cells = cellsOf(block, title) ?? []
    const [buy, sell] = cells.map((cell) => decimalText(cell, style))
    if (!isPositive(buy) || !isPositive(sell)) return [{ kind: 'missing', row: `${pair} ${title}` }]

    return [
      { kind: 'quote', pair, buy: buy.div(units), sell: sell.div(units), ...(stamp && { stamp }) },
    ]
  })
}

/** Buy and sell of the row with a title, or null without such a row. */
function cellsOf(block: Element, title: string): [string, string] | null {
  const found = elementsByTag(block, 'tr')
    .map((row) => elementsByTag(row, 'td').map(textOf))
    .filter(([first]) => first === title)
  if (found.length > 1) throw formatError(`has ${found.length} rows "${title}"`)
  if (!found[0]) return null

  const [, buy, sell] = found[0]
  if (buy === undefined || sell === undefined) throw formatError(`has a short row "${title}"`)
  return [buy, sell]
}

/** "28/9/2026 17:01", Argentine time. */
function stampOf(block: Element, now: Instant): string {
  const date = elementsByClass(block, 'fechaCot').map(textOf)[0] ?? ''
  const day = dayOfText(date)
  if (day) refuseFuture(day, now)

  const hour = /Hora Actualización: (\d{1,2}:\d{2})/.exec(textOf(block))?.[1] ?? ''
  return `${date} ${hour}`.trim()
}

/** Zero and "S/C" give no quote. A negative price means an unknown page. */
function isPositive(value: Big | null | undefined): value is Big {
  if (value?.lt(0)) throw formatError('has a negative price')

  return value?.gt(0) ?? false
}
