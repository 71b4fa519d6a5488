/* The home page, live: changes as they come, ages that count, and the converter while one types. */
import { describeConversion, parseAmount } from './convert.js'
import { follow } from './live.js'
import {
  ageText,
  ARROWS,
  barsOf,
  blueSummary,
  DIRECTION_WORDS,
  directionOf,
  percentAbove,
  percentText,
  priceText,
  rangeText,
} from './quote-text.js'

const AGES_MS = 10_000
const WORDS = {
  live: () => 'En vivo: los cambios llegan solos.',
  asking: () => 'Se actualiza cada minuto.',
  lost: () => `Sin conexión desde las ${clock()}: los valores pueden haber cambiado.`,
}

const form = document.getElementById('conversor')
const output = document.getElementById('conversion')
const board = document.getElementById('tablero')
/** The service's clock, whatever this machine's says: its last word, and when it came. */
let served = { at: Number(board?.dataset.now), heard: performance.now() }

if (form && board) {
  form.addEventListener('input', convert)
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    convert()
  })
  setInterval(countAges, AGES_MS)
  follow({
    everyMs: Number(board.dataset.every) * 1000,
    onQuote: take,
    refresh,
    onState: say,
  })
}

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

/** A change that the stream told: everything that follows from it, on the page at once. */
function take(quote) {
  const key = `${quote.currency}/${quote.origin}`.toLowerCase()
  const row = rowOf(key)
  const updated = Date.parse(quote.updatedAt)
  if (!row || updated < Number(row.dataset.updated ?? 0)) return
  if (row.dataset.sell === undefined) return void refresh().catch(() => {})

  const [buy, sell] = [quote.buy, quote.sell].map((value) => Math.round(value * 10_000))
  const moved = { buy: buy !== Number(row.dataset.buy), sell: sell !== Number(row.dataset.sell) }
  Object.assign(row.dataset, { buy, sell, updated })
  const decimals = Number(row.dataset.decimals)
  if (moved.buy) flash(cell(key, 'buy'), priceText(buy, decimals))
  if (moved.sell) flash(cell(key, 'sell'), priceText(sell, decimals))
  putChange(cell(key, 'move'), quote.change)
  putAge(row, Date.parse(quote.lastScrapedAt))
  widen(row, key, sell, decimals)
  putGaps()
  convert()
}

function rowOf(key) {
  return board.querySelector(`tr[data-pair="${key}"]`)
}

function cell(key, name) {
  return board.querySelector(`[data-cell="${key} ${name}"]`)
}

function put(element, text) {
  if (element && element.textContent !== text) element.textContent = text
}

/** Puts a value into a cell, behind its unit, and lets it glow for a moment. */
function flash(shown, text) {
  if (!shown) return
  if (text !== undefined) shown.replaceChildren(...shown.querySelectorAll('.unit'), text)
  shown.classList.remove('flash')
  requestAnimationFrame(() => shown.classList.add('flash'))
}

function putChange(shown, change) {
  if (!change) return
  const direction = directionOf(change.amount)
  const mark = document.createElement('span')
  const [arrow, words] = [document.createElement('span'), document.createElement('span')]
  mark.className = `change ${direction}`
  arrow.ariaHidden = 'true'
  arrow.textContent = `${ARROWS[direction]} `
  words.className = 'visually-hidden'
  words.textContent = `${DIRECTION_WORDS[direction]} `
  mark.append(arrow, words, percentText(change.percent))
  shown.replaceChildren(mark)
}

function putAge(row, confirmed) {
  const time = row.querySelector('time')
  if (!time || Date.parse(time.dateTime) >= confirmed) return
  time.dateTime = new Date(confirmed).toISOString()
  time.textContent = ageText(confirmed, now())
}

/** Today's range, where the new value lies beyond it. */
function widen(row, key, sell, decimals) {
  const low = Math.min(sell, Number(row.dataset.low ?? sell))
  const high = Math.max(sell, Number(row.dataset.high ?? sell))
  Object.assign(row.dataset, { low, high })
  if (low < high) put(cell(key, 'range'), rangeText(low, high, decimals))
}

/** Every gap hangs on the official dollar too, so all of them are put anew. */
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

/** The whole board, for what the stream does not tell: confirmations, marks, lines of the month. */
async function refresh() {
  const response = await fetch('/tablero', { cache: 'no-cache' })
  if (!response.ok) throw new Error(`answered ${response.status}`)

  const fresh = new DOMParser().parseFromString(await response.text(), 'text/html')
  const { now, every } = fresh.getElementById('tablero').dataset
  served = { at: Number(now), heard: performance.now() }
  Object.assign(board.dataset, { now, every })
  for (const row of fresh.querySelectorAll('tr[data-pair]')) takeRow(row)
  for (const name of ['generado', 'brechas']) {
    const there = document.querySelector(`[data-cell="${name}"]`)
    there?.replaceChildren(...(fresh.querySelector(`[data-cell="${name}"]`)?.childNodes ?? []))
  }
  countAges()
  putGaps()
  convert()
}

/** A row as the board has it, unless the stream already told something newer. */
function takeRow(row) {
  const shown = rowOf(row.dataset.pair)
  if (!shown || Number(row.dataset.updated) < Number(shown.dataset.updated)) return

  const had = { ...shown.dataset }
  Object.assign(shown.dataset, row.dataset)
  for (const part of row.querySelectorAll('[data-cell]')) {
    const there = shown.querySelector(`[data-cell="${part.dataset.cell}"]`)
    if (!there || there.innerHTML === part.innerHTML) continue

    there.replaceChildren(...part.cloneNode(true).childNodes)
    const name = part.dataset.cell.split(' ')[1]
    if ((name === 'buy' || name === 'sell') && had[name] !== row.dataset[name]) flash(there)
  }
}

function now() {
  return served.at + performance.now() - served.heard
}

function countAges() {
  for (const time of board.querySelectorAll('.age time')) {
    put(time, ageText(Date.parse(time.dateTime), now()))
  }
}

function say(state) {
  const line = document.querySelector('[data-live]')
  line.dataset.live = state
  put(line, WORDS[state]())
}

function clock() {
  return new Date().toLocaleTimeString('es-AR', {
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZone: 'America/Argentina/Buenos_Aires',
  })
}
