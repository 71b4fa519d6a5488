import type { Mode } from '../../../shared/board/board.ts'
import type { Close } from '../../../shared/board/charts.ts'
import { html } from 'hono/html'
import type { PairView } from '../board/quote-view.ts'
import { directionOf, percentText, valueText } from '../board/words.ts'
import type { Charts } from './read-charts.ts'

const WIDTH = 1200
const HEIGHT = 630
const COLOURS = { up: '#5fd3a8', down: '#ff9c94', flat: '#a3b1a9' }
const FONT = 'system-ui, -apple-system, Segoe UI, Roboto, Arial, sans-serif'
const CLOSES = 90

/** The picture that previews of a pair's address show: 1200 × 630, its last closes behind it. */
export function sharePicture({ pair, quote }: PairView, { closes }: Charts, mode: Mode): string {
  const value = quote ? valueText(quote.sell, pair) : 'Sin datos'
  const change = quote?.change ?? null
  const line = pathOf(closes.slice(-CLOSES))

  return String(
    html`<svg
      xmlns="http://www.w3.org/2000/svg"
      width="${WIDTH}"
      height="${HEIGHT}"
      viewBox="0 0 ${WIDTH} ${HEIGHT}"
      role="img"
      aria-labelledby="t"
      font-family="${FONT}"
    >
      <title id="t">${pair.name}: ${value}</title>
      <rect width="${WIDTH}" height="${HEIGHT}" fill="#101a16" />
      ${line && html`<path d="${line}" fill="none" stroke="#2f7d62" stroke-width="6" stroke-linejoin="round" />`}
      <rect x="80" y="72" width="56" height="56" rx="15" fill="#4cc79a" />
      <path
        d="M92 112l12-14 10 8 18-22"
        fill="none"
        stroke="#05231a"
        stroke-width="6"
        stroke-linecap="round"
        stroke-linejoin="round"
      />
      <text x="156" y="112" font-size="34" font-weight="700" fill="#e8eeea">Cotizaciones</text>
      <text x="80" y="240" font-size="52" fill="#a3b1a9">
        ${pair.name}${quote && !pair.singleValue ? ', venta' : ''}
      </text>
      <text x="74" y="372" font-size="128" font-weight="700" letter-spacing="-4" fill="#ffffff">
        ${value}
      </text>
      ${change && html`<text x="80" y="446" font-size="46" fill="${COLOURS[directionOf(change.amount)]}">${percentText(change.percent)}</text>`}
      ${mode !== 'live' && html`<text x="${WIDTH - 80}" y="112" font-size="34" text-anchor="end" fill="#f3d48a">Precios simulados</text>`}
    </svg>`,
  )
}

/** The closes as a line across the lower part; nothing with fewer than two. */
function pathOf(closes: readonly Close[]): string {
  if (closes.length < 2) return ''

  const sells = closes.map(([, sell]) => sell)
  const low = Math.min(...sells)
  const span = Math.max(...sells) - low || 1
  const points = sells.map((sell, index) => {
    const x = (index / (sells.length - 1)) * WIDTH
    const y = HEIGHT - 40 - ((sell - low) / span) * 130
    return `${x.toFixed(1)} ${y.toFixed(1)}`
  })
  return `M${points.join('L')}`
}
