import type { Conversion, InvoicingRate, Series } from './api.ts'
import { request, type RequestOptions } from './request.ts'
import type { Code, ConvertOptions, InvoicingCurrency, SeriesOptions } from './types.ts'

/** The additions to the contract, described in `/openapi/extras.json`. */
export function extensionMethods(options: RequestOptions) {
  return {
    /** An amount in another currency, with what it was multiplied by. */
    convert: (asked: ConvertOptions) =>
      request<Conversion>(options, { path: '/api/v2/convert', query: { ...asked } }),
    /** One row a date, one column a pair. Needs a key. */
    series: ({ pairs, dates, summary, ...rest }: SeriesOptions) =>
      request<Series>(options, {
        path: '/api/v2/series',
        query: {
          pairs: pairs.join(',').toLowerCase(),
          ...rest,
          dates: dates?.join(','),
          summary: summary ? 1 : undefined,
        },
        isPrivate: true,
      }),
    /** The rate that an invoice in this currency must use; issued today when `date` is left out. */
    invoicing: (currency: Code<InvoicingCurrency>, { date }: { date?: string | undefined } = {}) =>
      request<InvoicingRate>(options, {
        path: `/api/v2/invoicing/${currency}`,
        query: { date },
      }),
    /** The same for every currency of the table. */
    invoicingRates: ({ date }: { date?: string | undefined } = {}) =>
      request<InvoicingRate[]>(options, { path: '/api/v2/invoicing', query: { date } }),
  }
}
