/** One drawing with uPlot, with candles and touch. */
/*! uPlot: https://github.com/leeoniya/uPlot, (c) Leon Sorokin, MIT License */
import uPlot from 'uplot'
import { argentineDay } from '../../../../shared/argentine-time.ts'
import { clockText, monthText, numberText } from '../../../../shared/market/spanish-text.ts'
import { type Candle, DAY, isolated, type Range, type Values } from '../../pair/series.ts'
import type { Unit } from './words.ts'

export interface Drawn {
  key: string
  name: string
  /** Seconds: when a source last confirmed the value. */
  confirmed: number | undefined
}

export interface Drawing {
  range: Range
  shown: readonly Drawn[]
  /** The instants, and the values of each pair at them. */
  data: [instants: number[], ...rows: Values[]]
  candles: readonly Candle[] | null
  unit: Unit
}

/** Draws into the element. Calls `pointAt` with the index under the pointer, or null. */
export function plot(
  container: HTMLElement,
  drawing: Drawing,
  pointAt: (index: number | null) => void,
): uPlot {
  const { shown, data, candles, unit } = drawing
  container.replaceChildren()
  const chart = new uPlot(
    {
      ...sizeOf(container),
      // UTC−3 always, even for the summers before 2010, when Argentina had daylight saving time.
      tzDate: (at) => uPlot.tzDate(new Date(at * 1000), 'Etc/GMT+3'),
      legend: { show: false },
      cursor: { y: false, drag: { x: false, y: false }, points: { size: 8 } },
      scales: { x: { range: timeRange(candles) }, y: { range: valueRange(candles) } },
      axes: axesOf(unit),
      series: [{}, ...shown.map(({ name }, index) => lineOf(name, index, drawing))],
      hooks: {
        draw: candles ? [(chart) => drawCandles(chart, candles)] : [],
        setCursor: [({ cursor }) => pointAt(cursor.idx ?? null)],
      },
    },
    data,
    container,
  )
  followFingers(chart)
  return chart
}

export function sizeOf(container: HTMLElement) {
  return { width: Math.max(200, container.clientWidth), height: container.clientHeight }
}

/** A colour of the style sheet in the current colour scheme, for the canvas. */
export function colour(name: string): string {
  const probe = document.body.appendChild(document.createElement('i'))
  probe.style.color = `var(${name})`
  const { color } = getComputedStyle(probe)
  probe.remove()
  return color
}

function axesOf({ type }: Unit): uPlot.Axis[] {
  const axis = {
    stroke: colour('--muted'),
    grid: { stroke: colour('--line'), width: 1 },
    ticks: { show: false },
    font: '13px system-ui, sans-serif',
  }
  return [
    {
      ...axis,
      space: 72,
      values: (_chart, splits, _axis, _space, step) => timeLabels(splits, step),
    },
    {
      ...axis,
      size: 68,
      values: (_chart, splits, _axis, _space, step) => valueLabels(splits, step, type),
    },
  ]
}

/** The labels of the time axis. `step` is the time between two labels in seconds. */
function timeLabels(splits: readonly number[], step: number): string[] {
  return splits.map((at) => {
    const day = argentineDay(at * 1000)
    if (step < DAY) return clockText(at * 1000)
    if (step < 28 * DAY) return `${Number(day.slice(8))}/${Number(day.slice(5, 7))}`
    return step < 365 * DAY ? monthText(day) : day.slice(0, 4)
  })
}

/** The labels of the value axis, with as many decimals as the step between labels needs. */
function valueLabels(splits: readonly number[], step: number, type: Unit['type']): string[] {
  const digits = String(step).split('.')[1]?.length ?? 0
  return splits.map((value) => `${numberText(value, digits)}${type === 'percent' ? ' %' : ''}`)
}

function lineOf(label: string, index: number, { range, shown, candles }: Drawing): uPlot.Series {
  const stroke = colour(`--series-${(index % 6) + 1}`)
  if (candles) return { label, stroke, paths: () => null, points: { show: false } }
  return {
    label,
    stroke,
    width: index === 0 ? 2.5 : 2,
    ...(shown.length === 1 && { fill: colour('--series-fill') }),
    spanGaps: false,
    points: {
      show: true,
      size: 6,
      fill: stroke,
      filter: (chart, at) => isolated([...chart.data[at]!]),
    },
    paths: range === 'dia' ? uPlot.paths.stepped!({ align: 1 }) : uPlot.paths.linear!(),
  }
}

/** Leaves room for the whole first and last candle. */
function timeRange(candles: Drawing['candles']): uPlot.Range.Function {
  return (_chart, low, high) => {
    const room = candles ? (high - low || DAY) / Math.max(2, candles.length) : 0
    return [low - room, high + room]
  }
}

/** Draws a flat line in the middle, not on the edge. */
function valueRange(candles: Drawing['candles']): uPlot.Range.Function {
  return (_chart, low: number | null, high: number | null) => {
    if (low === null || high === null) return [0, 1]
    const least = candles ? Math.min(...candles.map((candle) => candle.low)) : low
    const most = candles ? Math.max(...candles.map((candle) => candle.high)) : high
    const room = most === least ? Math.abs(most) * 0.01 || 1 : (most - least) * 0.12
    return [least - room, most + room]
  }
}

/** Draws filled candles for a fall and hollow ones for a rise, so that colour is not needed. */
function drawCandles(chart: uPlot, candles: readonly Candle[]): void {
  const { ctx } = chart
  const ratio = devicePixelRatio || 1
  const [up, down] = [colour('--up'), colour('--down')]
  const width =
    Math.max(2, Math.min(14, (chart.bbox.width / candles.length / ratio) * 0.62)) * ratio
  const heightOf = (value: number) => chart.valToPos(value, 'y', true)
  ctx.save()
  ctx.lineWidth = 1.25 * ratio
  for (const { at, open, high, low, close } of candles) {
    const x = Math.round(chart.valToPos(at, 'x', true))
    const [top, bottom] = [heightOf(Math.max(open, close)), heightOf(Math.min(open, close))]
    ctx.strokeStyle = ctx.fillStyle = close < open ? down : up
    ctx.beginPath()
    ctx.moveTo(x, heightOf(high))
    ctx.lineTo(x, top)
    ctx.moveTo(x, bottom)
    ctx.lineTo(x, heightOf(low))
    ctx.stroke()
    const body = [x - width / 2, top, width, Math.max(ratio, bottom - top)] as const
    if (close < open) ctx.fillRect(...body)
    else ctx.strokeRect(...body)
  }
  ctx.restore()
}

/** Makes a finger that moves sideways move the cursor. Up and down, it scrolls the page. */
function followFingers(chart: uPlot): void {
  const move = (event: PointerEvent) => {
    if (event.pointerType === 'mouse') return
    const box = chart.over.getBoundingClientRect()
    chart.setCursor({ left: event.clientX - box.left, top: event.clientY - box.top })
  }
  for (const name of ['pointerdown', 'pointermove'] as const)
    chart.over.addEventListener(name, move)
}
