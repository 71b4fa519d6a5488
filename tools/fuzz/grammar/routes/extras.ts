import * as fc from 'fast-check'
import { INVOICING_CURRENCIES } from '../../../../shared/market/invoicing.ts'
import { route, type Route } from '../route.ts'
import { csv, day, pastDay, query, time } from '../values.ts'

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

/** The operations of the extras document, public and private. */
export const extraRoutes: Route[] = [
  route('GET /api/v2/invoicing', DATED, invoicing(fc.constant(''))),
  route('GET /api/v2/invoicing/{currency}', DATED, invoicing(currencyPath)),
  // A pair that never quoted yet is not found.
  route('GET /api/v2/convert', { ...DATED, accepts: [200, 304, 404, 429] }, conversion),
]
