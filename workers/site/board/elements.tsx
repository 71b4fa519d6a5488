import { formatArgentine } from '../../../shared/argentine-time.ts'
import type { QuoteView } from './quote-view.ts'
import { CURRENCY_NAMES, ARROWS, DIRECTION_WORDS, directionOf } from './words.ts'
import type { Pair } from '../../../shared/market/catalog.ts'
import type { Change } from '../../../shared/market/change.ts'
import { percentChange, type Price } from '../../../shared/market/price.ts'
import { type Child, useContext } from 'hono/jsx'
import { Now } from '../layout.tsx'
import type { Mode } from '../../../shared/board/board.ts'
import { type DailyValues, linePath } from './line.ts'
import { ageText, percentText } from '../../../shared/market/spanish-text.ts'

/** The time since a source last confirmed the value, with a sign if the value is late. */
export function ConfirmedAge({ quote: { lastScrapedAt, fresh } }: { quote: QuoteView }) {
  const age = ageText(lastScrapedAt, useContext(Now))
  return (
    <>
      <time datetime={formatArgentine(lastScrapedAt)}>{age}</time>
      {!fresh && <span class="tag">Demorado</span>}
    </>
  )
}

/** The change since yesterday's close: an arrow, its meaning for screen readers, a percent. */
export function DayChange({ change }: { change: Change | null }) {
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

/** The change from an earlier value, in percent; a dash without an earlier value. */
export function Move({ from, to }: { from: Price | null; to: Price }) {
  if (from === null) return <span class="muted">—</span>
  return (
    <span class={`change ${directionOf(to - from)}`}>{percentText(percentChange(to, from))}</span>
  )
}

/** The breadcrumbs of a pair's page: home, the currency, and the given links. */
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

/** A name and its value in a list of facts. The page's script finds the value by its `cell`. */
export function Fact(props: { name: string; cell?: string; children?: Child }) {
  const { name, cell, children } = props
  return (
    <div>
      <dt>{name}</dt>
      <dd data-cell={cell}>{children}</dd>
    </div>
  )
}

interface HeadlineProps {
  label: string
  /** The name of the value, on a page with two values. */
  side?: string | false
  value: string
  /** Beside the value. */
  aside?: Child
  /** Attributes for the page's script. */
  data?: object
  children?: Child
}

/** The value at the head of its page, and facts about it. */
export function Headline({ label, side, value, aside, data, children }: HeadlineProps) {
  return (
    <section class="headline" aria-label={label} {...data}>
      <p class="headline-value">
        {side && <span class="headline-side">{side}</span>}
        <strong data-cell="sell">{value}</strong>
        <span data-cell="move">{aside}</span>
      </p>
      <dl class="facts">{children}</dl>
    </section>
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

interface LineProps {
  class: string
  values: DailyValues
  width: number
  height: number
}

/** A line that fills its element; nothing without two neighbouring values. */
export function Line({ class: name, values, width, height }: LineProps) {
  const path = linePath(values, { width, height })
  if (!path) return null
  const box = `0 0 ${width} ${height}`
  return (
    <svg class={name} viewBox={box} preserveAspectRatio="none" aria-hidden="true">
      <path d={path} />
    </svg>
  )
}

/** The content of a chart without its script. */
export function StillChart({ values, children }: { values: DailyValues; children: Child }) {
  return (
    <>
      <Line class="chart-still" values={values} width={800} height={260} />
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
