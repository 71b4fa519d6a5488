/**
 * Keeps the quotes of a page current. Each quote is an element with `data-pair` (a row of the board
 * or the head of a pair's page), and its values are elements with `data-cell`.
 */
import type { CurrentQuote } from '../../../clients/javascript/index.ts'
import { argentineDay, type Instant } from '../../../shared/argentine-time.ts'
import { numberToPrice, percentChange, type Price } from '../../../shared/market/price.ts'
import {
  ageText,
  clockText,
  percentText,
  priceText,
  rangeText,
  type Units,
  withUnit,
} from '../../../shared/market/spanish-text.ts'
import { ARROWS, DIRECTION_WORDS, directionOf } from '../board/words.ts'
import { find, findAll, make, put, readPage } from './dom.ts'
import { follow, type LiveState } from './live.ts'

const OFFICIAL = 'usd/oficial'
const AGES_MS = 10_000

/** The numbers of a quote on the page. `low` and `high` are NaN on a day without a change. */
interface Shown {
  buy: Price
  sell: Price
  updated: Instant
  confirmed: Instant
  low: Price
  high: Price
}

interface Following {
  /** `usd/blue`; all pairs when absent. */
  pairs?: readonly string[]
  /** Updates what else depends on the quotes. */
  onChange?: () => void
}

/** `root` has the time of the page (`data-now`) and the time between two cycles (`data-every`). */
export function followQuotes(root: HTMLElement, { pairs, onChange }: Following = {}): void {
  /** The service's time, and when the page received it. The visitor's clock may be wrong. */
  let [time, receivedAt] = [Number(root.dataset['now']), 0]
  const now = () => time + performance.now() - receivedAt
  /** The Argentine day of the ranges on the page. */
  let day = dayOf(now())

  /** Shows a change from the stream, and all numbers that depend on it. */
  function putQuote(quote: CurrentQuote): void {
    const row = rowOf(`${quote.currency}/${quote.origin}`.toLowerCase())
    // A corrected value may have an earlier instant than the wrong value, but a later confirmation.
    if (!row || Date.parse(quote.lastScrapedAt) < Number(row.dataset['confirmed'] ?? 0)) return
    if (row.dataset['sell'] === undefined) return void refresh().catch(() => {})

    const shown = shownBy(row)
    const next = shownAfter(shown, quote)
    Object.assign(row.dataset, next)
    for (const name of ['buy', 'sell'] as const)
      if (next[name] !== shown[name]) flash(cell(row, name), textOf(row, next[name]))
    putChange(cell(row, 'move'), quote.change)
    if (quote.change)
      put(cell(row, 'reference'), textOf(row, numberToPrice(quote.change.referenceValue)))
    putRange(row, next)
    putAge(cell(row, 'updated'), next.updated, now())
    putAge(cell(row, 'age'), next.confirmed, now())
    putGaps()
    onChange?.()
  }

  /** Reads the page again for what the stream lacks: confirmations, late values, month lines. */
  async function refresh(): Promise<void> {
    const fresh = await readPage(location.pathname, { cache: 'no-cache' })
    const { now, every } = find('[data-now]', fresh).dataset
    ;[time, receivedAt] = [Number(now), performance.now()]
    day = dayOf(time)
    Object.assign(root.dataset, { now, every })
    for (const row of findAll('[data-pair]', fresh)) putRow(row)
    for (const part of findAll('[data-part]', fresh))
      find(`[data-part="${part.dataset['part']}"]`).replaceChildren(...part.childNodes)
    passTime()
    putGaps()
    onChange?.()
  }

  function passTime(): void {
    for (const shown of findAll<HTMLTimeElement>(':is([data-cell=age], [data-cell=updated]) time'))
      put(shown, ageText(Date.parse(shown.dateTime), now()))
    if (dayOf(now()) !== day) beginDay()
  }

  /** At midnight, removes yesterday's ranges and reads the page of the new day. */
  function beginDay(): void {
    day = dayOf(now())
    for (const row of findAll('[data-pair]')) {
      Object.assign(row.dataset, { low: NaN, high: NaN })
      putRange(row, { low: NaN, high: NaN })
    }
    refresh().catch(() => {})
  }

  setInterval(passTime, AGES_MS)
  const everyMs = Number(root.dataset['every']) * 1000
  follow({ everyMs, ...(pairs && { pairs }), onQuote: putQuote, refresh, onState: showState })
}

export function rowOf(key: string): HTMLElement | null {
  return document.querySelector<HTMLElement>(`[data-pair="${key}"]`)
}

function cell(row: HTMLElement, name: string): HTMLElement | null {
  return row.querySelector<HTMLElement>(`[data-cell="${name}"]`)
}

/** Reads the shown numbers from an element's data attributes; NaN for missing ones. */
export function shownBy({ dataset }: HTMLElement): Shown {
  const of = (name: keyof Shown) => Number(dataset[name])
  const [buy, sell, updated, confirmed] = [of('buy'), of('sell'), of('updated'), of('confirmed')]
  return { buy, sell, updated, confirmed, low: of('low'), high: of('high') }
}

