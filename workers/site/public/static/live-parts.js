/* What live pages share: values that glow when they change, marks, ages, the connection's state. */
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
  polling: () => 'Se actualiza cada minuto.',
  lost: () => `Sin conexión desde las ${wallClock()}: los valores pueden haber cambiado.`,
}

/** The service's clock, for this machine's may be wrong: a time of the service, and when it came. */
export function openClock(at, receivedAt = performance.now()) {
  return {
    now: () => at + performance.now() - receivedAt,
    set(time) {
      at = time
      receivedAt = performance.now()
    },
  }
}

/**
 * Today's range after a quote. What was shown counts, unless it is of another day or was corrected:
 * then the wrong value may be in it.
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

/** Puts a value behind its unit, and lets it glow for a moment. */
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

/** Sets a `time` and its age. Returns whether it changed. */
export function putAge(time, instant, now) {
  if (Date.parse(time.dateTime) === instant) return false
  time.dateTime = new Date(instant).toISOString()
  time.textContent = ageText(instant, now)
  return true
}

export function updateAges(times, now) {
  for (const time of times) put(time, ageText(Date.parse(time.dateTime), now))
}

/** Shows a state of `follow` in the page's `[data-live]`. */
export function showState(state) {
  const shown = document.querySelector('[data-live]')
  shown.dataset.live = state
  put(shown, WORDS[state]())
}

function wallClock() {
  return argentineText(Date.now(), { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
}
