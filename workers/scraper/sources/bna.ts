import { Big } from 'big.js'
import { dayStart, type Instant, MINUTE_MS } from '../../../shared/argentine-time.ts'
import type { PairKey } from '../../../shared/market/catalog.ts'
import { BNA_HOURS } from '../../../shared/market/market-hours.ts'
import { get, PAGE_HEADERS, checkDay } from './document.ts'
import {
  type Element,
  elementById,
  requireElement,
  elementsByClass,
  elementsByTag,
  plain,
  readHtml,
  textOf,
} from './html.ts'
import { parseDecimal } from './number-text.ts'
import { emptyError, formatError, type Reading, type Source } from './source.ts'

/**
 * Banco Nación's page has two tables with the same class and row names, in either order: banknotes
 * with decimal comma, wholesale with decimal point. If a row is missing or zero, its pair gets no
 * quote, and `collect` logs the row. If a banknote row is repeated, or the dollar is missing, the
 * source fails. Pairs use the wholesale table only as a fallback; invoices use all its rows.
 */
export const bna: Source = {
  ...get('bna-personas', 5, BNA_HOURS, 'https://www.bna.com.ar/Personas', PAGE_HEADERS),
  parse(body, now) {
    const page = readHtml(body)
    const banknotes = banknotesOf(requireElement(page, 'billetes'), now)
    if (!banknotes.some((reading) => reading.kind === 'quote' && reading.pair === 'USD/BNA')) {
      throw emptyError('has no banknote dollar')
    }
    const wholesale = elementById(page, 'divisas')
    return [...banknotes, ...(wholesale ? wholesaleOf(wholesale, now) : [missing('#divisas')])]
  },
}

function missing(row: string): Reading {
  return { kind: 'missing', row }
}

/** The texts of the cells, row by row. */
function rowsOf(block: Element): string[][] {
  return elementsByTag(block, 'tr').map((row) => elementsByTag(row, 'td').map(textOf))
}

/** "28/9/2026 17:01", Argentine time. */
function stampOf(block: Element, now: Instant): string {
  const date = elementsByClass(block, 'fechaCot').map(textOf)[0] ?? ''
  checkDay(date, now)
  const hour = /Hora Actualización: (\d{1,2}:\d{2})/.exec(textOf(block))?.[1] ?? ''
  return `${date} ${hour}`.trim()
}

const BANKNOTES: readonly { title: string; pair: PairKey; units: number }[] = [
  { title: 'Dolar U.S.A', pair: 'USD/BNA', units: 1 },
  { title: 'Euro', pair: 'EUR/BNA', units: 1 },
  // "(*) cotización cada 100 unidades"
  { title: 'Real *', pair: 'BRL/BNA', units: 100 },
]

function banknotesOf(block: Element, now: Instant): Reading[] {
  const stamp = stampOf(block, now)
  const rows = rowsOf(block)
  return BANKNOTES.map(({ title, pair, units }): Reading => {
    const [row, ...others] = rows.filter(([first]) => first === title)
    if (others.length > 0) throw formatError(`has ${others.length + 1} rows "${title}"`)
    const [, buyText, sellText] = row ?? []
    if (row && sellText === undefined) throw formatError(`has a short row "${title}"`)

    const [buy, sell] = [buyText, sellText].map((text) => parseDecimal(text ?? '', 'comma'))
    if (!isPositive(buy) || !isPositive(sell)) return missing(`${pair} ${title}`)
    return { kind: 'quote', pair, buy: buy.div(units), sell: sell.div(units), stamp }
  })
}

/** Zero and "S/C" give no quote. A negative price means an unknown page. */
function isPositive(value: Big | null | undefined): value is Big {
  if (value?.lt(0)) throw formatError('has a negative price')

  return value?.gt(0) ?? false
}

/** The rows of the wholesale table by their titles, without accents and stars. */
const TITLES: Readonly<Record<string, string>> = {
  'dolar u.s.a': 'USD',
  'libra esterlina': 'GBP',
  euro: 'EUR',
  'franco suizos': 'CHF',
  'francos suizos': 'CHF',
  yenes: 'JPY',
  'dolares canadienses': 'CAD',
  'coronas danesas': 'DKK',
  'coronas noruegas': 'NOK',
  'coronas suecas': 'SEK',
  yuan: 'CNY',
  'dolar australiano': 'AUD',
}

const KNOWN: ReadonlySet<string> = new Set(Object.values(TITLES))

/** The pairs that the wholesale table quotes. */
const WHOLESALE: readonly [currency: string, pair: PairKey][] = [
  ['USD', 'USD/MAYORISTA'],
  ['EUR', 'EUR/OFICIAL'],
]

const PRICE = /^\d{1,9}(?:\.\d{1,6})?$/

/** The longest title that is stored for an unknown row. */
const LONGEST_TITLE = 40

/** The largest sell over buy. Known rows have at most 1.05, so a larger one is a misread cell. */
const WIDEST = 1.2

/**
 * Every row of the wholesale table, for invoices. A table without a date is missing. An unsound row
 * is left out and logged. A row with an unknown title is stored under its title, because the bank
 * does not show past tables.
 */
function wholesaleOf(block: Element, now: Instant): Reading[] {
  const stamp = stampOf(block, now)
  const day = checkDay(stamp, now)
  if (!day) return [missing('#divisas date')]

  const rates = new Map<string, NonNullable<ReturnType<typeof rateOf>>>()
  const notes: Reading[] = []
  for (const [title = '', buy = '', sell = ''] of rowsOf(block)) {
    if (title === '') continue
    const rate = rateOf(title, buy, sell)
    if (!rate || rates.has(rate.currency)) {
      notes.push(missing(`#divisas ${rate?.currency ?? 'unsound'}`))
      continue
    }
    if (!KNOWN.has(rate.currency)) notes.push(missing('#divisas unknown title'))
    rates.set(rate.currency, rate)
  }
  const quotes = WHOLESALE.map(([currency, pair]): Reading => {
    const rate = rates.get(currency)
    if (!rate) return missing(pair)
    return { kind: 'quote', pair, buy: new Big(rate.buy), sell: new Big(rate.sell), stamp }
  })
  const publishedAt = hourOf(stamp, day, now)
  return [...quotes, { kind: 'wholesale', day, publishedAt, rates: [...rates.values()] }, ...notes]
}

function rateOf(title: string, buyText: string, sellText: string) {
  const name = title.replace(/\(?\*\)?$/, '').trim()
  const currency = TITLES[plain(name)] ?? name
  if (currency === '' || currency.length > LONGEST_TITLE) return null
  if (!PRICE.test(buyText) || !PRICE.test(sellText)) return null
  const buy = new Big(buyText)
  const sell = new Big(sellText)
  if (!buy.gt(0) || sell.lt(buy) || sell.gt(buy.times(WIDEST))) return null

  // "(*) cotización cada 100 unidades"
  const units = title.includes('*') ? 100 : 1
  return { currency, units, buy: buy.toString(), sell: sell.toString() }
}

/** The instant of a stamp; null when its time is missing or in the future. */
function hourOf(stamp: string, day: string, now: Instant): Instant | null {
  const [, hour, minute] = / (\d{1,2}):(\d{2})$/.exec(stamp) ?? []
  if (!hour || !minute) return null
  const at = dayStart(day) + (Number(hour) * 60 + Number(minute)) * MINUTE_MS
  return at <= now ? at : null
}
