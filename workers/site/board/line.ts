/** Lines of values as SVG paths, which need no script. */
import {
  DAY_MS,
  dayEnd,
  argentineDay,
  type Instant,
  MINUTE_MS,
} from '../../../shared/argentine-time.ts'
import type { Price } from '../../../shared/market/price.ts'
import { pointsOf, valuesAt } from '../pair/series.ts'

/** The value in effect at the end of each day, oldest first; null without a value. */
export type DailyValues = (number | null)[]

interface Known {
  closes: readonly (readonly (number | undefined)[])[]
  /** The value in effect now. */
  quote: { sell: Price; updatedAt: Instant } | null
}

/** The values of the last `days` days and the current one; null in a hole (`valuesAt`). */
export function dailyValues({ closes, quote }: Known, days: number, now: Instant): DailyValues {
  const recent = quote ? [[quote.updatedAt / MINUTE_MS, quote.sell]] : []
  const yesterday = dayEnd(argentineDay(now)) - DAY_MS
  const ends = Array.from({ length: days }, (_, back) => yesterday - (days - 1 - back) * DAY_MS)
  const instants = [...ends, now].map((instant) => Math.floor(instant / 1000))
  return valuesAt(pointsOf({ closes, recent }), instants)
}

interface Box {
  width: number
  height: number
}

/** The values as a path, with a gap for each null; '' without two neighbouring values. */
export function linePath(values: DailyValues, { width, height }: Box): string {
  /** Room for the stroke at the edges. */
  const pad = 2
  const known = values.filter((value) => value !== null)
  const [low, high] = [Math.min(...known), Math.max(...known)]
  const scale = high === low ? 0 : (height - 2 * pad) / (high - low)
  const bottom = high === low ? height / 2 : height - pad
  const step = (width - 2 * pad) / Math.max(1, values.length - 1)

  let path = ''
  values.forEach((value, index) => {
    if (value === null) return
    const next = values[index + 1] ?? null
    const before = values[index - 1] ?? null
    if (before === null && next === null) return
    path += `${before === null ? 'M' : 'L'}${short(pad + index * step)} ${short(bottom - (value - low) * scale)}`
  })
  return path
}

function short(value: number): string {
  return String(Math.round(value * 10) / 10)
}
