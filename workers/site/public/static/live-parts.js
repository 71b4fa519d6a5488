/* What the live pages share: values that glow when they change, marks, ages, the state of the line. */
import {
  ageText,
  argentineText,
  ARROWS,
  dayOf,
  DIRECTION_WORDS,
  directionOf,
  percentText,
} from './quote-text.js'

const WORDS = {
  live: () => 'En vivo: los cambios llegan solos.',
  asking: () => 'Se actualiza cada minuto.',
  lost: () => `Sin conexión desde las ${wallClock()}: los valores pueden haber cambiado.`,
}

/** The service's clock, whatever this machine's says: its last word, and when it came. */
export function openClock(at, heard = performance.now()) {
  return {
    now: () => at + performance.now() - heard,
    set(said) {
      at = said
      heard = performance.now()
    },
  }
}

/**
 * Today's range once a quote was told: with what stood there, unless that was another day's, or was
 * corrected, for then the wrong value may be in it.
 */
export function rangeWith(shown, { sell, updated, change }) {
  const isCorrected = updated < shown.updated || (updated === shown.updated && sell !== shown.sell)
  const isKept = !isCorrected && dayOf(updated) === dayOf(shown.updated)
  const before = isKept ? [shown.low, shown.high, shown.sell] : []
  const sells = [sell, ...before, change ? Math.round(change.referenceValue * 10_000) : NaN]
  const known = sells.filter(Number.isFinite)
  return { low: Math.min(...known), high: Math.max(...known) }
}

export function put(element, text) {
  if (element && element.textContent !== text) element.textContent = text
}

/** Puts a value into its place, behind its unit, and lets it glow for a moment. */
export function flash(shown, text) {
  if (!shown) return
  if (text !== undefined) shown.replaceChildren(...shown.querySelectorAll('.unit'), text)
  shown.classList.remove('flash')
  requestAnimationFrame(() => shown.classList.add('flash'))
}

export function putChange(shown, change) {
  if (!change) return
  const direction = directionOf(change.amount)
  const mark = document.createElement('span')
  const [arrow, words] = [document.createElement('span'), document.createElement('span')]
  mark.className = `change ${direction}`
  arrow.ariaHidden = 'true'
  arrow.textContent = `${ARROWS[direction]} `
  words.className = 'visually-hidden'
  words.textContent = `${DIRECTION_WORDS[direction]} `
  mark.append(arrow, words, percentText(change.percent))
  shown.replaceChildren(mark)
}

/** Moves a `time`, and says how long ago it is; whether it moved. */
export function putAge(time, instant, now) {
  if (Date.parse(time.dateTime) === instant) return false
  time.dateTime = new Date(instant).toISOString()
  time.textContent = ageText(instant, now)
  return true
}

/** Lets these ages grow. */
export function countAges(times, now) {
  for (const time of times) put(time, ageText(Date.parse(time.dateTime), now))
}

/** Says the state of the line, as `follow` tells it, in the page's `[data-live]`. */
export function say(state) {
  const line = document.querySelector('[data-live]')
  line.dataset.live = state
  put(line, WORDS[state]())
}

function wallClock() {
  return argentineText(Date.now(), { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
}
