import type { Instant } from '../../../shared/argentine-time.ts'
import type { Mode } from '../../../shared/board/board.ts'
import { dailyValues } from '../board/line.ts'
import type { PairView } from '../board/quote-view.ts'
import { directionOf, percentText, valueText } from '../board/words.ts'
import { Canvas } from '../picture/canvas.ts'
import type { Charts } from './read-charts.ts'

/** The size that social networks expect of previews; they show no SVG. */
export const PICTURE = { width: 1200, height: 630 }
const { width: WIDTH, height: HEIGHT } = PICTURE
const GROUND = '#101a16'
const INKS = [
  '#ffffff',
  '#a3b1a9',
  '#2f7d62',
  '#4cc79a',
  '#05231a',
  '#5fd3a8',
  '#ff9c94',
  '#f3d48a',
]
const [WHITE, GREY, LINE, BRAND, ON_BRAND, UP, DOWN, WARNING] = INKS.map((_, index) => index) as [
  number,
  number,
  number,
  number,
  number,
  number,
  number,
  number,
]
const COLOURS = { up: UP, down: DOWN, flat: GREY }
const DAYS = 90

/** The picture that previews of a pair's address show, its last three months behind the value. */
export function sharePicture(
  { pair, quote }: PairView,
  { closes }: Pick<Charts, 'closes'>,
  mode: Mode,
  now: Instant,
): Promise<Uint8Array<ArrayBuffer>> {
  const canvas = new Canvas(WIDTH, HEIGHT, GROUND, INKS)
  drawMonths(canvas, dailyValues({ closes: closes.slice(-DAYS - 10), quote }, DAYS, now))
  canvas.box(80, 72, 56, 56, 15, BRAND)
  canvas.line(
    [
      [92, 112],
      [104, 98],
      [114, 106],
      [124, 88],
    ],
    6,
    ON_BRAND,
  )
  canvas.text('Cotizaciones', { x: 158, y: 114, size: 30, ink: WHITE, bold: true })
  if (mode !== 'live') {
    canvas.text('Precios simulados', {
      x: WIDTH - 80,
      y: 114,
      size: 28,
      ink: WARNING,
      align: 'right',
    })
  }
  const side = quote && !pair.singleValue ? ', venta' : ''
  canvas.text(`${pair.name}${side}`, { x: 82, y: 240, size: 42, ink: GREY, width: WIDTH - 160 })
  const value = quote ? valueText(quote.sell, pair) : 'Sin datos'
  canvas.text(value, { x: 84, y: 384, size: 104, ink: WHITE, bold: true, width: WIDTH - 160 })
  const change = quote?.change
  if (change) {
    const ink = COLOURS[directionOf(change.amount)]
    const text = `${percentText(change.percent)} hoy`
    canvas.text(text, { x: 84, y: 464, size: 36, ink, bold: true })
  }
  return canvas.png()
}

/** A line across the lower part, lifted where data is missing. */
function drawMonths(canvas: Canvas, values: readonly (number | null)[]): void {
  const known = values.filter((value) => value !== null)
  const low = Math.min(...known)
  const span = Math.max(...known) - low || 1
  let before: [number, number] | null = null
  values.forEach((value, index) => {
    const x = (index / (values.length - 1)) * WIDTH
    const here: [number, number] | null =
      value === null ? null : [x, HEIGHT - 36 - ((value - low) / span) * 100]
    if (before && here) canvas.line([before, here], 6, LINE)
    before = here
  })
}
