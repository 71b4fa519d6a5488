import * as fc from 'fast-check'
import type { Header } from '../../request.ts'
import { route, type Route } from '../route.ts'
import { csv, currency, day, pairPath, pastDay, query, time } from '../values.ts'
import { weighted } from '../weighted.ts'

const READ = { accepts: [200, 304], weight: 3 }
/** Clients that share an address meet its limit. */
const DATED = { accepts: [200, 304, 429], weight: 4 }

const accept = fc.constantFrom('*/*', 'application/json', 'text/html,*/*;q=0.8', 'text/csv')
const headers = weighted<readonly Header[]>(
  [3, fc.constant([])],
  [1, accept.map((value) => [['Accept', value] as const])],
  [1, fc.constant([['If-None-Match', '*'] as const])],
)

const at = (target: fc.Arbitrary<string>) => fc.record({ target, headers })

/** `time` only with days that are over: today's may lie in the future. `max_age` with any day. */
const datedDay = fc.oneof(
  fc.tuple(pastDay, query({ time, max_age: fc.nat(10 ** 7).map(String), format: csv })),
  fc.tuple(day, query({ max_age: fc.nat(10 ** 7).map(String), format: csv })),
)

const dated = (rest: fc.Arbitrary<string>) =>
  at(fc.tuple(datedDay, rest).map(([[day, query], rest]) => `/api/v2/date/${day}${rest}${query}`))

const streamed = query({
  pairs: fc.array(pairPath, { minLength: 1, maxLength: 5 }).map((pairs) => pairs.join(',')),
})

export const publicRoutes: Route[] = [
  route('GET /api/v2/quotes', READ, at(fc.constant('/api/v2/quotes'))),
  route('GET /api/v2/{currency}', READ, at(currency.map((code) => `/api/v2/${code}`))),
  route('GET /api/v2/{currency}/{origin}', READ, at(pairPath.map((pair) => `/api/v2/${pair}`))),
  route('GET /api/{currency}', READ, at(currency.map((code) => `/api/${code}`))),
  route('GET /api/{currency}/{origin}', READ, at(pairPath.map((pair) => `/api/${pair}`))),
  route('GET /api/v2/date/{date}', DATED, dated(fc.constant(''))),
  route('GET /api/v2/date/{date}/{currency}', DATED, dated(currency.map((code) => `/${code}`))),
  route('GET /api/v2/date/{date}/{currency}/{origin}', DATED, dated(pairPath.map((p) => `/${p}`))),
  route('GET /api/v2/status', { accepts: [200] }, at(fc.constant('/api/v2/status'))),
  route(
    'GET /api/v2/stream',
    { accepts: [200, 429, 503], weight: 1 },
    at(streamed.map((query) => `/api/v2/stream${query}`)),
  ),
]
