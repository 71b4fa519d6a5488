/*
 * The chart of a pair's page. The library and the data are fetched when the chart comes into view;
 * the data is what the site publishes for everyone: closes of past days, points of the last day.
 */
const DAY = 86_400
const ARGENTINA = 'America/Argentina/Buenos_Aires'
/** Seconds after midnight UTC at which an Argentine day ends. */
const DAY_END = 3 * 3600 + DAY - 1
const PRICE_SCALE = 10_000
const SPANS = { dia: DAY, semana: 7 * DAY, mes: 30 * DAY, anio: 365 * DAY, todo: Infinity }
const NAMES = {
  dia: 'Último día',
  semana: 'Última semana',
  mes: 'Último mes',
  anio: 'Último año',
  todo: 'Desde el primer dato',
}
const TICKS = {
  dia: { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
  semana: { day: 'numeric', month: 'numeric' },
  mes: { day: 'numeric', month: 'numeric' },
  anio: { month: 'short', year: '2-digit' },
  todo: { year: 'numeric' },
}

const place = document.querySelector('[data-chart]')
const values = document.querySelector('[data-values]')
const documents = new Map()
let chart
let drawing = 0

if (place) {
  const seen = new IntersectionObserver(
    (entries) => {
      if (!entries.some((entry) => entry.isIntersecting)) return
      seen.disconnect()
      start()
    },
    { rootMargin: '100px' },
  )
  seen.observe(place)
}

function start() {
  for (const choices of document.querySelectorAll('[data-ranges], [data-compare]')) {
    choices.addEventListener('change', draw)
  }
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', draw)
  new ResizeObserver(() => chart?.setSize(size())).observe(place)
  draw()
}

async function draw() {
  const turn = ++drawing
  try {
    const range = document.querySelector('[data-ranges] :checked').value
    const shown = shownPairs()
    const [series] = await Promise.all([
      Promise.all(shown.map(({ key }) => seriesOf(key, range))),
      loadLibrary(),
    ])
    if (turn !== drawing) return // something else was chosen meanwhile

    plot(range, shown, series)
  } catch {
    if (turn === drawing) values.textContent = 'No pudimos traer los datos del gráfico.'
  }
}

function shownPairs() {
  const compared = [...document.querySelectorAll('[data-compare] :checked')]
  return [
    { key: place.dataset.chart, name: place.dataset.name },
    ...compared.map((box) => ({ key: box.value, name: box.dataset.name })),
  ]
}

/** `[seconds, value]` ascending: each in effect until the next. */
async function seriesOf(key, range) {
  const { closes, recent } = await read(key, range)
  const today = recent.map(([minute, sell]) => [minute * 60, sell / PRICE_SCALE])
  if (range === 'dia') return today

  const closed = closes.map(([day, sell]) => [day * DAY + DAY_END, sell / PRICE_SCALE])
  const last = closed.at(-1)?.[0] ?? 0
  return [...closed, ...today.filter(([at]) => at > last)]
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

let library
function loadLibrary() {
  library ??= Promise.all([
    loaded(Object.assign(document.createElement('script'), { src: '/static/uplot.js' })),
    loaded(
      Object.assign(document.createElement('link'), {
        rel: 'stylesheet',
        href: '/static/uplot.css',
      }),
    ),
  ])
  return library
}

function loaded(element) {
  return new Promise((resolve, reject) => {
    element.addEventListener('load', resolve)
    element.addEventListener('error', reject)
    document.head.append(element)
  })
}

function plot(range, shown, series) {
  const now = Math.floor(Date.now() / 1000)
  const firsts = series.flatMap((points) => points[0]?.[0] ?? [])
  const from = Math.max(now - SPANS[range], Math.min(...firsts))
  const instants = range === 'dia' ? changesIn(series, from, now) : daysIn(series, from, now)
  const data = [instants, ...series.map((points) => carried(points, instants))]

  chart?.destroy()
  place.replaceChildren()
  chart = new globalThis.uPlot(options(range, shown, data), data, place)
  describe(range, shown, data, null)
  place.setAttribute('role', 'img')
  place.setAttribute('aria-label', `Gráfico. ${values.textContent}`)
}

function changesIn(series, from, to) {
  const inside = series.flatMap((points) => points.map(([at]) => at))
  return ascending([from, ...inside.filter((at) => at > from && at < to), to])
}

/** The end of every day, so that a quiet one is flat, and today's changes. */
function daysIn(series, from, to) {
  const days = []
  const first = Math.ceil((from - DAY_END) / DAY) * DAY + DAY_END
  for (let at = first; at < to; at += DAY) days.push(at)
  const last = days.at(-1) ?? from
  return ascending([...days, ...changesIn(series, last, to)])
}

function ascending(instants) {
  return [...new Set(instants)].toSorted((a, b) => a - b)
}

function carried(points, instants) {
  let next = 0
  let value = null
  return instants.map((at) => {
    while (next < points.length && points[next][0] <= at) value = points[next++][1]
    return value
  })
}

function options(range, shown, data) {
  const style = getComputedStyle(document.documentElement)
  const colour = (name) => style.getPropertyValue(name).trim()
  const axis = {
    stroke: colour('--muted'),
    grid: { stroke: colour('--line'), width: 1 },
    ticks: { show: false },
    font: '13px system-ui, sans-serif',
  }
  const ticks = new Intl.DateTimeFormat('es-AR', { ...TICKS[range], timeZone: ARGENTINA })
  const { uPlot } = globalThis
  const paths = range === 'dia' ? uPlot.paths.stepped({ align: 1 }) : uPlot.paths.linear()

  return {
    ...size(),
    tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), ARGENTINA),
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false }, points: { size: 8 } },
    scales: { y: { range: (_, low, high) => padded(low, high) } },
    axes: [
      { ...axis, space: 70, values: (_, splits) => splits.map((at) => ticks.format(at * 1000)) },
      {
        ...axis,
        size: 64,
        values: (_, splits) => splits.map((value) => axisNumber(value, splits)),
      },
    ],
    series: [
      {},
      ...shown.map(({ name }, index) => ({
        label: name,
        stroke: colour(`--series-${(index % 6) + 1}`),
        width: index === 0 ? 2.5 : 2,
        fill: shown.length === 1 ? colour('--series-fill') : undefined,
        points: { show: false },
        paths,
      })),
    ],
    hooks: { setCursor: [({ cursor }) => describe(range, shown, data, cursor.idx)] },
  }
}

