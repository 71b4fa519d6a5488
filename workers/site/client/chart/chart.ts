/**
 * The chart of a pair's page and of the gaps page, drawn from the closes of past days and the
 * points of the last day.
 */
import type uPlot from 'uplot'
import {
  type Candle,
  candlesIn,
  candlesOf,
  DAY,
  type Documents,
  gapsOf,
  instantsOf,
  joined,
  monthOf,
  pointsOf,
  type Range,
  RANGES,
  recentPointsOf,
  valuesAt,
  weekOf,
} from '../../pair/series.ts'
import { find, findAll, make } from '../dom.ts'
import { csvOf, fillTable, pngOf, save } from './outputs.ts'
import { type Drawing, type Drawn, plot, sizeOf } from './plot.ts'
import { emptiness, moment, movement, printed, type Unit } from './words.ts'

/** The document `/usd/blue/grafico.json`. It is `whole` if it goes back to the first day. */
type ChartData = Documents & { whole: boolean }

const HALF_HOUR = 1800
const values = find('[data-values]')
const table = find<HTMLTableElement>('[data-table]')
const details = find<HTMLDetailsElement>('details:has([data-table])')
const buttons = findAll<HTMLButtonElement>('[data-save]')
const documents = new Map<string, ChartData>()
let container: HTMLElement
let chart: uPlot | undefined
let drawing: Drawing | undefined
let draws = 0

export function startChart(element: HTMLElement): void {
  container = element
  readAddress()
  for (const choices of findAll('[data-ranges], [data-compare], [data-drawing]'))
    choices.addEventListener('change', () => {
      writeAddress()
      void draw()
    })
  for (const button of buttons)
    button.addEventListener('click', () => void saveAs(button.dataset['save']!))
  details.addEventListener('toggle', tabulate)
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => void draw())
  new ResizeObserver(() => chart?.setSize(sizeOf(container))).observe(container)
  void draw()
}

async function draw(): Promise<void> {
  const mine = ++draws
  const next = await chosen().catch(() => null)
  if (mine !== draws) return // something else was chosen meanwhile
  if (next) show(next)
  else empty('No pudimos traer los datos del gráfico. Probá de nuevo en un minuto.')
}

/** The drawing that the controls describe. */
async function chosen(): Promise<Drawing> {
  const range = find<HTMLInputElement>('[data-ranges] :checked').value as Range
  const shown = shownPairs()
  const against = container.dataset['against']
  const keys = [...shown.map(({ key }) => key), ...(against ? [against] : [])]
  const all = await Promise.all(keys.map((key) => read(key, range)))

  const now = Math.floor(Date.now() / 1000)
  const daily = range !== 'dia'
  const series = all.map(daily ? pointsOf : recentPointsOf)
  const firsts = series.flatMap((points) => points[0]?.[0] ?? [])
  const from = Math.max(now - RANGES[range].days * DAY, Math.min(...firsts, now - DAY))
  const instants = instantsOf(series, { from, to: now, daily })
  const rows = series.map((points, index) => valuesAt(points, instants, shown[index]?.confirmed))
  const base = against && rows.pop()
  const data: Drawing['data'] = [instants, ...(base ? rows.map((row) => gapsOf(row, base)) : rows)]
  const wantsCandles = document.querySelector('[data-candles]:checked') && shown.length === 1
  const candles = wantsCandles ? candlesFor(range, all[0]!, from, now) : []
  const { type, decimals } = container.dataset
  const unit = { type: type as Unit['type'], decimals: Number(decimals) }
  return { range, shown, data, candles: candles.length > 1 ? candles : null, unit }
}

function shownPairs(): Drawn[] {
  const compared = findAll<HTMLInputElement>('[data-compare] :checked').map((box) =>
    drawnOf(box.value, box),
  )
  const own = container.dataset['chart']
  return own ? [drawnOf(own, container), ...compared] : compared
}

function drawnOf(key: string, { dataset }: HTMLElement): Drawn {
  return { key, name: dataset['name']!, confirmed: Number(dataset['confirmed']) || undefined }
}

function candlesFor(range: Range, found: Documents, from: number, now: number): Candle[] {
  if (range === 'dia')
    return candlesIn(recentPointsOf(found), from, now, (at) => Math.floor(at / HALF_HOUR))
  const days = candlesOf(found, now).filter(({ at }) => at >= from)
  if (range === 'anio') return joined(days, weekOf)
  return range === 'todo' && days.length > 60 ? joined(days, monthOf) : days
}

