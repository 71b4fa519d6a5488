/* Where an axis has its marks, and what they say: never the same words twice in a row. */
import { argentineText } from '../quote-text.js'

const HOUR = 3600
const DAY = 24 * HOUR
/** Midnight in Argentina, in seconds of a UTC day. */
const MIDNIGHT = 3 * HOUR

/** Steps of the time axis, from fine to coarse, each with how its marks are written. */
const STEPS = [
  ...[1, 2, 3, 4, 6, 12].map((hours) => ({ seconds: hours * HOUR, format: 'hour' })),
  ...[1, 2, 3, 5, 7, 10, 14].map((days) => ({ seconds: days * DAY, format: 'day' })),
  ...[1, 2, 3, 6].map((months) => ({ months, format: 'month' })),
  ...[1, 2, 5, 10].map((years) => ({ months: 12 * years, format: 'year' })),
]
const FORMATS = {
  hour: { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
  day: { day: 'numeric', month: 'numeric' },
  month: { month: 'short', year: '2-digit' },
  year: { year: 'numeric' },
}

/** The instants of an axis from `low` to `high`, as many as `most`, with their labels. */
export function timeMarks(low, high, most) {
  for (const step of STEPS) {
    const span = step.seconds ?? step.months * 30.4 * DAY
    if ((high - low) / span > most) continue
    const instants = step.seconds ? evenly(low, high, step.seconds) : starts(low, high, step.months)
    return {
      instants,
      labels: distinct(instants.map((at) => argentineText(at * 1000, FORMATS[step.format]))),
    }
  }
  return { instants: [], labels: [] }
}

/** Steps that divide a day begin at midnight, longer ones at the first midnight. */
function evenly(low, high, step) {
  const anchor = Math.ceil((low - MIDNIGHT) / DAY) * DAY + MIDNIGHT
  const first = anchor - Math.floor((anchor - low) / step) * step
  const instants = []
  for (let at = first; at <= high; at += step) instants.push(at)
  return instants
}

/** The first days of months, at a count of them that begins in January. */
function starts(low, high, months) {
  const day = new Date((low - MIDNIGHT) * 1000)
  let month = Math.floor((day.getUTCFullYear() * 12 + day.getUTCMonth()) / months) * months
  const instants = []
  for (;;) {
    const at = Date.UTC(Math.floor(month / 12), month % 12, 1) / 1000 + MIDNIGHT
    if (at > high) return instants
    if (at >= low) instants.push(at)
    month += months
  }
}

/** The labels of a value axis, with as many decimals as tell its marks exactly. */
export function valueLabels(splits, type) {
  const step = splits.length > 1 ? splits[1] - splits[0] : 1
  const isExact = (digits) =>
    splits.every((value) => Math.abs(value - Number(value.toFixed(digits))) < step / 1000)
  const digits = [0, 1, 2, 3].find(isExact) ?? 4
  const texts = splits.map((value) => {
    const number = Math.abs(value) < step / 1000 ? 0 : value
    const text = number
      .toLocaleString('es-AR', { minimumFractionDigits: digits, maximumFractionDigits: digits })
      .replace('-', '−')
    return type === 'percent' ? `${text} %` : text
  })
  return distinct(texts)
}

function distinct(labels) {
  return labels.map((label, index) => (label === labels[index - 1] ? '' : label))
}
