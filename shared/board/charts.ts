/**
 * The public chart documents in KV, written by the scraper and read by the site: the closes of a
 * pair's closed days, and everyone's points of the last day. Never more detail than that.
 */
import { DAY_MS, type Instant, MINUTE_MS } from '../argentine-time.ts'
import { type Pair, pairKey, type PairKey } from '../market/catalog.ts'
import type { Price } from '../market/price.ts'
import { parseDocument } from './parse-document.ts'

/** Grows when a reader of the old form would misread the new one. */
export const CHART_SCHEMA = 1

/** One document with the points of every pair: written only by cycles in which a value changed. */
export const RECENT_KEY = 'chart:recent'

/** One document a pair: written when a day with a change closed, or when history was changed. */
export function closesKey(pair: Pick<Pair, 'currency' | 'origin'>): string {
  return `chart:closes:${pairKey(pair)}`
}

/**
 * `[days since 1970-01-01, sell, buy]` of a closed Argentine day with a change, then its high and
 * low where one of them lies beyond its close and the close before it.
 */
export type Close = readonly [day: number, sell: Price, buy: Price, high?: Price, low?: Price]

export interface ClosesDocument {
  schema: typeof CHART_SCHEMA
  /** Ascending. Days left out carry the last close forward. */
  closes: Close[]
}

/** One document with the last closes of every pair: what a list of all pairs shows of each. */
export const MONTH_KEY = 'chart:month'

/** Closes kept of each pair: one a day at the most, so they reach back a month at the least. */
export const MONTH_CLOSES = 32

/** `[days since 1970-01-01, sell]`. */
export type MonthClose = readonly [day: number, sell: Price]

export interface MonthDocument {
  schema: typeof CHART_SCHEMA
  /** Ascending. */
  closes: Partial<Record<PairKey, MonthClose[]>>
}

/** `[minutes since 1970, sell]`: from then on the value in effect. */
export type RecentPoint = readonly [minute: number, sell: Price]

export interface RecentDocument {
  schema: typeof CHART_SCHEMA
  /** Ascending; the first of a pair may be older than a day: it is in effect when the day begins. */
  points: Partial<Record<PairKey, RecentPoint[]>>
}

/** The window of the recent points. */
export const RECENT_MS = DAY_MS
/** At most one point in each of these, however often cycles run. */
const SLOT_MINUTES = 5

/** A value and the instant from which it is in effect. */
export interface ChartValue {
  pair: Pick<Pair, 'currency' | 'origin'>
  sell: Price
  updatedAt: Instant
}

/**
 * The document with the values in effect added. A value that it has already changes nothing, so the
 * next cycle completes a document that missed one.
 */
export function withValues(
  document: RecentDocument | null,
  values: readonly ChartValue[],
  now: Instant,
): RecentDocument {
  const points = { ...document?.points }
  for (const { pair, sell, updatedAt } of values) {
    const key = pairKey(pair)
    points[key] = added(points[key] ?? [], [Math.floor(updatedAt / MINUTE_MS), sell])
  }

  const from = Math.floor((now - RECENT_MS) / MINUTE_MS)
  for (const key of Object.keys(points) as PairKey[]) points[key] = since(points[key]!, from)
  return { schema: CHART_SCHEMA, points }
}

function added(points: readonly RecentPoint[], point: RecentPoint): RecentPoint[] {
  const last = points.at(-1)
  if (!last) return [point]
  if (last[1] === point[1] || point[0] < last[0]) return [...points]

  const sameSlot = Math.floor(last[0] / SLOT_MINUTES) === Math.floor(point[0] / SLOT_MINUTES)
  return [...(sameSlot ? points.slice(0, -1) : points), point]
}

/** The points from a minute on, and the one in effect then. */
function since(points: RecentPoint[], from: number): RecentPoint[] {
  const first = points.findLastIndex(([minute]) => minute <= from)
  return first > 0 ? points.slice(first) : points
}

export function parseRecent(text: string | null): RecentDocument | null {
  return parseDocument<RecentDocument>(
    text,
    CHART_SCHEMA,
    ({ points }) => typeof points === 'object' && points !== null,
  )
}

export function parseCloses(text: string | null): ClosesDocument | null {
  return parseDocument<ClosesDocument>(text, CHART_SCHEMA, ({ closes }) => Array.isArray(closes))
}

export function parseMonth(text: string | null): MonthDocument | null {
  return parseDocument<MonthDocument>(
    text,
    CHART_SCHEMA,
    ({ closes }) => typeof closes === 'object' && closes !== null,
  )
}
