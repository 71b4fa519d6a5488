import { Big } from 'big.js'
import type { Instant } from '../../../shared/argentine-time.ts'
import { dayStart, MINUTE_MS } from '../../../shared/argentine-time.ts'
import { dayOfText } from './parsing/dates.ts'
import { type Element, elementsByClass, elementsByTag, textOf } from './parsing/html.ts'
import type { Reading } from './source.ts'

/** The rows by their titles, without accents and stars. */
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

const PRICE = /^\d{1,9}(?:\.\d{1,6})?$/

/** The longest title that is kept for an unknown row. */
const LONGEST_TITLE = 40

/** No known row has more than 5 % between its sides. Beyond this, a cell was misread. */
const WIDEST = 1.2

/**
 * Every row of the wholesale table, which invoices use. It never fails the source: without a date
 * there is no table, and an unsound row is left out and logged. A row with an unknown title is kept
 * under its title, because the bank shows no past tables.
 */
export function wholesaleTable(block: Element, now: Instant): Reading[] {
  const text = elementsByClass(block, 'fechaCot').map(textOf)[0] ?? ''
  const day = dayOfText(text)
  if (!day) return [{ kind: 'missing', row: '#divisas date' }]

  const rates: Extract<Reading, { kind: 'wholesale' }>['rates'] = []
  const missing: Reading[] = []
  const titles = new Set<string>()
  for (const row of elementsByTag(block, 'tr')) {
    const [title = '', buy = '', sell = ''] = elementsByTag(row, 'td').map(textOf)
    if (title === '') continue
    const rate = rateOf(title, buy, sell)
    if (!rate || titles.has(rate.currency)) {
      missing.push({ kind: 'missing', row: `#divisas ${rate?.currency ?? 'unsound'}` })
      continue
    }
    if (!KNOWN.has(rate.currency)) missing.push({ kind: 'missing', row: '#divisas unknown title' })
    rates.push(rate)
    titles.add(rate.currency)
  }
  return [{ kind: 'wholesale', day, publishedAt: hourOf(block, day, now), rates }, ...missing]
}

function rateOf(title: string, buyText: string, sellText: string) {
  const name = title.replace(/\(?\*\)?$/, '').trim()
  const bare = name
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
  const currency = TITLES[bare] ?? name
  if (currency === '' || currency.length > LONGEST_TITLE) return null
  if (!PRICE.test(buyText) || !PRICE.test(sellText)) return null
  const buy = new Big(buyText)
  const sell = new Big(sellText)
  if (!buy.gt(0) || sell.lt(buy) || sell.gt(buy.times(WIDEST))) return null

  // "(*) cotización cada 100 unidades"
  const units = title.includes('*') ? 100 : 1
  return { currency, units, buy: buy.toString(), sell: sell.toString() }
}

/** "Hora Actualización: 17:01" of the day; null when it does not say, or says what has not come. */
function hourOf(block: Element, day: string, now: Instant): Instant | null {
  const [, hour, minute] = /Hora Actualización: (\d{1,2}):(\d{2})/.exec(textOf(block)) ?? []
  if (!hour || !minute) return null
  const at = dayStart(day) + (Number(hour) * 60 + Number(minute)) * MINUTE_MS
  return at <= now ? at : null
}
