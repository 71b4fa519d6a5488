import { Hono } from 'hono'
import { inCatalogue } from './pair/pair-routes.tsx'
import { viewOf, type PairView } from './board/quote-view.ts'
import type { SiteContext } from './context.ts'
import { boardOf, withBoard } from './page-board.ts'
import { html } from 'hono/html'
import type { Mode } from '../../shared/board/board.ts'
import { percentText, unitsOf, valueText } from '../../shared/market/spanish-text.ts'
import { directionOf } from './board/words.ts'

/** `/badge/usd/blue.svg`, an image that any site may show. */
export function badgeRoutes() {
  return new Hono<SiteContext>().get(
    '/badge/:currency/:origin',
    inCatalogue('.svg'),
    withBoard,
    (c) => {
      const board = boardOf(c)
      return c.body(badge(viewOf(board, c.var.pair, c.var.now()), board.mode), 200, {
        'Cache-Control': 'public, max-age=60',
        'Content-Type': 'image/svg+xml; charset=utf-8',
        'Cross-Origin-Resource-Policy': 'cross-origin',
      })
    },
  )
}

const COLOURS = { up: '#0b6e4f', down: '#a8201a', flat: '#4a5750' }
const HEIGHT = 20
/** Average width in pixels of a letter of Verdana 11. `textLength` makes the text fit exactly. */
const LETTER = 6.2
const PADDING = 7

/** A badge for READMEs: the pair and its sell, coloured by the day's direction. */
function badge({ pair, quote }: PairView, mode: Mode): string {
  const label = mode === 'live' ? pair.name : `${pair.name} (demo)`
  const value = quote ? valueText(quote.sell, unitsOf(pair)) : 'sin datos'
  const change = quote?.change ? ` ${percentText(quote.change.percent)}` : ''
  const stale = quote && !quote.fresh ? ' · demorado' : ''
  const message = `${value}${change}${stale}`
  const colour = COLOURS[directionOf(quote?.change?.amount ?? 0)]

  const left = Math.round(label.length * LETTER) + 2 * PADDING
  const right = Math.round(message.length * LETTER) + 2 * PADDING
  const width = left + right

  return String(
    html`<svg
      xmlns="http://www.w3.org/2000/svg"
      width="${width}"
      height="${HEIGHT}"
      role="img"
      aria-labelledby="t"
    >
      <title id="t">${label}: ${message}</title>
      <clipPath id="r"><rect width="${width}" height="${HEIGHT}" rx="4" /></clipPath>
      <g clip-path="url(#r)">
        <rect width="${left}" height="${HEIGHT}" fill="#39433e" />
        <rect x="${left}" width="${right}" height="${HEIGHT}" fill="${colour}" />
      </g>
      <g
        fill="#ffffff"
        font-family="Verdana, DejaVu Sans, sans-serif"
        font-size="11"
        text-anchor="middle"
        aria-hidden="true"
      >
        <text x="${left / 2}" y="14" textLength="${left - 2 * PADDING}">${label}</text>
        <text x="${left + right / 2}" y="14" textLength="${right - 2 * PADDING}">${message}</text>
      </g>
    </svg>`,
  )
}
