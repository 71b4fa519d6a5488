import { type Instant, formatArgentine } from '../../../shared/argentine-time.ts'
import type { QuoteView } from './quote-view.ts'
import { CURRENCY_NAMES, ARROWS, DIRECTION_WORDS, directionOf } from './words.ts'
import type { Pair } from '../../../shared/market/catalog.ts'
import type { Change } from '../../../shared/market/change.ts'
import { percentChange, type Price } from '../../../shared/market/price.ts'
import type { Child } from 'hono/jsx'
import type { Mode } from '../../../shared/board/board.ts'
import { type DailyValues, linePath } from './line.ts'
import { ageText, percentText } from '../../../shared/market/spanish-text.ts'

/** When a source last confirmed the value, and a mark when that is too long ago. */
export function AgeMark({ quote, now }: { quote: QuoteView; now: Instant }) {
  const { lastScrapedAt, fresh } = quote
  return (
    <>
      <time datetime={formatArgentine(lastScrapedAt)}>{ageText(lastScrapedAt, now)}</time>
      {!fresh && <span class="tag">Demorado</span>}
    </>
  )
}

/** The change since yesterday's close: an arrow, its meaning for screen readers, a percent. */
export function ChangeMark({ change }: { change: Change | null }) {
  if (!change) return <span class="muted">—</span>

  const direction = directionOf(change.amount)
  return (
    <span class={`change ${direction}`}>
      <span aria-hidden="true">{ARROWS[direction]} </span>
      <span class="visually-hidden">{DIRECTION_WORDS[direction]} </span>
      {percentText(change.percent)}
    </span>
  )
}

/** How far a value is from an earlier one; a dash when there is none. */
export function Move({ from, to }: { from: Price | null; to: Price }) {
  if (from === null) return <span class="muted">—</span>
  return (
    <span class={`change ${directionOf(to - from)}`}>{percentText(percentChange(to, from))}</span>
  )
}

/** The path to a page of a pair: home, its currency, and the links given. */
export function Crumbs({ pair, children }: { pair: Pair; children?: Child }) {
  return (
    <nav class="crumbs" aria-label="Dónde estás">
      <a href="/">Cotizaciones</a>
      <span aria-hidden="true">/</span>
      <a href={`/#${pair.currency.toLowerCase()}`}>{CURRENCY_NAMES[pair.currency]}</a>
      {children}
    </nav>
  )
}

/** A name and its value, in a list of facts; the page's script knows the value by its `cell`. */
export function Fact(props: { name: string; cell?: string; children?: Child }) {
  const { name, cell, children } = props
  return (
    <div>
      <dt>{name}</dt>
      <dd data-cell={cell}>{children}</dd>
    </div>
  )
}

/** A banner when the prices are not real. */
export function ModeBanner({ mode }: { mode: Mode }) {
  if (mode === 'live') return null
  return (
    <p class="mode-banner">
      <strong>{mode === 'demo' ? 'Modo demo.' : 'Reproducción.'}</strong>{' '}
      {mode === 'demo'
        ? 'Los precios son simulados y no sirven para operar.'
        : 'Los precios vienen de una grabación y no son los de ahora.'}
    </p>
  )
}

const BOX = { width: 800, height: 260 }

/** What a chart shows without its script. */
export function StillChart({ values, children }: { values: DailyValues; children: Child }) {
  const path = linePath(values, BOX)
  return (
    <>
      {path && (
        <svg
          class="chart-still"
          viewBox={`0 0 ${BOX.width} ${BOX.height}`}
          preserveAspectRatio="none"
          aria-hidden="true"
        >
          <path d={path} />
        </svg>
      )}
      <p class="chart-note">{children}</p>
    </>
  )
}

interface Props {
  head: readonly Child[]
  /** `plain` for numbers, `rows` for words (site.css). */
  class: string
  children?: Child
}

export function Table({ head, class: looks, children }: Props) {
  return (
    <table class={looks}>
      <thead>
        <tr>
          {head.map((name) => (
            <th scope="col">{name}</th>
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  )
}
