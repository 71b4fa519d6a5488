/* One drawing with uPlot, with candles and touch. */
import { isolated } from './series.js'
import { argentineText } from '../quote-text.js'

const DAY = 86_400
/** How marks of the time axis are written, by the most seconds between two of them. */
const FORMATS = [
  [DAY - 1, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }],
  [27 * DAY, { day: 'numeric', month: 'numeric' }],
  [364 * DAY, { month: 'short', year: '2-digit' }],
  [Infinity, { year: 'numeric' }],
]

/** Draws into the place; `pointAt` is called with the index under the pointer, or null. */
export function plot(place, { range, shown, data, candles, unit, pointAt }) {
  const { uPlot } = globalThis
  place.replaceChildren()
  const chart = new uPlot(
    {
      ...sizeOf(place),
      // Argentine time all year, also in the summers of before 2010 in which clocks were not.
      tzDate: (at) => uPlot.tzDate(new Date(at * 1000), 'Etc/GMT+3'),
      legend: { show: false },
      cursor: { y: false, drag: { x: false, y: false }, points: { size: 8 } },
      scales: { x: { range: timeRange(candles) }, y: { range: valueRange(candles) } },
      axes: axesOf(unit),
      series: [
        {},
        ...shown.map(({ name }, index) => lineOf(name, index, { range, shown, candles })),
      ],
      hooks: {
        draw: candles ? [(chart) => drawCandles(chart, candles)] : [],
        setCursor: [({ cursor }) => pointAt(cursor.idx ?? null)],
      },
    },
    data,
    place,
  )
  followFingers(chart)
  return chart
}

export function sizeOf(place) {
  return { width: Math.max(200, place.clientWidth), height: place.clientHeight }
}

/** A colour of the style sheet, light or dark as it is now, for the canvas. */
export function colour(name) {
  const probe = document.body.appendChild(document.createElement('i'))
  probe.style.color = `var(${name})`
  const { color } = getComputedStyle(probe)
  probe.remove()
  return color
}

function axesOf({ type }) {
  const axis = {
    stroke: colour('--muted'),
    grid: { stroke: colour('--line'), width: 1 },
    ticks: { show: false },
    font: '13px system-ui, sans-serif',
  }
  return [
    { ...axis, space: 72, values: (...[, splits, , , step]) => timeLabels(splits, step) },
    { ...axis, size: 68, values: (...[, splits, , , step]) => valueLabels(splits, step, type) },
  ]
}

function timeLabels(splits, step) {
  const [, format] = FORMATS.find(([most]) => step <= most)
  return splits.map((at) => argentineText(at * 1000, format))
}

/** With as many decimals as the marks need. */
function valueLabels(splits, step, type) {
  const digits = String(step).split('.')[1]?.length ?? 0
  const decimals = { minimumFractionDigits: digits, maximumFractionDigits: digits }
  return splits.map((value) => {
    const text = value.toLocaleString('es-AR', decimals).replace('-', '−')
    return type === 'percent' ? `${text} %` : text
  })
}

function lineOf(label, index, { range, shown, candles }) {
  const { uPlot } = globalThis
  const stroke = colour(`--series-${(index % 6) + 1}`)
  if (candles) return { label, stroke, paths: () => null, points: { show: false } }
  return {
    label,
    stroke,
    width: index === 0 ? 2.5 : 2,
    fill: shown.length === 1 ? colour('--series-fill') : undefined,
    spanGaps: false,
    points: {
      show: true,
      size: 6,
      fill: stroke,
      filter: (chart, at) => isolated([...chart.data[at]]),
    },
    paths: range === 'dia' ? uPlot.paths.stepped({ align: 1 }) : uPlot.paths.linear(),
  }
}

/** Candles at the edges stand whole. */
function timeRange(candles) {
  return (_, low, high) => {
    const room = candles ? (high - low || DAY) / Math.max(2, candles.length) : 0
    return [low - room, high + room]
  }
}

/** A flat line stands in the middle, not on the edge. */
function valueRange(candles) {
  return (_, low, high) => {
    if (low === null || high === null) return [0, 1]
    const least = candles ? Math.min(...candles.map((candle) => candle.low)) : low
    const most = candles ? Math.max(...candles.map((candle) => candle.high)) : high
    const room = most === least ? Math.abs(most) * 0.01 || 1 : (most - least) * 0.12
    return [least - room, most + room]
  }
}

/** Full when the value fell, hollow when it rose, for those who do not see the colour. */
function drawCandles(chart, candles) {
  const { ctx } = chart
  const ratio = globalThis.devicePixelRatio || 1
  const [up, down] = [colour('--up'), colour('--down')]
  const width =
    Math.max(2, Math.min(14, (chart.bbox.width / candles.length / ratio) * 0.62)) * ratio
  ctx.save()
  ctx.lineWidth = 1.25 * ratio
  for (const { at, open, high, low, close } of candles) {
    const x = Math.round(chart.valToPos(at, 'x', true))
    const [top, bottom] = [Math.max(open, close), Math.min(open, close)].map((value) =>
      chart.valToPos(value, 'y', true),
    )
    ctx.strokeStyle = ctx.fillStyle = close < open ? down : up
    ctx.beginPath()
    ctx.moveTo(x, chart.valToPos(high, 'y', true))
    ctx.lineTo(x, top)
    ctx.moveTo(x, bottom)
    ctx.lineTo(x, chart.valToPos(low, 'y', true))
    ctx.stroke()
    const body = [x - width / 2, top, width, Math.max(ratio, bottom - top)]
    if (close < open) ctx.fillRect(...body)
    else ctx.strokeRect(...body)
  }
  ctx.restore()
}

/** A finger moves the cursor sideways and leaves it there; up and down it scrolls the page. */
function followFingers(chart) {
  const move = (event) => {
    if (event.pointerType === 'mouse') return
    const box = chart.over.getBoundingClientRect()
    chart.setCursor({ left: event.clientX - box.left, top: event.clientY - box.top })
  }
  for (const name of ['pointerdown', 'pointermove']) chart.over.addEventListener(name, move)
}
