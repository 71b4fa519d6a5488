/** What the additions take and answer: invoicing rate, series, conversion. */
import type { Side } from './types.ts'

/** The rate that an invoice issued on `date` must use (RG 5616/2024). */
export interface InvoicingRate {
  /** ISO code. */
  currency: string
  name: string
  /** The day of issue, Argentine. */
  date: string
  /** The exchange business day whose close this is; null when there is no record. */
  rateDate: string | null
  /** The prices are for so many units of the currency. */
  units: number
  buy: number | null
  sell: number | null
  publishedAt: string | null
  source: string
  rule: string
  /** The table is older than the calendar allows. */
  stale: boolean
}

export interface SeriesOptions {
  /** `usd/blue`, up to 19. */
  pairs: readonly string[]
  /** Argentine days `YYYY-MM-DD`, both inclusive. */
  from?: string | undefined
  to?: string | undefined
  every?: 'day' | 'week' | 'month' | undefined
  value?: 'close' | 'open' | 'high' | 'low' | 'average' | undefined
  side?: Side | undefined
  /** Single days instead of a range, up to 500. */
  dates?: readonly string[] | undefined
  /** Whether first, last, change, minimum, maximum and average come along. */
  summary?: boolean | undefined
}

export interface ConvertOptions {
  /** A decimal; a string keeps digits that a number would lose. */
  amount: number | string
  /** ISO code, in any letter case. */
  from: string
  to: string
  /** Which rate: `blue`, `oficial`, … */
  origin?: string | undefined
  side?: Side | 'mid' | undefined
  /** Argentine day and time; now when left out. */
  date?: string | undefined
  time?: string | undefined
  decimals?: number | undefined
}

export interface Conversion {
  amount: number
  from: string
  to: string
  result: number
}

export interface Series {
  pairs: string[]
}
