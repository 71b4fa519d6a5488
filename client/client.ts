import { getJson, type RequestOptions } from './request.ts'
import type {
  Candles,
  Currency,
  CurrentQuote,
  HistoryPoint,
  Origin,
  Quote,
  QuoteAsOf,
} from './types.ts'

export interface ClientOptions extends Partial<Omit<RequestOptions, 'apiKey'>> {
  /** Where the API lives: `https://cotizaciones.example`. */
  baseUrl: string
  /** Only history and the key check need one. */
  apiKey?: string
}

/** A code of the catalogue, in any letter case. */
export type Code<Name extends string> = Name | Lowercase<Name>

export interface AsOfOptions {
  /** Argentine `HH:MM` or `HH:MM:SS`; the end of the day when left out. */
  time?: string
  /** Seconds; older values come back with null prices. */
  maxAge?: number
}

export interface RangeOptions {
  /** Argentine days `YYYY-MM-DD`, both inclusive. */
  from?: string
  to?: string
  /** 1 to 500. */
  limit?: number
}

export type Client = ReturnType<typeof createClient>

/**
 * A client of the API. Every method throws `ApiError` for what the API refuses, after the tries
 * that its `Retry-After` allows, and the platform's error when the network fails.
 */
export function createClient({ baseUrl, apiKey, ...rest }: ClientOptions) {
  const options: RequestOptions = {
    baseUrl,
    apiKey,
    fetch: rest.fetch ?? ((input, init) => fetch(input, init)),
    timeoutMs: rest.timeoutMs ?? 10_000,
    retries: rest.retries ?? 2,
    maxWaitSeconds: rest.maxWaitSeconds ?? 60,
    sleep: rest.sleep ?? ((ms) => new Promise((resolve) => setTimeout(resolve, ms))),
  }
  const get = <Answer>(path: string, query?: Record<string, string | number | undefined>) =>
    getJson<Answer>(options, path, query)

  return {
    /** Every current quote, in catalogue order. */
    quotes: () => get<Quote[]>('/api/v2/quotes'),
    /** The current quotes of a currency. */
    currency: (currency: Code<Currency>) => get<Quote[]>(`/api/v2/${currency}`),
    /** One current quote with its change since midnight. */
    quote: (currency: Code<Currency>, origin: Code<Origin>) =>
      get<CurrentQuote>(`/api/v2/${currency}/${origin}`),
    /** Every pair as of an Argentine day. */
    quotesAsOf: (date: string, { time, maxAge }: AsOfOptions = {}) =>
      get<QuoteAsOf[]>(`/api/v2/date/${date}`, { time, max_age: maxAge }),
    /** One pair as of an Argentine day: the value in effect, never a later one. */
    quoteAsOf: (
      date: string,
      currency: Code<Currency>,
      origin: Code<Origin>,
      { time, maxAge }: AsOfOptions = {},
    ) => get<QuoteAsOf>(`/api/v2/date/${date}/${currency}/${origin}`, { time, max_age: maxAge }),
    /** Every change of a pair, newest first. Needs a key. */
    history: (currency: Code<Currency>, origin: Code<Origin>, range: RangeOptions = {}) =>
      get<HistoryPoint[]>(`/api/v2/${currency}/${origin}/history`, { ...range }),
    /** Daily candles of a pair, newest first. Needs a key. */
    candles: (currency: Code<Currency>, origin: Code<Origin>, range: RangeOptions = {}) =>
      get<Candles>(`/api/v2/history/${currency}/${origin}`, { ...range }),
    /** Whether the key works: resolves with `{valid: true}` or throws `ApiError` 401. */
    checkKey: () => get<{ valid: true }>('/api/v2/auth/check'),
  }
}
