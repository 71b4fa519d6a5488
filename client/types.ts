/** What the API answers, field by field as in the contract. */

export type Currency = 'USD' | 'EUR' | 'BRL' | 'CLP' | 'UYU' | 'ARG'

export type Origin =
  | 'OFICIAL'
  | 'BNA'
  | 'BLUE'
  | 'MAYORISTA'
  | 'BOLSA'
  | 'CCL'
  | 'CRIPTO'
  | 'TARJETA'
  | 'FUTURO'
  | 'RIESGO'
  | 'CER'
  | 'UVA'

export type ValueType = 'money' | 'points' | 'coefficient'

export interface Quote {
  currency: Currency
  name: string
  origin: Origin
  /** ARS per unit, or the index itself. */
  buy: number
  sell: number
  /** When the value last changed, `YYYY-MM-DDTHH:MM:SS.mmm-03:00`. */
  updatedAt: string
  /** When a source last confirmed it, same form. */
  lastScrapedAt: string
  valueType: ValueType
}

export interface Change {
  amount: number
  percent: number
  /** The last sell before today's Argentine midnight. */
  referenceValue: number
}

export interface CurrentQuote extends Quote {
  change: Change | null
}

export interface QuoteAsOf {
  requestedAt: string
  currency: Currency
  name: string
  origin: Origin
  /** Null before the pair's first value, and for values older than `maxAge`. */
  buy: number | null
  sell: number | null
  valueType: ValueType
  quotedAt: string | null
  sameDay: boolean
  daysStale: number | null
  ageSeconds: number | null
}

export interface HistoryPoint {
  buy: number | null
  sell: number | null
  createdAt: string
}

export interface Candles {
  currency: Currency
  name: string
  origin: Origin
  valueType: ValueType
  interval: 'day'
  points: { date: string; open: number; high: number; low: number; close: number; buy: number }[]
}
