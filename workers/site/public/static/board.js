/* The home page, live: changes, ages, and the converter while one types. */
import { describeConversion, parseAmount } from './convert.js'
import { follow } from './live.js'
import {
  updateAges,
  flash,
  openClock,
  put,
  putAge,
  putChange,
  rangeWith,
  showState,
} from './live-parts.js'
import {
  barsOf,
  blueSummary,
  dayOf,
  percentAbove,
  percentText,
  priceText,
  rangeText,
} from './quote-text.js'

const AGES_MS = 10_000

const form = document.getElementById('conversor')
const output = document.getElementById('conversion')
const board = document.getElementById('tablero')
const clock = openClock(Number(board.dataset.now))
/** The day of the ranges that are shown. */
let day = dayOf(clock.now())

form.addEventListener('input', convert)
form.addEventListener('submit', (event) => {
  event.preventDefault()
  convert()
})
setInterval(passTime, AGES_MS)
follow({
  everyMs: Number(board.dataset.every) * 1000,
  onQuote: putQuote,
  refresh,
  onState: showState,
})

function convert() {
  const fields = new FormData(form)
  const amount = parseAmount(String(fields.get('monto')))
  const row = rowOf(fields.get('par'))
  const price = Number(fields.get('lado') === 'venta' ? row?.dataset.sell : row?.dataset.buy)
  if (amount === null) return show('Escribí un monto como 1.500,50.', '—', '')
  if (!price) return show('Esa cotización todavía no tiene datos.', '—', '')

  const { unit } = form.elements.par.selectedOptions[0].dataset
  const { sentence, pesos, inverse } = describeConversion(amount, price, unit)
  show(`${sentence} son`, pesos, inverse)
}

function show(sentence, pesos, inverse) {
  for (const [name, text] of Object.entries({ sentence, pesos, inverse })) {
    put(output.querySelector(`[data-result="${name}"]`), text)
  }
}

/** Shows a change of the stream, and everything that follows from it. */
function putQuote(quote) {
  const key = `${quote.currency}/${quote.origin}`.toLowerCase()
  const row = rowOf(key)
  const [updated, confirmed] = [quote.updatedAt, quote.lastScrapedAt].map(Date.parse)
  // A corrected value may be of an earlier instant than the wrong one, but is confirmed later.
  if (!row || confirmed < Number(row.dataset.confirmed ?? 0)) return
  if (row.dataset.sell === undefined) return void refresh().catch(() => {})

  const [buy, sell] = [quote.buy, quote.sell].map((value) => Math.round(value * 10_000))
  const moved = { buy: buy !== Number(row.dataset.buy), sell: sell !== Number(row.dataset.sell) }
  putRange(row, rangeWith(rangeOf(row), { sell, updated, change: quote.change }))
  Object.assign(row.dataset, { buy, sell, updated, confirmed })
  const decimals = Number(row.dataset.decimals)
  if (moved.buy) flash(cell(key, 'buy'), priceText(buy, decimals))
  if (moved.sell) flash(cell(key, 'sell'), priceText(sell, decimals))
  putChange(cell(key, 'move'), quote.change)
  putAge(row.querySelector('time'), confirmed, clock.now())
  putGaps()
  convert()
}

function rowOf(key) {
  return board.querySelector(`tr[data-pair="${key}"]`)
}

function cell(key, name) {
  return board.querySelector(`[data-cell="${key} ${name}"]`)
}

/** What a row shows of today, as numbers; NaN where it shows no range. */
function rangeOf({ dataset: { low, high, sell, updated } }) {
  return { low: Number(low), high: Number(high), sell: Number(sell), updated: Number(updated) }
}

function putRange(row, { low, high }) {
  const text = low < high ? rangeText(low, high, Number(row.dataset.decimals)) : 'sin cambios'
  Object.assign(row.dataset, { low, high })
  put(cell(row.dataset.pair, 'range'), text)
}

/** At midnight: yesterday's ranges go, and what else changes with the day is read again. */
function beginDay() {
  day = dayOf(clock.now())
  for (const row of board.querySelectorAll('tr[data-pair]')) putRange(row, { low: NaN, high: NaN })
  refresh().catch(() => {})
}

/** All gaps, because each depends on the official dollar too. */
function putGaps() {
  const official = Number(rowOf('usd/oficial')?.dataset.sell)
  const gapOf = (key) => {
    const sell = Number(rowOf(key)?.dataset.sell)
    return official && sell ? percentAbove(sell, official) : null
  }
  for (const shown of board.querySelectorAll('[data-cell$=" gap"]')) {
    const key = shown.dataset.cell.split(' ')[0]
    const gap = key === 'usd/oficial' ? null : gapOf(key)
    if (gap !== null) put(shown, percentText(gap))
  }
  const bars = [...document.querySelectorAll('[data-gap]')]
  const gaps = bars.map(({ dataset }) => gapOf(dataset.gap))
  barsOf(gaps).forEach(({ x, width }, index) => {
    const rect = bars[index].querySelector('rect')
    rect.setAttribute('x', x)
    rect.setAttribute('width', width)
    if (gaps[index] !== null) put(bars[index].querySelector('.gap-value'), percentText(gaps[index]))
  })
  const blue = Number(rowOf('usd/blue')?.dataset.sell)
  if (blue) put(document.querySelector('[data-summary]'), blueSummary(blue, gapOf('usd/blue')))
}

/** Reads the whole board, for what the stream does not send: confirmations, marks, month lines. */
async function refresh() {
  const response = await fetch('/', { cache: 'no-cache' })
  if (!response.ok) throw new Error(`answered ${response.status}`)

  const fresh = new DOMParser().parseFromString(await response.text(), 'text/html')
  const { now, every } = fresh.getElementById('tablero').dataset
  clock.set(Number(now))
  day = dayOf(Number(now))
  Object.assign(board.dataset, { now, every })
  for (const row of fresh.querySelectorAll('tr[data-pair]')) putRow(row)
  for (const name of ['generado', 'brechas']) {
    const place = `[data-cell="${name}"]`
    document.querySelector(place).replaceChildren(...fresh.querySelector(place).childNodes)
  }
  passTime()
  putGaps()
  convert()
}

/** Shows a row of the board, unless the stream already brought something newer. */
function putRow(row) {
  const shown = rowOf(row.dataset.pair)
  if (!shown || Number(row.dataset.confirmed) < Number(shown.dataset.confirmed)) return

  const had = { ...shown.dataset }
  for (const name of ['low', 'high']) delete shown.dataset[name]
  Object.assign(shown.dataset, row.dataset)
  for (const part of row.querySelectorAll('[data-cell]')) {
    const there = shown.querySelector(`[data-cell="${part.dataset.cell}"]`)
    if (!there || there.innerHTML === part.innerHTML) continue

    there.replaceChildren(...part.cloneNode(true).childNodes)
    const name = part.dataset.cell.split(' ')[1]
    if ((name === 'buy' || name === 'sell') && had[name] !== row.dataset[name]) flash(there)
  }
}

function passTime() {
  updateAges(board.querySelectorAll('.age time'), clock.now())
  if (dayOf(clock.now()) !== day) beginDay()
}
