/** What the additions take and answer: invoicing rate, series, conversion. */
import type { Currency, Origin, Side } from './types.ts'

/** ISO codes of Banco Nación's wholesale table. */
export type InvoicingCurrency =
  | 'USD'
  | 'GBP'
  | 'EUR'
  | 'CHF'
  | 'JPY'
  | 'CAD'
  | 'DKK'
  | 'NOK'
  | 'SEK'
  | 'CNY'
  | 'AUD'

/** The rate that an invoice issued on `date` must use (RG 5616/2024). */
export interface InvoicingRate {
  currency: InvoicingCurrency
  name: string
  /** The day of issue, Argentine. */
  date: string
  /** The exchange business day whose close this is; null when there is no record. */
  rateDate: string | null
  /** The prices are for so many units of the currency. */
  units: number | null
  buy: number | null
  sell: number | null
  publishedAt: string | null
  source: 'bna-divisas' | 'import' | null
  rule: string
  /** The table of the business day before is missing, and this one is older; null without a rate. */
  stale: boolean | null
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

/** A price that went into a conversion. */
export interface ConversionLeg {
  currency: Currency
  origin: Origin
  name: string
  operation: 'multiply' | 'divide'
  buy: number | null
  sell: number | null
  /** The one that was used. */
  price: number | null
  quotedAt: string | null
}

export interface Conversion {
  /** Null for the current quote. */
  requestedAt: string | null
  amount: number
  from: string
  to: string
  origin: Origin
  side: Side | 'mid'
  decimals: number
  /** Null when a pair had no value yet. */
  result: number | null
  rounding: 'half_away_from_zero'
  /** The sum, to do it again. */
  expression: string | null
  legs: ConversionLeg[]
}

export interface SeriesSummary {
  currency: Currency
  origin: Origin
  name: string
  first: number | null
  firstDate: string | null
  last: number | null
  lastDate: string | null
  change: number | null
  percent: number | null
  minimum: number | null
  minimumDate: string | null
  maximum: number | null
  maximumDate: string | null
  average: number | null
}

export interface Series {
  /** Null with `dates`. */
  every: 'day' | 'week' | 'month' | null
  value: 'close' | 'open' | 'high' | 'low' | 'average'
  side: Side
  /** `date`, then the pairs as asked. */
  columns: string[]
  /** The date, the last of its period, and one value a pair; null before the first. */
  rows: [string, ...(number | null)[]][]
  /** With `summary`, one a pair. */
  summary?: SeriesSummary[] | undefined
}
