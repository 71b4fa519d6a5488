/** What live pages share: highlighted changes, marks, ages, the connection's state. */
import type { CurrentQuote } from '../../../clients/javascript/index.ts'
import { argentineDay, type Instant } from '../../../shared/argentine-time.ts'
import { numberToPrice, type Price } from '../../../shared/market/price.ts'
import { ageText, clockText, percentText } from '../../../shared/market/spanish-text.ts'
import { ARROWS, DIRECTION_WORDS, directionOf } from '../board/words.ts'
import { find, make, put } from './dom.ts'
import type { LiveState } from './live.ts'

type Change = CurrentQuote['change']

/** The numbers that a page shows of a quote. The range is NaN on a day without a change. */
export interface Shown {
  buy: Price
  sell: Price
  updated: Instant
  confirmed: Instant
  low: Price
  high: Price
}

/** The service's clock, advanced from when the time was received: the visitor's may be wrong. */
export function openClock(at: Instant, receivedAt = performance.now()) {
  return {
    now: () => at + performance.now() - receivedAt,
    set(time: Instant) {
      at = time
      receivedAt = performance.now()
    },
  }
}

export const priceOf = (value: number | null): Price => numberToPrice(value ?? Number.NaN)

/** Reads the shown numbers from an element's data attributes; NaN for missing ones. */
export function shownBy({ dataset }: HTMLElement): Shown {
  const of = (name: keyof Shown) => Number(dataset[name])
  const [buy, sell, updated, confirmed] = [of('buy'), of('sell'), of('updated'), of('confirmed')]
  return { buy, sell, updated, confirmed, low: of('low'), high: of('high') }
}

/** The numbers to show after a quote of the stream or the API. */
export function shownAfter(shown: Shown, quote: CurrentQuote): Shown {
  const own = {
    buy: priceOf(quote.buy),
    sell: priceOf(quote.sell),
    updated: Date.parse(quote.updatedAt),
    confirmed: Date.parse(quote.lastScrapedAt),
  }
  return { ...own, ...rangeWith(shown, own, quote.change) }
}

/**
 * Today's range after a quote. Includes the shown range, unless that is of another day or was
 * corrected: then the wrong value may be in it.
 */
function rangeWith(
  shown: Shown,
  { sell, updated }: Pick<Shown, 'sell' | 'updated'>,
  change: Change,
) {
  const isCorrected = updated < shown.updated || (updated === shown.updated && sell !== shown.sell)
  const isSameDay = !isCorrected && dayOf(updated) === dayOf(shown.updated)
  const before = isSameDay ? [shown.low, shown.high, shown.sell] : []
  const known = [sell, ...before, change ? numberToPrice(change.referenceValue) : NaN].filter(
    Number.isFinite,
  )
  return { low: Math.min(...known), high: Math.max(...known) }
}

export function dayOf(instant: Instant): string {
  return Number.isFinite(instant) ? argentineDay(instant) : ''
}

/** Shows a value after its unit, and highlights it for a moment. */
export function flash(shown: Element | null, text?: string): void {
  if (!shown) return
  if (text !== undefined) shown.replaceChildren(...shown.querySelectorAll('.unit'), text)
  shown.classList.remove('flash')
  requestAnimationFrame(() => shown.classList.add('flash'))
}

export function putChange(shown: Element | null, change: Change): void {
  if (!change) return
  const direction = directionOf(change.amount)
  const arrow = make('span', { ariaHidden: 'true' }, `${ARROWS[direction]} `)
  const words = make('span', { className: 'visually-hidden' }, `${DIRECTION_WORDS[direction]} `)
  const className = `change ${direction}`
  shown?.replaceChildren(make('span', { className }, arrow, words, percentText(change.percent)))
}

/** Sets a `time` and its age. Returns whether it changed. */
export function putAge(time: HTMLTimeElement | null, instant: Instant, now: Instant): boolean {
  if (!time || Date.parse(time.dateTime) === instant) return false
  time.dateTime = new Date(instant).toISOString()
  time.textContent = ageText(instant, now)
  return true
}

export function updateAges(times: readonly HTMLTimeElement[], now: Instant): void {
  for (const time of times) put(time, ageText(Date.parse(time.dateTime), now))
}

/** Shows a state of `follow` in the page's `[data-live]`. */
export function showState(state: LiveState): void {
  const shown = find('[data-live]')
  shown.dataset['live'] = state
  put(shown, WORDS[state]())
}

const WORDS: Record<LiveState, () => string> = {
  live: () => 'En vivo: los cambios llegan solos.',
  polling: () => 'Se actualiza cada minuto.',
  lost: () => `Sin conexión desde las ${clockText(Date.now())}: los valores pueden haber cambiado.`,
}
