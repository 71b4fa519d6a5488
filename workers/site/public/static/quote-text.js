/*
 * Prices, percents, ages and gaps as they are written here. The Worker makes pages with it and their
 * scripts keep them current; types are in quote-text.d.ts.
 */
import { formatScaled } from './convert.js'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const ARGENTINA = 3 * HOUR

/** `1.430,00` of ten-thousandths; of four decimals the last two are shown only when they are not zero. */
export function priceText(price, decimals) {
  const shown = decimals === 4 && price % 100 === 0 ? 2 : decimals
  return formatScaled(BigInt(Math.round(price / 10 ** (4 - shown))), shown)
}

/** The price with its unit: `$ 1.430,00`, `623 puntos`, or the bare coefficient. */
export function valueText(price, { valueType, decimals }) {
  const number = priceText(price, decimals)
  if (valueType === 'money') return `$\u00a0${number}`
  return valueType === 'points' ? `${number}\u00a0puntos` : number
}

/** `+1,42 %`; the minus is the typographic one. */
export function percentText(percent) {
  const sign = percent > 0 ? '+' : percent < 0 ? '−' : ''
  return `${sign}${Math.abs(percent).toFixed(2).replace('.', ',')}\u00a0%`
}

/** Percent of one price above another, halves away from zero, to two decimals. */
export function percentAbove(price, base) {
  if (!base) return 0
  const difference = price - base
  const hundredths = Math.floor((2 * Math.abs(difference) * 10_000 + base) / (2 * base))
  return (Math.sign(difference) * hundredths) / 100
}

export function directionOf(amount) {
  return amount > 0 ? 'up' : amount < 0 ? 'down' : 'flat'
}

export const ARROWS = { up: '▲', down: '▼', flat: '=' }
export const DIRECTION_WORDS = { up: 'subió', down: 'bajó', flat: 'sin cambios' }

/** `recién`, `hace 3 min`, `hace 2 h`, `hace 4 días`. */
export function ageText(since, now) {
  const age = now - since
  if (age < MINUTE) return 'recién'
  if (age < HOUR) return `hace ${Math.floor(age / MINUTE)} min`
  if (age < DAY) return `hace ${Math.floor(age / HOUR)} h`
  const days = Math.floor(age / DAY)
  return days === 1 ? 'hace 1 día' : `hace ${days} días`
}

/** The Argentine day of an instant, as a number. Days are −03:00 in summers with other clocks too. */
export function dayOf(instant) {
  return Math.floor((instant - ARGENTINA) / DAY)
}

const writers = new Map()

/** An instant in Argentine time, in the parts that `options` name. */
export function argentineText(instant, options) {
  if (!writers.has(options)) {
    writers.set(options, new Intl.DateTimeFormat('es-AR', { ...options, timeZone: 'UTC' }))
  }
  return writers.get(options).format(instant - ARGENTINA)
}

/** `1.425,00 a 1.440,00`. */
export function rangeText(low, high, decimals) {
  return `${priceText(low, decimals)} a ${priceText(high, decimals)}`
}

/** The page's one sentence: the blue, and how far it is from the official. */
export function blueSummary(sell, gap) {
  const price = `El blue se vende a $\u00a0${priceText(sell, 2)}`
  if (gap === null) return `${price}.`
  if (gap === 0) return `${price}, igual que el oficial.`
  const distance = percentText(Math.abs(gap)).slice(1)
  return `${price}, ${distance} ${gap > 0 ? 'más caro' : 'más barato'} que el oficial.`
}

/** Bars of percents from a common zero, in hundredths of the width. */
export function barsOf(percents) {
  const known = percents.filter((percent) => percent !== null)
  const low = Math.min(0, ...known)
  const span = Math.max(0, ...known) - low || 1
  return percents.map((percent) => {
    if (percent === null) return { x: 0, width: 0 }
    const [from, to] = [Math.min(0, percent), Math.max(0, percent)]
    const x = Math.round(((from - low) / span) * 1000) / 10
    return { x, width: Math.max(0.6, Math.round(((to - from) / span) * 1000) / 10) }
  })
}
