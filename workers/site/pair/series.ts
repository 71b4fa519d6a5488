/**
 * Series for charts, from the chart documents: points in order of time, each in effect until the
 * next. The Worker uses this module for static lines, the script of a chart for all other lines.
 */
import { PRICE_SCALE } from '../../../shared/market/price.ts'

/** The periods of a chart, by their names in the address. A table has one row per bucket. */
export const RANGES = {
  dia: { days: 1, name: '1 día', short: '1D', whole: 'Último día', bucketOf: (at: number) => at },
  semana: { days: 7, name: '1 semana', short: '1S', whole: 'Última semana', bucketOf: dayStart },
  mes: { days: 30, name: '1 mes', short: '1M', whole: 'Último mes', bucketOf: dayStart },
  anio: { days: 365, name: '1 año', short: '1A', whole: 'Último año', bucketOf: weekOf },
  todo: {
    days: Infinity,
    name: 'Todo',
    short: 'Todo',
    whole: 'Desde el primer dato',
    bucketOf: monthOf,
  },
}
export type Range = keyof typeof RANGES

/** `[seconds since 1970, value]`. */
export type Point = readonly [at: number, value: number]
export type Values = (number | null)[]

export interface Candle {
  at: number
  open: number
  high: number
  low: number
  close: number
}

/** Days as `[day, sell, buy, high, low]`, and the points of the last day as `[minute, sell]`. */
export interface Documents {
  closes: readonly (readonly (number | undefined)[])[]
  recent: readonly (readonly number[])[]
}

export const DAY = 86_400
/** Midnight in Argentina, in seconds after midnight UTC. */
const MIDNIGHT = 3 * 3600

/** A longer time without a change is a hole: no run of days without trading is this long. */
export const GAP = 10 * DAY

/** The start of the Argentine day of an instant. */
export function dayStart(at: number): number {
  return Math.floor((at - MIDNIGHT) / DAY) * DAY + MIDNIGHT
}

export function pointsOf({ closes, recent }: Documents): Point[] {
  const days = closes.map(([day, sell]): Point => [dayEnd(day!), sell! / PRICE_SCALE])
  const last = days.at(-1)?.[0] ?? -Infinity
  return [...days, ...recent.map(recentPoint).filter(([at]) => at > last)]
}

function recentPoint([minute, sell]: readonly number[]): Point {
  return [minute! * 60, sell! / PRICE_SCALE]
}

/** The points of the last day, and the close before them. */
export function recentPointsOf({ closes, recent }: Documents): Point[] {
  const points = recent.map(recentPoint)
  const before = pointsOf({ closes: closes.slice(-1), recent: [] })
  return before[0] && before[0][0] < (points[0]?.[0] ?? Infinity) ? [...before, ...points] : points
}

function dayEnd(day: number): number {
  return (day + 1) * DAY + MIDNIGHT - 1
}

/** The instants of a plot: the end of each day, even without a change, and today's changes. */
export function instantsOf(
  series: readonly (readonly Point[])[],
  { from, to, daily }: { from: number; to: number; daily: boolean },
): number[] {
  const inside = (start: number) =>
    series.flatMap((points) => points.map(([at]) => at).filter((at) => at > start && at < to))
  if (!daily) return ascending([from, ...inside(from), to])

  const ends: number[] = []
  for (let end = dayStart(from) + DAY - 1; end < to; end += DAY) if (end >= from) ends.push(end)
  return ascending([...ends, ...inside(ends.at(-1) ?? from), to])
}

function ascending(instants: number[]): number[] {
  return [...new Set(instants)].toSorted((a, b) => a - b)
}

/**
 * The value in effect at each instant; null before the first value, in a hole (longer than `GAP`),
 * and longer than `GAP` after `confirmed`.
 */
export function valuesAt(
  points: readonly Point[],
  instants: readonly number[],
  confirmed = Infinity,
): Values {
  let next = 0
  return instants.map((at) => {
    while (next < points.length && points[next]![0] <= at) next++
    const current = points[next - 1]
    if (!current) return null
    if (current[0] === at) return current[1]

    const until = points[next]?.[0] ?? at
    const known = next < points.length ? current[0] : Math.max(confirmed, current[0])
    return until - known > GAP ? null : current[1]
  })
}

/** Indexes of values without a neighbour: no line reaches them, so the chart draws dots. */
export function isolated(values: readonly (number | null | undefined)[]): number[] {
  return values.flatMap((value, index) =>
    value != null && values[index - 1] == null && values[index + 1] == null ? [index] : [],
  )
}

/** Percent by which each value exceeds the base, where both are known. */
export function gapsOf(values: Values, base: Values): Values {
  return values.map((value, index) =>
    value === null || !base[index] ? null : (value / base[index]! - 1) * 100,
  )
}

/** A candle for each day with a change. Today's candle comes from today's points. */
export function candlesOf({ closes, recent }: Documents, now: number): Candle[] {
  let before: Candle | null = null
  const days = closes.map(([day, sell, , most, least]): Candle => {
    const at = dayEnd(day!)
    const close = sell! / PRICE_SCALE
    const open = before && at - before.at <= GAP ? before.close : close
    const high = Math.max(open, close, (most ?? sell!) / PRICE_SCALE)
    const low = Math.min(open, close, (least ?? sell!) / PRICE_SCALE)
    return (before = { at, open, high, low, close })
  })
  const today = candlesIn(recentPointsOf({ closes, recent }), dayStart(now), now, () => 0)
  return [...days.filter(({ at }) => at < dayStart(now)), ...today.map((c) => ({ ...c, at: now }))]
}

/** A candle for each bucket of the points from `from` to `to`. */
export function candlesIn(
  points: readonly Point[],
  from: number,
  to: number,
  bucketOf: (at: number) => number,
): Candle[] {
  let before: number | null = null
  const candles = points.flatMap(([at, close]) => {
    const open = before ?? close
    before = close
    const candle = { at, open, high: Math.max(open, close), low: Math.min(open, close), close }
    return at >= from && at <= to ? [candle] : []
  })
  return joined(candles, bucketOf)
}

/** Joins candles by bucket, such as a week or a month. */
export function joined(candles: readonly Candle[], bucketOf: (at: number) => number): Candle[] {
  const all = new Map<number, Candle>()
  for (const candle of candles) {
    const key = bucketOf(candle.at)
    const known = all.get(key)
    const high = Math.max(candle.high, known?.high ?? -Infinity)
    const low = Math.min(candle.low, known?.low ?? Infinity)
    all.set(key, { ...candle, open: known?.open ?? candle.open, high, low })
  }
  return [...all.values()]
}

/** The number of the Argentine week of an instant; it grows with time. */
export function weekOf(at: number): number {
  return Math.floor(((at - MIDNIGHT) / DAY + 3) / 7)
}

export function monthOf(at: number): number {
  const day = new Date((at - MIDNIGHT) * 1000)
  return day.getUTCFullYear() * 12 + day.getUTCMonth()
}

/** The last index of each bucket, for the rows of a table. */
export function lastOfEach(
  instants: readonly number[],
  bucketOf: (at: number) => number,
): number[] {
  return instants.flatMap((at, index) =>
    index === instants.length - 1 || bucketOf(at) !== bucketOf(instants[index + 1]!) ? [index] : [],
  )
}