/** A flat line stands in the middle, not on the edge. */
function padded(low, high) {
  if (low === null || high === null) return [0, 1]
  const room = high === low ? Math.abs(high) * 0.01 || 1 : (high - low) * 0.12
  return [low - room, high + room]
}

function axisNumber(value, splits) {
  const step = splits.length > 1 ? splits[1] - splits[0] : 1
  const digits = step >= 1 ? 0 : step >= 0.01 ? 2 : 4
  return value.toLocaleString('es-AR', { minimumFractionDigits: digits })
}

/** Under the chart: the values at the cursor, or how each moved over the whole period. */
function describe(range, shown, data, index) {
  const when = index === null || index === undefined ? NAMES[range] : moment(range, data[0][index])
  const parts = shown.map(({ name }, number) => {
    const row = data[number + 1]
    const text = index === null || index === undefined ? movement(row) : printed(row[index])
    return part(number, name, text)
  })
  const head = document.createElement('span')
  head.className = 'chart-when'
  head.textContent = when
  values.replaceChildren(head, ...parts)
}

function part(number, name, text) {
  const element = document.createElement('span')
  element.className = `chart-part series-${(number % 6) + 1}`
  const strong = document.createElement('strong')
  strong.textContent = text
  element.append(`${name} `, strong, ' ')
  return element
}

function movement(row) {
  const first = row.find((value) => value !== null)
  const last = row.at(-1)
  if (first === undefined || last === null) return 'sin datos'
  if (!first) return printed(last)

  const percent = ((last - first) / first) * 100
  return `${printed(last)} (${percent.toLocaleString('es-AR', {
    minimumFractionDigits: 2,
    maximumFractionDigits: 2,
    signDisplay: 'exceptZero',
  })} %)`
}

function printed(value) {
  if (value === null || value === undefined) return 'sin datos'
  const decimals = Number(place.dataset.decimals)
  const number = value.toLocaleString('es-AR', {
    minimumFractionDigits: Math.min(2, decimals),
    maximumFractionDigits: decimals,
  })
  return place.dataset.type === 'money' ? `$ ${number}` : number
}

function moment(range, seconds) {
  return new Intl.DateTimeFormat('es-AR', {
    timeZone: ARGENTINA,
    day: 'numeric',
    month: 'numeric',
    year: 'numeric',
    ...(range === 'dia' ? TICKS.dia : {}),
  }).format(seconds * 1000)
}

function size() {
  return { width: Math.max(200, place.clientWidth), height: place.clientHeight }
}
