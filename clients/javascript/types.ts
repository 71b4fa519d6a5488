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

/** A code of the catalogue, in any letter case. */
export type Code<Name extends string> = Name | Lowercase<Name>

export type ValueType = 'money' | 'points' | 'coefficient'

export type Side = 'sell' | 'buy'

export interface Quote {
  currency: Currency
  name: string
  origin: Origin
  /** ARS per unit, or the index itself. */
  buy: number | null
  sell: number | null
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

export interface ServiceStatus {
  /** `ok`: every pair is fresh; `degraded`: some are not; `down`: none, or no source answered. */
  status: 'ok' | 'degraded' | 'down'
  reason: 'no_board' | 'clock' | 'board_too_old' | 'no_source_answered' | 'no_pair_fresh' | null
  mode: 'live' | 'demo' | 'upstream' | null
  generatedAt: string | null
  pairs: {
    currency: Currency
    origin: Origin
    updatedAt: string | null
    lastScrapedAt: string | null
    fresh: boolean
    source: string | null
    /** Whether a newer value waits for a second source. */
    held: boolean
  }[]
  sources: {
    name: string
    lastSuccessAt: string | null
    lastError: string | null
    everyMinutes: number
  }[]
  /** What the public archive of holidays says otherwise; its additions are taken. */
  calendar: { added: string[]; lacking: string[]; mayBeHoliday: string | null }
  deliveries: {
    /** Whether deliveries can leave the service. */
    canSend: boolean
    outstanding: number
    oldestWaitingAt: string | null
    deliveredLastHour: number
    deadLastHour: number
  } | null
}