/**
 * The numbers to show after a quote of the stream. The new range includes the shown range, unless
 * that is of another day, or the quote is a correction: then the range may hold the wrong value.
 */
function shownAfter(shown: Shown, quote: CurrentQuote): Shown {
  const sell = numberToPrice(quote.sell ?? NaN)
  const updated = Date.parse(quote.updatedAt)
  const isCorrected = updated < shown.updated || (updated === shown.updated && sell !== shown.sell)
  const isSameDay = !isCorrected && dayOf(updated) === dayOf(shown.updated)
  const known = [
    sell,
    ...(isSameDay ? [shown.low, shown.high, shown.sell] : []),
    numberToPrice(quote.change?.referenceValue ?? NaN),
  ].filter(Number.isFinite)
  return {
    buy: numberToPrice(quote.buy ?? NaN),
    sell,
    updated,
    confirmed: Date.parse(quote.lastScrapedAt),
    low: Math.min(...known),
    high: Math.max(...known),
  }
}

function dayOf(instant: Instant): string {
  return Number.isFinite(instant) ? argentineDay(instant) : ''
}

/** A price in the form of its element. */
function textOf(row: HTMLElement, price: Price): string {
  return withUnitOf(row, priceText(price, Number(row.dataset['decimals'])))
}

/** Adds the unit where the element names one. */
function withUnitOf({ dataset: { type } }: HTMLElement, text: string): string {
  return type ? withUnit(text, type as Units['valueType']) : text
}

function putRange(row: HTMLElement, { low, high }: Pick<Shown, 'low' | 'high'>): void {
  const range = withUnitOf(row, rangeText(low, high, Number(row.dataset['decimals'])))
  put(cell(row, 'range'), low < high ? range : 'sin cambios')
}

/** Shows a quote of the page just read, unless the stream already brought a newer quote. */
function putRow(row: HTMLElement): void {
  const shown = rowOf(row.dataset['pair']!)
  if (!shown || Number(row.dataset['confirmed']) < Number(shown.dataset['confirmed'])) return

  const had = { ...shown.dataset }
  for (const name of ['low', 'high']) delete shown.dataset[name]
  Object.assign(shown.dataset, row.dataset)
  for (const part of findAll('[data-cell]', row)) {
    const name = part.dataset['cell']!
    const there = cell(shown, name)
    if (!there || there.innerHTML === part.innerHTML) continue

    there.replaceChildren(...part.cloneNode(true).childNodes)
    if ((name === 'buy' || name === 'sell') && had[name] !== row.dataset[name]) flash(there)
  }
}

/** The gap of a dollar to the official dollar, by the values on the page. */
export function gapOf(key: string): number | null {
  const [sell, official] = [key, OFFICIAL].map((one) => Number(rowOf(one)?.dataset['sell']))
  return sell && official ? percentChange(sell, official) : null
}

/** Updates all gaps, because each also depends on the official dollar. */
function putGaps(): void {
  for (const row of findAll('[data-pair^="usd/"]')) {
    const key = row.dataset['pair']!
    const gap = gapOf(key)
    if (key !== OFFICIAL && gap !== null) put(cell(row, 'gap'), percentText(gap))
  }
}

/** Puts a value after its unit, and highlights it for a moment. */
function flash(shown: Element | null, text?: string): void {
  if (!shown) return
  if (text !== undefined) shown.replaceChildren(...shown.querySelectorAll('.unit'), text)
  shown.classList.remove('flash')
  requestAnimationFrame(() => shown.classList.add('flash'))
}

function putChange(shown: Element | null, change: CurrentQuote['change']): void {
  if (!change) return
  const direction = directionOf(change.amount)
  const arrow = make('span', { ariaHidden: 'true' }, `${ARROWS[direction]} `)
  const words = make('span', { className: 'visually-hidden' }, `${DIRECTION_WORDS[direction]} `)
  const className = `change ${direction}`
  shown?.replaceChildren(make('span', { className }, arrow, words, percentText(change.percent)))
}

/** Shows another age, and removes the sign of a late value. */
function putAge(shown: Element | null, instant: Instant, now: Instant): void {
  const time = shown?.querySelector('time')
  if (!time || Date.parse(time.dateTime) === instant) return
  time.dateTime = new Date(instant).toISOString()
  time.textContent = ageText(instant, now)
  time.nextElementSibling?.remove()
}

/** Shows a state of `follow` in the page's `[data-live]`. */
function showState(state: LiveState): void {
  const shown = find('[data-live]')
  shown.dataset['live'] = state
  put(shown, WORDS[state]())
}

const WORDS: Record<LiveState, () => string> = {
  live: () => 'En vivo: los cambios llegan solos.',
  polling: () => 'Se actualiza cada minuto.',
  lost: () => `Sin conexión desde las ${clockText(Date.now())}: los valores pueden haber cambiado.`,
}
