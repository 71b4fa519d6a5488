/* The home page, live: fresh cells each minute, and the converter while one types. */
import { describeConversion, parseAmount } from './convert.js'

const EVERY_MS = 60_000
const form = document.getElementById('conversor')
const output = document.getElementById('conversion')
let readAt = Date.now()

if (form) {
  form.addEventListener('input', convert)
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    convert()
  })
  setInterval(refreshWhenDue, 5_000)
  document.addEventListener('visibilitychange', refreshWhenDue)
}

function convert() {
  const fields = new FormData(form)
  const amount = parseAmount(String(fields.get('monto')))
  const row = document.querySelector(`tr[data-pair="${fields.get('par')}"]`)
  const price = Number(fields.get('lado') === 'venta' ? row?.dataset.sell : row?.dataset.buy)
  if (amount === null) return show('Escribí un monto como 1.500,50.', '—', '')
  if (!price) return show('Esa cotización todavía no tiene datos.', '—', '')

  const { unit } = form.elements.par.selectedOptions[0].dataset
  const { sentence, pesos, inverse } = describeConversion(amount, price, unit)
  show(`${sentence} son`, pesos, inverse)
}

function show(sentence, pesos, inverse) {
  for (const [name, text] of Object.entries({ sentence, pesos, inverse })) {
    const line = output.querySelector(`[data-result="${name}"]`)
    if (line.textContent !== text) line.textContent = text
  }
}

/** A page in the background waits until it is looked at. */
function refreshWhenDue() {
  if (document.hidden || Date.now() - readAt < EVERY_MS) return
  readAt = Date.now()
  refresh().catch(() => {}) // out of reach: what stands there stays, and the next minute asks again
}

async function refresh() {
  const response = await fetch('/tablero', { cache: 'no-cache' })
  if (!response.ok) return

  const fresh = new DOMParser().parseFromString(await response.text(), 'text/html')
  for (const row of fresh.querySelectorAll('tr[data-pair]')) {
    const shown = document.querySelector(`tr[data-pair="${row.dataset.pair}"]`)
    if (shown) Object.assign(shown.dataset, row.dataset)
  }
  for (const cell of fresh.querySelectorAll('[data-cell]')) {
    const shown = document.querySelector(`[data-cell="${cell.dataset.cell}"]`)
    if (!shown || shown.innerHTML === cell.innerHTML) continue

    const moved = /(buy|sell)$/.test(cell.dataset.cell)
    shown.replaceChildren(...cell.cloneNode(true).childNodes)
    if (moved) flash(shown)
  }
  convert()
}

function flash(cell) {
  cell.classList.remove('flash')
  requestAnimationFrame(() => cell.classList.add('flash'))
}
