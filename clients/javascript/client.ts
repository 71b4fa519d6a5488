import type * as api from './api.ts'
import { alertMethods, webhookMethods } from './managed.ts'
import { type Query, request, type RequestOptions } from './request.ts'
import { type StreamOptions, streamQuotes } from './stream.ts'
import type {
  Code,
  ConvertOptions,
  Currency,
  InvoicingCurrency,
  Origin,
  SeriesOptions,
} from './types.ts'

export interface ClientOptions extends Partial<Omit<RequestOptions, 'apiKey' | 'baseUrl'>> {
  /** The API's origin: `https://cotizaciones.example`. */
  baseUrl: string
  /** For history, series, webhooks, alerts and the key check. Only these requests carry the key. */
  apiKey?: string | undefined
}

export interface AsOfOptions {
  /** Argentine `HH:MM` or `HH:MM:SS`; the end of the day when absent. */
  time?: string | undefined
  /** The greatest age of a value, in seconds. An older value has null prices. */
  maxAge?: number | undefined
}

export interface RangeOptions {
  /** Argentine days `YYYY-MM-DD`, both inclusive. */
  from?: string | undefined
  to?: string | undefined
  /** 1 to 500. */
  limit?: number | undefined
}

export type Client = ReturnType<typeof createClient>

/**
 * A client of the API. A failed method throws a `CotizacionesError`, after the retries that
 * `Retry-After` allows: an `ApiError` when the service refuses, a `RequestTimeoutError` or a
 * `NetworkError` when no answer comes.
 */
export function createClient({ baseUrl, apiKey, ...rest }: ClientOptions) {
  const options: RequestOptions = {
    baseUrl,
    apiKey,
    fetch: rest.fetch ?? ((input, init) => fetch(input, init)),
    timeoutMs: rest.timeoutMs ?? 10_000,
    retries: rest.retries ?? 2,
    maxWaitSeconds: rest.maxWaitSeconds ?? 60,
    sleep: rest.sleep ?? sleep,
  }
  return {
    ...readMethods(options),
    webhooks: webhookMethods(options),
    alerts: alertMethods(options),
    /** Each change as it happens: `for await (const quote of client.stream({ pairs }))`. */
    stream: (stream: StreamOptions = {}) => streamQuotes(options, stream),
  }
}

/** Waits; resolves at once, without an error, when the signal is aborted. */
function sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve()

    const end = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, milliseconds)
    signal?.addEventListener('abort', end)
  })
}

function readMethods(options: RequestOptions) {
  const get = <Answer>(path: string, query: Query = {}) =>
    request<Answer>(options, { path: `/api/v2/${path}`, query })
  const asOf = <Answer>(path: string, { time, maxAge }: AsOfOptions = {}) =>
    get<Answer>(`date/${path}`, { time, max_age: maxAge })
  const getPrivate = <Answer>(path: string, query: Query = {}) =>
    request<Answer>(options, { path: `/api/v2/${path}`, query, isPrivate: true })

  return {
    /** Every current quote, in catalogue order. */
    quotes: () => get<api.Quote[]>('quotes'),
    /** The current quotes of a currency. */
    currency: (currency: Code<Currency>) => get<api.Quote[]>(currency),
    /** One current quote with its change since midnight. */
    quote: (currency: Code<Currency>, origin: Code<Origin>) =>
      get<api.CurrentQuote>(`${currency}/${origin}`),
    /** The service's status: freshness of each pair, health of each source. */
    status: () => get<api.Status>('status'),

    /** Every pair as of an Argentine day. */
    quotesAsOf: (date: string, asked?: AsOfOptions) => asOf<api.DatedQuote[]>(date, asked),
    /** The pairs of a currency as of an Argentine day. */
    currencyAsOf: (date: string, currency: Code<Currency>, asked?: AsOfOptions) =>
      asOf<api.DatedQuote[]>(`${date}/${currency}`, asked),
    /** One pair as of an Argentine day: the value in effect, never a later one. */
    quoteAsOf: (
      date: string,
      currency: Code<Currency>,
      origin: Code<Origin>,
      asked?: AsOfOptions,
    ) => asOf<api.DatedQuote>(`${date}/${currency}/${origin}`, asked),

    /** An amount in another currency, with the prices of the conversion. */
    convert: (asked: ConvertOptions) => get<api.Conversion>('convert', { ...asked }),
    /** The rate that an invoice in this currency must use. `date` is its day; today when absent. */
    invoicing: (currency: Code<InvoicingCurrency>, { date }: { date?: string | undefined } = {}) =>
      get<api.InvoicingRate>(`invoicing/${currency}`, { date }),
    /** The rate of every currency in the bank's table. */
    invoicingRates: ({ date }: { date?: string | undefined } = {}) =>
      get<api.InvoicingRate[]>('invoicing', { date }),

    /** Every change of a pair, newest first. Needs a key. */
    history: (currency: Code<Currency>, origin: Code<Origin>, range?: RangeOptions) =>
      getPrivate<api.HistoryPoint[]>(`${currency}/${origin}/history`, { ...range }),
    /** Daily candles of a pair, newest first. Needs a key. */
    candles: (currency: Code<Currency>, origin: Code<Origin>, range?: RangeOptions) =>
      getPrivate<api.Candles>(`history/${currency}/${origin}`, { ...range }),
    /** One row per date, one column per pair. Needs a key. */
    series: ({ pairs, dates, summary, ...rest }: SeriesOptions) =>
      getPrivate<api.Series>('series', {
        pairs: pairs.join(',').toLowerCase(),
        ...rest,
        dates: dates?.join(','),
        summary: summary ? 1 : undefined,
      }),
    /** Whether the key works: resolves with `{valid: true}` or throws `ApiError` 401. */
    checkKey: () => getPrivate<api.KeyCheck>('auth/check'),
  }
}