async function read(key: string, range: Range): Promise<ChartData> {
  const known = documents.get(key)
  if (known && (range !== 'todo' || known.whole)) return known

  const response = await fetch(`/${key}/grafico.json${range === 'todo' ? '?todo=1' : ''}`)
  if (!response.ok) throw new Error(`answered ${response.status}`)
  const data = (await response.json()) as ChartData
  documents.set(key, data)
  return data
}

function show(next: Drawing): void {
  const { range, shown, data, unit } = next
  const [, ...rows] = data
  const nothing =
    shown.length === 0
      ? 'Elegí al menos una cotización para dibujar.'
      : emptiness(range, rows, unit)
  if (nothing) return empty(nothing)

  drawing = next
  chart?.destroy()
  chart = plot(container, next, describe)
  describe(null)
  container.setAttribute('role', 'img')
  container.setAttribute(
    'aria-label',
    `Gráfico. ${values.textContent} Los datos están en la tabla.`,
  )
  for (const button of buttons) button.disabled = false
  tabulate()
}

/** Shows a sentence instead of a chart. */
function empty(sentence: string): void {
  chart?.destroy()
  chart = undefined
  drawing = undefined
  container.removeAttribute('role')
  container.removeAttribute('aria-label')
  container.replaceChildren(make('p', { className: 'chart-empty' }, sentence))
  values.replaceChildren()
  for (const button of buttons) button.disabled = true
  tabulate()
}

/** Shows under the chart the values at the cursor, or without a cursor the change of each pair. */
function describe(index: number | null): void {
  if (!drawing) return
  const { range, shown, data, unit } = drawing
  const [instants, ...rows] = data
  const when = index === null ? RANGES[range].whole : moment(range, instants[index]!)
  const parts = shown.map(({ name }, number) => {
    const row = rows[number]!
    const text = index === null ? movement(range, instants, row, unit) : printed(row[index], unit)
    const part = make(
      'span',
      { className: 'chart-part' },
      `${name} `,
      make('strong', {}, text),
      ' ',
    )
    part.style.color = `var(--series-${(number % 6) + 1})`
    return part
  })
  values.replaceChildren(make('span', { className: 'muted' }, when), ' ', ...parts)
}

/** Fills the table when it is open. */
function tabulate(): void {
  details.hidden = !drawing
  if (details.open && drawing) fillTable(table, drawing)
}

async function saveAs(kind: string): Promise<void> {
  if (!drawing || !chart) return
  const name = `${(container.dataset['chart'] || 'brecha').replace('/', '-')}-${drawing.range}.${kind}`
  if (kind === 'csv') return save(csvOf(drawing), name)

  describe(null)
  const line = values.textContent.replace(/\s+/g, ' ').trim()
  const title = drawing.shown.map((pair) => pair.name).join(', ')
  save(await pngOf(chart, { title, line }), name)
}

type Box = HTMLInputElement
const comparedBoxes = () => findAll<Box>('[data-compare] input')
const candlesBox = () => document.querySelector<Box>('[data-candles]')

/** Sets the controls from the address; unknown values change nothing. */
function readAddress(): void {
  const query = new URLSearchParams(location.search)
  for (const input of findAll<Box>('[data-ranges] input'))
    if (input.value === query.get('periodo')) input.checked = true
  const box = candlesBox()
  if (box) box.checked = query.get('dibujo') === 'velas'
  const names = query.get('comparar')?.split(',')
  if (names) for (const box of comparedBoxes()) box.checked = names.includes(box.value)
}

function writeAddress(): void {
  const query = new URLSearchParams(location.search)
  const put = (name: string, value: string, standard: string) => {
    query.delete(name) // deleted first, so that the order of parameters is always the same
    if (value !== standard) query.set(name, value)
  }
  const names = (isNamed: (box: Box) => boolean) =>
    comparedBoxes()
      .filter(isNamed)
      .map(({ value }) => value)
      .join(',')
  const usual = find<Box>('[data-ranges] [checked]').value
  put('periodo', find<Box>('[data-ranges] :checked').value, usual)
  put('dibujo', candlesBox()?.checked ? 'velas' : 'linea', 'linea')
  put(
    'comparar',
    names((box) => box.checked),
    names((box) => box.defaultChecked),
  )
  // Slashes and commas need no escape in a query.
  const text = query.toString().replaceAll('%2F', '/').replaceAll('%2C', ',')
  history.replaceState(null, '', `${location.pathname}${text && '?'}${text}${location.hash}`)
}
