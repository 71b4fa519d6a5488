import * as fc from 'fast-check'
import { INVOICING_CURRENCIES } from '../../../../../shared/market/invoicing.ts'
import { route, type Route } from '../route.ts'
import { alertRoutes } from './alerts.ts'
import { csv, day, pairPath, pastDay, query, time } from '../values.ts'

/** Clients that share an address meet the limit of date reads. */
const DATED = { accepts: [200, 304, 429], weight: 3 }

const invoicing = (path: fc.Arbitrary<string>) =>
  fc
    .tuple(path, query({ date: day, format: csv }))
    .map(([path, query]) => ({ target: `/api/v2/invoicing${path}${query}` }))

const currencyPath = fc
  .constantFrom(...INVOICING_CURRENCIES)
  .chain(({ code }) => fc.mixedCase(fc.constant(code.toLowerCase())))
  .map((code) => `/${code}`)

const conversion = fc
  .record(
    {
      amount: fc.constantFrom('0', '1', '100', '1500.50', '-0.005', '123456789'),
      codes: fc.constantFrom(['USD', 'ARS'], ['ars', 'eur'], ['brl', 'usd'], ['CLP', 'UYU']),
      side: fc.constantFrom('sell', 'buy', 'mid'),
      decimals: fc.integer({ min: 0, max: 4 }).map(String),
      dated: fc.tuple(pastDay, fc.option(time)),
      format: csv,
    },
    { requiredKeys: ['amount', 'codes'] },
  )
  .map(({ codes: [from, to], dated, ...rest }) => {
    const [date, time] = dated ?? []
    const fields = { from, to, ...rest, ...(date && { date }), ...(time && { time }) }
    const parts = Object.entries(fields).map(([name, value]) => `${name}=${value}`)
    return { target: `/api/v2/convert?${parts.join('&')}` }
  })

const pairs = fc.array(pairPath, { minLength: 1, maxLength: 19 }).map((pairs) => pairs.join(','))
const shared = {
  value: fc.constantFrom('close', 'open', 'high', 'low', 'average'),
  side: fc.constantFrom('sell', 'buy'),
  summary: fc.constant('1'),
  format: csv,
}

/** Up to some five years, or single days. */
const series = fc
  .tuple(
    pairs,
    fc.oneof(
      query({
        from: fc.integer({ min: 1, max: 2000 }).map((days) => `{{day:-${days}}}`),
        to: fc.constant('{{day:0}}'),
        every: fc.constantFrom('day', 'week', 'month'),
        ...shared,
      }),
      query({
        dates: fc.array(pastDay, { minLength: 1, maxLength: 40 }).map((days) => days.join(',')),
        ...shared,
      }),
    ),
  )
  .map(([pairs, query]) => ({
    target: `/api/v2/series${query || '?'}${query && '&'}pairs=${pairs}`,
  }))

/** The operations of the extensions document, public and private. */
export const extensionRoutes: Route[] = [
  ...alertRoutes,
  route('GET /api/v2/invoicing', DATED, invoicing(fc.constant(''))),
  route('GET /api/v2/invoicing/{currency}', DATED, invoicing(currencyPath)),
  // A pair that never quoted yet is not found.
  // The quota of a minute may be spent.
  route('GET /api/v2/series', { needs: 'key', accepts: [200, 429], weight: 3 }, series),
  route('GET /api/v2/convert', { ...DATED, accepts: [200, 304, 404, 429] }, conversion),
]
