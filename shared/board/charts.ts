/**
 * The public chart documents in KV, written by the scraper and read by the site: the closes of each
 * pair, and the points of all pairs in the last 24 hours. Points of earlier days are not public.
 */
import { type Pair, pairKey, type PairKey } from '../market/catalog.ts'
import type { Price } from '../market/price.ts'

/** Increase it with each incompatible change of a document. */
export const CHART_SCHEMA = 1

/** One document with the recent points of every pair, written when a value or the past changed. */
export const RECENT_KEY = 'chart:recent'

/** One document per pair, written with the nightly files. */
export function closesKey(pair: Pick<Pair, 'currency' | 'origin'>): string {
  return `chart:closes:${pairKey(pair)}`
}

/**
 * `[days since 1970-01-01, sell, buy]` of a closed Argentine day with a change. High and low follow
 * only when they lie outside the range between the previous close and this close.
 */
export type Close = readonly [day: number, sell: Price, buy: Price, high?: Price, low?: Price]

export interface ClosesDocument {
  schema: typeof CHART_SCHEMA
  /** Ascending. A missing day has the close of the day before it. */
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

/** `[minutes since 1970, sell]`: `sell` is in effect from that minute on. */
export type RecentPoint = readonly [minute: number, sell: Price]

export interface RecentDocument {
  schema: typeof CHART_SCHEMA
  /** Ascending. The first point is the value at the start of the 24 hours, so it may be older. */
  points: Partial<Record<PairKey, RecentPoint[]>>
}
