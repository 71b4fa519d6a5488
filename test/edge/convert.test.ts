import { beforeEach, expect, it } from 'vitest'
import { openEdge } from '../support/edge.ts'
import { failing } from '../support/faulty-database.ts'
import { NOON } from '../support/instant.ts'
import { seedPoints } from '../support/points.ts'
import { aBoardQuote, seedBoard } from '../support/board.ts'

beforeEach(async () => {
  await seedBoard(NOON, {
    quotes: [
      aBoardQuote('USD/BLUE'),
      aBoardQuote('EUR/BLUE', { buy: 1600, sell: 1650.5 }),
      aBoardQuote('USD/OFICIAL', { buy: 1400, sell: 1450 }),
    ],
  })
  await seedPoints('usd/blue', ['2026-03-01 11:00', 1400, 1420], ['2026-03-02 11:55', 1410, 1430])
})

const ask = (query: string, init?: RequestInit) =>
  openEdge({ now: NOON }).fetch(`/api/v2/convert${query.startsWith('/') ? '' : '?'}${query}`, init)

const HUNDRED = 'amount=100&from=USD&to=ARS&origin=blue'

it('a conversion says what was multiplied by what', async () => {
  const response = await ask(HUNDRED)

  expect(await response.text()).toBe(
    '{"requestedAt":null,"amount":100,"from":"USD","to":"ARS","origin":"BLUE",' +
      '"side":"sell","decimals":2,"result":143000,"rounding":"half_away_from_zero",' +
      '"expression":"100 * 1430","legs":[{"currency":"USD","origin":"BLUE",' +
      '"name":"Dólar Blue","operation":"multiply","buy":1410,"sell":1430,"price":1430,' +
      '"quotedAt":"2026-03-02T11:55:00.000-03:00"}]}',
  )
})

const OF_SUNDAY = { sell: 1420, quotedAt: '2026-03-01T11:00:00.000-03:00' }
const NOTHING = { buy: null, sell: null, price: null, quotedAt: null }
const EURO = { currency: 'EUR', operation: 'multiply', price: 1625.25 }
const DOLLAR = { currency: 'USD', operation: 'divide', price: 1420 }
const CROSS = { result: 1.144542, expression: '1 * 1625.25 / 1420', legs: [EURO, DOLLAR] }

it.each<[query: string, maxAge: number, expected: object]>([
  ['amount=1&from=EUR&to=USD&origin=blue&side=mid&decimals=6', 60, CROSS],
  ['amount=1&from=usd&to=ars&side=buy', 60, { origin: 'OFICIAL', result: 1400 }],
  [
    `${HUNDRED}&date=2026-03-01`,
    86_400,
    { requestedAt: '2026-03-01T23:59:59.999-03:00', result: 142_000, legs: [OF_SUNDAY] },
  ],
  // For a time of today never a later value.
  [`${HUNDRED}&date=2026-03-02&time=11:54`, 60, { result: 142_000 }],
  [`${HUNDRED}&date=2026-03-02&time=11:55`, 60, { result: 143_000 }],
  // Before the first value the result is null, not a 404.
  [`${HUNDRED}&date=2020-01-01`, 86_400, { result: null, expression: null, legs: [NOTHING] }],
])('%s may be cached for %i seconds and answers %o', async (query, maxAge, expected) => {
  // A conversion of now must not read the database.
  const more = query.includes('date') ? {} : { env: { DB: failing('not asked') } }
  const response = await openEdge({ now: NOON, ...more }).fetch(`/api/v2/convert?${query}`)
  expect(await response.json()).toMatchObject(expected)
  expect(response.headers.get('Cache-Control')).toBe(`public, max-age=${maxAge}`)
})

it.each([
  ['amount=1&from=ARS&to=USD', 0.0007, 5],
  ['amount=100&from=ARS&to=USD', 0.07, 3],
  ['amount=0&from=ARS&to=USD', 0, 2],
  ['amount=1&from=ARS&to=USD&decimals=2', 0, 2],
  ['amount=0.35&from=USD&to=ARS&decimals=0', 501, 0],
  ['amount=-0.35&from=USD&to=ARS&decimals=0', -501, 0],
  ['amount=0001.1&from=USD&to=ARS', 1573, 2],
  ['amount=99999999999&from=USD&to=ARS', 142_999_999_998_570, 0],
  ['amount=-9999999999.9999&from=USD&to=ARS', -14_299_999_999_999.9, 1],
])(
  'a result has two significant digits unless decimals are asked for, and at most 15 digits: %s',
  async (query, result, decimals) => {
    const response = await ask(`${query}&origin=blue`)
    expect(await response.json()).toMatchObject({ result, decimals })
  },
)

it.each([
  [HUNDRED, ',100,USD,ARS,BLUE,sell,143000,2,100 * 1430'],
  // In a spreadsheet a minus sign begins a formula.
  [HUNDRED.replace('100', '-100'), ',-100,USD,ARS,BLUE,sell,-143000,2,(-100) * 1430'],
])(
  '%s answers CSV by format or by Accept, whatever the cache-busters of a sheet',
  async (query, row) => {
    const csv = `requestedAt,amount,from,to,origin,side,result,decimals,expression\r\n${row}\r\n`
    for (const response of [
      await ask(`${query}&format=csv`),
      await ask(`${query}&format=csv&t=2&_=3`),
      await ask(query, { headers: { Accept: 'text/csv' } }),
    ]) {
      expect(response.headers.get('Content-Type')).toBe('text/csv; charset=utf-8')
      expect(await response.text()).toBe(csv)
    }
  },
)

it.each([
  ['amount=1,5&from=USD&to=ARS', 400, /^amount debe ser/],
  ['amount=1&from=USD&to=ARS&decimals=9', 400, /^decimals/],
  ['amount=1&from=USD&to=USD', 400, /distintas/],
  ['amount=1&from=USD&to=ARG', 400, /^from y to deben ser/],
  ['amount=1&from=USD&to=ARS&time=10:00', 400, /^time necesita date$/],
  ['amount=1&from=USD&to=ARS&date=2026-02-30', 400, /^La fecha debe existir/],
  ['amount=1&from=USD&to=USD&date=2026-02-30', 400, /distintas$/],
  ['amount=1&from=USD&to=ARS&date=2026-02-30&format=xml', 400, /format/],
  ['amount=1&from=USD&to=ARS&date=2026-03-03&time=7', 400, /posterior a hoy/],
  ['amount=1&from=USD&to=ARS&date=2026-03-02&time=12:01', 400, /todavía no llegó/],
  ['amount=1&from=USD&to=ARS&_=3', 400, /^Los únicos parámetros son amount/],
  [
    'amount=99999999999&decimals=4&from=USD&to=ARS&origin=blue',
    400,
    /15 cifras: con ese monto, decimals puede ser hasta 0$/,
  ],
  ['amount=1&from=CLP&to=ARS&origin=blue&date=2026-02-30', 404, /^Cotización no encontrada$/],
  ['amount=1&from=USD&to=ARS&origin=ccl', 404, /^Cotización no encontrada$/],
])('a conversion is refused for %s with %d', async (query, status, text) => {
  const response = await ask(query)
  expect(response.status).toBe(status)
  expect((await response.json<{ error: string }>()).error).toMatch(text)
})
