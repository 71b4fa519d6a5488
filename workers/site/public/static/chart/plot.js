/* One drawing: the options that uPlot takes, candles, and fingers. */
import { isolated } from './series.js'
import { timeMarks, valueLabels } from './axis.js'

const DAY = 86_400
/** What a mark of the time axis needs, in pixels. */
const MARK = 72

/** Draws into the place; `pointAt` hears which instant a mouse or a finger is on, or null. */
export function plot(place, { range, shown, data, candles, unit, pointAt }) {
  const { uPlot } = globalThis
  place.replaceChildren()
  const chart = new uPlot(
    {
      ...sizeOf(place),
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

/** What a colour of the style sheet is at present, light or dark, as a canvas takes it. */
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
    {
      ...axis,
      splits: (chart, _axis, low, high) => marksOf(chart, low, high).instants,
      values: (chart) => marksOf(chart, chart.scales.x.min, chart.scales.x.max).labels,
    },
    { ...axis, size: 68, values: (_, splits) => valueLabels(splits, type) },
  ]
}

function marksOf(chart, low, high) {
  return timeMarks(low, high, chart.bbox.width / MARK / ratioNow())
}

function ratioNow() {
  return globalThis.devicePixelRatio || 1
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

/** Full when the value fell, hollow when it rose: the colour is not alone in saying it. */
function drawCandles(chart, candles) {
  const { ctx } = chart
  const ratio = ratioNow()
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
