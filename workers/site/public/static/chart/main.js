/*
 * The chart of a pair's page and of the gaps. Its data: the closes of past days and the points of the
 * last day.
 */
import { readAddress, writeAddress } from './address.js'
import { csvOf, fillTable, pngOf, save } from './outputs.js'
import { plot, sizeOf } from './plot.js'
import {
  candlesIn,
  candlesOf,
  DAY,
  gapsOf,
  instantsOf,
  joined,
  monthOf,
  pointsOf,
  recentPointsOf,
  valuesAt,
  weekOf,
} from './series.js'
import { emptiness, moment, movement, printed, RANGES } from './words.js'

const HALF_HOUR = 1800
const values = document.querySelector('[data-values]')
const table = document.querySelector('[data-table]')
const details = table.closest('details')
const candlesBox = document.querySelector('[data-candles]')
const documents = new Map()
let place
let chart
let drawing
let turns = 0

export function start(element) {
  place = element
  readAddress()
  for (const choices of document.querySelectorAll(
    '[data-ranges], [data-compare], [data-drawing]',
  )) {
    choices.addEventListener('change', () => {
      writeAddress()
      draw()
    })
  }
  for (const button of document.querySelectorAll('[data-save]')) {
    button.addEventListener('click', () => saveAs(button.dataset.save))
  }
  details.addEventListener('toggle', tabulate)
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', draw)
  new ResizeObserver(() => chart?.setSize(sizeOf(place))).observe(place)
  draw()
}

async function draw() {
  const turn = ++turns
  try {
    const next = await chosen()
    if (turn === turns) show(next) // else something else was chosen meanwhile
  } catch {
    if (turn === turns)
      empty('No pudimos traer los datos del gráfico. Probá de nuevo en un minuto.')
  }
}

/** What the controls ask to draw. */
async function chosen() {
  const range = document.querySelector('[data-ranges] :checked').value
  const shown = shownPairs()
  const against = place.dataset.against
  const keys = [...shown.map(({ key }) => key), ...(against ? [against] : [])]
  const [all] = await Promise.all([Promise.all(keys.map((key) => read(key, range))), library()])

  const now = Math.floor(Date.now() / 1000)
  const daily = range !== 'dia'
  const series = all.map(daily ? pointsOf : recentPointsOf)
  const firsts = series.flatMap((points) => points[0]?.[0] ?? [])
  const from = Math.max(now - RANGES[range].days * DAY, Math.min(...firsts, now - DAY))
  const instants = instantsOf(series, { from, to: now, daily })
  const confirmed = (index) => shown[index]?.confirmed ?? Infinity
  const rows = series.map((points, index) => valuesAt(points, instants, confirmed(index)))
  const base = against && rows.pop()
  const data = [instants, ...(base ? rows.map((row) => gapsOf(row, base)) : rows)]
  const candles =
    candlesBox?.checked && shown.length === 1 ? candlesFor(range, all[0], from, now) : null
  return { range, shown, data, candles: candles?.length > 1 ? candles : null, unit: unitOf() }
}

function unitOf() {
  const { type, decimals } = place.dataset
  return { type, decimals: Number(decimals) }
}

function shownPairs() {
  const compared = [...document.querySelectorAll('[data-compare] :checked')].map(pairOf)
  return place.dataset.chart ? [pairOf(place), ...compared] : compared
}

function pairOf({ value, dataset }) {
  return {
    key: value ?? dataset.chart,
    name: dataset.name,
    confirmed: Number(dataset.confirmed) || undefined,
  }
}

function candlesFor(range, found, from, now) {
  if (range === 'dia') {
    return candlesIn(recentPointsOf(found), from, now, (at) => Math.floor(at / HALF_HOUR))
  }
  const days = candlesOf(found, now).filter(({ at }) => at >= from)
  if (range === 'anio') return joined(days, weekOf)
  return range === 'todo' && days.length > 60 ? joined(days, monthOf) : days
}

async function read(key, range) {
  const known = documents.get(key)
  if (known && (range !== 'todo' || known.whole)) return known

  const response = await fetch(`/${key}/grafico.json${range === 'todo' ? '?todo=1' : ''}`)
  if (!response.ok) throw new Error(`answered ${response.status}`)
  const document = await response.json()
  documents.set(key, document)
  return document
}

let loading
function library() {
  loading ??= Promise.all([
    loaded(Object.assign(document.createElement('script'), { src: '/static/uplot.js' })),
    loaded(
      Object.assign(document.createElement('link'), {
        rel: 'stylesheet',
        href: '/static/uplot.css',
      }),
    ),
  ])
  return loading
}

function loaded(element) {
  return new Promise((resolve, reject) => {
    element.addEventListener('load', resolve)
    element.addEventListener('error', reject)
    document.head.append(element)
  })
}

function show(next) {
  drawing = next
  const { range, shown, data, unit } = next
  const nothing =
    shown.length === 0
      ? 'Elegí al menos una cotización para dibujar.'
      : emptiness(range, data.slice(1), unit)
  if (nothing) return empty(nothing)

  chart?.destroy()
  chart = plot(place, { ...next, pointAt: describe })
  describe(null)
  place.setAttribute('role', 'img')
  place.setAttribute('aria-label', `Gráfico. ${values.textContent} Los datos están en la tabla.`)
  for (const button of document.querySelectorAll('[data-save]')) button.disabled = false
  tabulate()
}

/** A sentence instead of an empty frame. */
function empty(sentence) {
  chart?.destroy()
  chart = undefined
  drawing = undefined
  const text = document.createElement('p')
  text.className = 'chart-empty'
  text.textContent = sentence
  place.removeAttribute('role')
  place.removeAttribute('aria-label')
  place.replaceChildren(text)
  values.replaceChildren()
  for (const button of document.querySelectorAll('[data-save]')) button.disabled = true
  tabulate()
}

/** Under the chart: the values at the cursor, or how each moved over the whole period. */
function describe(index) {
  const { range, shown, data, unit } = drawing
  const [instants, ...rows] = data
  const head = document.createElement('span')
  head.className = 'chart-when'
  head.textContent = index === null ? RANGES[range].name : moment(range, instants[index])
  const parts = shown.map(({ name }, number) => {
    const row = rows[number]
    return part(
      number,
      name,
      index === null ? movement(range, instants, row, unit) : printed(row[index], unit),
    )
  })
  values.replaceChildren(head, ' ', ...parts)
}

function part(number, name, text) {
  const element = document.createElement('span')
  element.className = 'chart-part'
  element.style.color = `var(--series-${(number % 6) + 1})`
  const strong = document.createElement('strong')
  strong.textContent = text
  element.append(`${name} `, strong, ' ')
  return element
}

/** Fills the table when it is open. */
function tabulate() {
  details.hidden = !drawing
  if (details.open && drawing) fillTable(table, drawing)
}

async function saveAs(kind) {
  if (!drawing) return
  const { range, shown } = drawing
  const name = `${(place.dataset.chart || 'brecha').replace('/', '-')}-${range}`
  if (kind === 'csv') return save(csvOf(drawing), `${name}.csv`)

  describe(null)
  const line = values.textContent.replace(/\s+/g, ' ').trim()
  const title = place.dataset.title ?? shown.map((pair) => pair.name).join(', ')
  save(await pngOf(chart, { title, line }), `${name}.png`)
}
