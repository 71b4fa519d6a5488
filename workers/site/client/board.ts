/** Keeps the home page current, and converts while the visitor types. */
import type { CurrentQuote } from '../../../clients/javascript/index.ts'
import { percentChange } from '../../../shared/market/price.ts'
import {
  parseAmount,
  percentText,
  priceText,
  rangeText,
} from '../../../shared/market/spanish-text.ts'
import { barsOf, blueSummary, describeConversion } from '../home/figures.ts'
import { find, findAll, put, readPage } from './dom.ts'
import {
  dayOf,
  flash,
  openClock,
  putAge,
  putChange,
  type Shown,
  shownAfter,
  shownBy,
  showState,
  updateAges,
} from './live-parts.ts'
import { follow } from './live.ts'

const AGES_MS = 10_000

const form = find<HTMLFormElement>('#conversor')
const board = find('#tablero')
const clock = openClock(Number(board.dataset['now']))
/** The Argentine day of the ranges on the page. */
let day = dayOf(clock.now())

form.addEventListener('input', convert)
form.addEventListener('submit', (event) => {
  event.preventDefault()
  convert()
})
setInterval(passTime, AGES_MS)
follow({
  everyMs: Number(board.dataset['every']) * 1000,
  onQuote: putQuote,
  refresh,
  onState: showState,
})

function convert(): void {
  const fields = new FormData(form)
  const pair = find<HTMLSelectElement>('#par', form)
  const amount = parseAmount(String(fields.get('monto')))
  const row = rowOf(pair.value)
  const price = row && shownBy(row)[fields.get('lado') === 'venta' ? 'sell' : 'buy']
  if (amount === null) return showResult('Escribí un monto como 1.500,50.', '—', '')
  if (!price) return showResult('Esa cotización todavía no tiene datos.', '—', '')

  const unit = pair.selectedOptions[0]!.dataset['unit']!
  const { sentence, pesos, inverse } = describeConversion(amount, price, unit)
  showResult(`${sentence} son`, pesos, inverse)
}

function showResult(sentence: string, pesos: string, inverse: string): void {
  for (const [name, text] of Object.entries({ sentence, pesos, inverse }))
    put(find(`[data-result="${name}"]`), text)
}

/** Shows a change from the stream, and all numbers that depend on it. */
function putQuote(quote: CurrentQuote): void {
  const key = `${quote.currency}/${quote.origin}`.toLowerCase()
  const row = rowOf(key)
  // A corrected value may be of an earlier instant than the wrong one, but is confirmed later.
  if (!row || Date.parse(quote.lastScrapedAt) < Number(row.dataset['confirmed'] ?? 0)) return
  if (row.dataset['sell'] === undefined) return void refresh().catch(() => {})

  const shown = shownBy(row)
  const next = shownAfter(shown, quote)
  putRange(row, next)
  for (const name of ['buy', 'sell', 'updated', 'confirmed'] as const)
    row.dataset[name] = String(next[name])
  const decimals = Number(row.dataset['decimals'])
  if (next.buy !== shown.buy) flash(cell(key, 'buy'), priceText(next.buy, decimals))
  if (next.sell !== shown.sell) flash(cell(key, 'sell'), priceText(next.sell, decimals))
  putChange(cell(key, 'move'), quote.change)
  putAge(row.querySelector('time'), next.confirmed, clock.now())
  putGaps()
  convert()
}

function rowOf(key: string): HTMLElement | null {
  return board.querySelector<HTMLElement>(`tr[data-pair="${key}"]`)
}

function cell(key: string, name: string): HTMLElement | null {
  return board.querySelector<HTMLElement>(`[data-cell="${key} ${name}"]`)
}

function putRange(row: HTMLElement, { low, high }: Pick<Shown, 'low' | 'high'>): void {
  const text = low < high ? rangeText(low, high, Number(row.dataset['decimals'])) : 'sin cambios'
  Object.assign(row.dataset, { low, high })
  put(cell(row.dataset['pair']!, 'range'), text)
}

/** At midnight, removes yesterday's ranges and reads again what changes with the day. */
function beginDay(): void {
  day = dayOf(clock.now())
  for (const row of findAll('tr[data-pair]', board)) putRange(row, { low: NaN, high: NaN })
  refresh().catch(() => {})
}

const sellOf = (key: string) => Number(rowOf(key)?.dataset['sell'])

/** Updates all gaps, because each also depends on the official dollar. */
function putGaps(): void {
  const official = sellOf('usd/oficial')
  const gapOf = (key: string) => {
    const sell = sellOf(key)
    return official && sell ? percentChange(sell, official) : null
  }
  for (const shown of findAll('[data-cell$=" gap"]')) {
    const key = shown.dataset['cell']!.split(' ')[0]!
    const gap = key === 'usd/oficial' ? null : gapOf(key)
    if (gap !== null) put(shown, percentText(gap))
  }
  const bars = findAll('[data-gap]')
  const gaps = bars.map(({ dataset }) => gapOf(dataset['gap']!))
  barsOf(gaps).forEach(({ x, width }, index) => {
    const [bar, gap] = [bars[index]!, gaps[index]!]
    const rect = find('rect', bar)
    rect.setAttribute('x', String(x))
    rect.setAttribute('width', String(width))
    if (gap !== null) put(find('.gap-value', bar), percentText(gap))
  })
  const blue = sellOf('usd/blue')
  if (blue) put(document.querySelector('[data-summary]'), blueSummary(blue, gapOf('usd/blue')))
}

/** Reads the whole board, for what the stream does not send: confirmations, marks, month lines. */
async function refresh(): Promise<void> {
  const fresh = await readPage('/', { cache: 'no-cache' })
  const { now, every } = find('#tablero', fresh).dataset
  clock.set(Number(now))
  day = dayOf(Number(now))
  Object.assign(board.dataset, { now, every })
  for (const row of findAll('tr[data-pair]', fresh)) putRow(row)
  for (const name of ['generado', 'brechas']) {
    const place = `[data-cell="${name}"]`
    find(place).replaceChildren(...find(place, fresh).childNodes)
  }
  passTime()
  putGaps()
  convert()
}

/** Shows a row of the board, unless the stream already brought something newer. */
function putRow(row: HTMLElement): void {
  const shown = rowOf(row.dataset['pair']!)
  if (!shown || Number(row.dataset['confirmed']) < Number(shown.dataset['confirmed'])) return

  const had = { ...shown.dataset }
  for (const name of ['low', 'high']) delete shown.dataset[name]
  Object.assign(shown.dataset, row.dataset)
  for (const part of findAll('[data-cell]', row)) {
    const there = shown.querySelector(`[data-cell="${part.dataset['cell']}"]`)
    if (!there || there.innerHTML === part.innerHTML) continue

    there.replaceChildren(...part.cloneNode(true).childNodes)
    const name = part.dataset['cell']!.split(' ')[1]!
    if ((name === 'buy' || name === 'sell') && had[name] !== row.dataset[name]) flash(there)
  }
}

function passTime(): void {
  updateAges(findAll<HTMLTimeElement>('.age time', board), clock.now())
  if (dayOf(clock.now()) !== day) beginDay()
}
