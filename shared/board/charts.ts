/**
 * The public chart documents in KV, written by the scraper and read by the site: the closes of each
 * pair, and the points of all pairs in the last 24 hours. Points of earlier days are not public.
 */
import { type Pair, pairKey, type PairKey } from '../market/catalog.ts'
import type { Price } from '../market/price.ts'

/** Grows with each incompatible change of the document. */
export const CHART_SCHEMA = 1

/** One document with the recent points of every pair, written when a value or the past changed. */
export const RECENT_KEY = 'chart:recent'

/** One document per pair, written with the nightly files. */
export function closesKey(pair: Pick<Pair, 'currency' | 'origin'>): string {
  return `chart:closes:${pairKey(pair)}`
}

/**
 * `[days since 1970-01-01, sell, buy]` of a closed Argentine day with a change. High and low follow
 * when they lie outside the range from the previous close to this one.
 */
export type Close = readonly [day: number, sell: Price, buy: Price, high?: Price, low?: Price]

export interface ClosesDocument {
  schema: typeof CHART_SCHEMA
  /** Ascending. Days left out carry the last close forward. */
  closes: Close[]
}

/** One document with the last closes of every pair, for lists of all pairs. */
export const MONTH_KEY = 'chart:month'

/** `[days since 1970-01-01, sell]`. */
type MonthClose = readonly [day: number, sell: Price]

export interface MonthDocument {
  schema: typeof CHART_SCHEMA
  /** Ascending. */
  closes: Partial<Record<PairKey, MonthClose[]>>
}

/** `[minutes since 1970, sell]`: a value, and the minute from which it is in effect. */
export type RecentPoint = readonly [minute: number, sell: Price]

export interface RecentDocument {
  schema: typeof CHART_SCHEMA
  /** Ascending. A pair's first point may be older than 24 hours: it is in effect at their start. */
  points: Partial<Record<PairKey, RecentPoint[]>>
}
