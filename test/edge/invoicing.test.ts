import { beforeEach, expect, it } from 'vitest'
import type { InvoicingTable } from '../../shared/db/quotes/invoicing.ts'
import { INVOICING_CURRENCIES, INVOICING_RULE } from '../../shared/market/invoicing.ts'
import { openEdge } from '../support/edge.ts'
import { seedInvoicing } from '../support/points.ts'
import { art, NOON } from '../support/instant.ts'

const DOLLAR = { currency: 'USD', units: 1, buy: '1451.5', sell: '1460.5' }
const YEN = { currency: 'JPY', units: 100, buy: '931.2043', sell: '938.55173' }

const FRIDAY: InvoicingTable = {
  day: '2026-02-27',
  publishedAt: art('2026-02-27 15:02'),
  source: 'bna-divisas',
  rates: [DOLLAR, YEN],
}

const MONDAY = { ...FRIDAY, day: '2026-03-02', publishedAt: NOON, rates: [DOLLAR] }

beforeEach(() => seedInvoicing(FRIDAY, art('2026-02-27 15:05')))

const ask = (path: string, now = NOON, init?: RequestInit) =>
  openEdge({ now }).fetch(`/api/v2/invoicing${path}`, init)
const json = (path: string) => openEdge({ now: NOON }).json(`/api/v2/invoicing${path}`)

it('the rate of an invoice is the close of the business day before the issue date, across a weekend too', async () => {
  const response = await ask('/usd')
  expect(await response.text()).toBe(
    '{"currency":"USD","name":"Dólar estadounidense","date":"2026-03-02",' +
      '"rateDate":"2026-02-27","units":1,"buy":1451.5,"sell":1460.5,' +
      '"publishedAt":"2026-02-27T15:02:00.000-03:00","source":"bna-divisas",' +
      `"rule":"${INVOICING_RULE}","stale":false}`,
  )
})

it('the rate of an invoice comes from a table even when the calendar has its day as closed', async () => {
  await seedInvoicing({ ...FRIDAY, day: '2026-02-28', rates: [DOLLAR] }, art('2026-02-28 15:00'))
  expect(await json('/usd')).toMatchObject({ rateDate: '2026-02-28', stale: false })
  const yen = { units: 100, buy: 931.2043, sell: 938.55173 }
  expect(await json('/jpy')).toMatchObject({ ...yen, rateDate: '2026-02-27', stale: true })
})

const NULLS = { units: null, buy: null, sell: null, publishedAt: null, source: null }
const NONE = { ...NULLS, rateDate: null, stale: null }
const OF_FRIDAY = { rateDate: '2026-02-27', stale: false }
const OF_MONDAY = { rateDate: '2026-03-02', stale: false }

/** Friday's table, and Monday's table with only the dollar. */
it.each<[path: string, now: string, expected: object, maxAge?: number]>([
  ['/usd?date=2020-01-02', '2026-03-02 12:00', NONE],
  ['/usd?date=2026-02-27', '2026-03-02 12:00', NONE],
  ['/USD?date=2026-03-01', '2026-03-02 12:00', { date: '2026-03-01', ...OF_FRIDAY }, 86_400],
  ['/usd?date=2026-03-02', '2026-03-02 12:00', OF_FRIDAY],
  ['/usd?date=2026-03-02', '2026-03-03 12:00', OF_FRIDAY, 86_400],
  // Tomorrow's rate is known once today's table is the close, or if today is no business day.
  ['/usd?date=2026-03-03', '2026-03-02 19:00', OF_MONDAY],
  ['/usd?date=2026-03-02', '2026-03-01 12:00', OF_FRIDAY],
  // The table of the business day before is missing.
  ['/usd', '2026-03-04 12:00', { ...OF_MONDAY, stale: true }],
  ['/usd?date=2026-03-04', '2026-03-05 12:00', { ...OF_MONDAY, stale: true }],
  ['/jpy', '2026-03-03 12:00', { ...OF_FRIDAY, stale: true }],
])('%s requested at %s answers %o', async (path, now, expected, maxAge = 60) => {
  await seedInvoicing(MONDAY, NOON)
  const response = await ask(path, art(now))
  expect(await response.json()).toMatchObject(expected)
  expect(response.headers.get('Cache-Control')).toBe(`public, max-age=${maxAge}`)
})

it.each([
  ['/usd?format=value', '1460.5'],
  ['/jpy?date=2026-03-02&format=value', '938.55173'],
  ['/usd?date=2020-01-02&format=value', ''],
])('%s answers a bare number: %s', async (path, body) => {
  const response = await ask(path)
  expect([response.status, await response.text()]).toEqual([200, body])
  expect(response.headers.get('Content-Type')).toMatch(/^text\/plain/)
})

it('the list of invoicing rates has every currency of the bank’s table, with nulls where there is no rate', async () => {
  const rates = await json('')
  expect(rates.map(({ currency }: { currency: string }) => currency)).toEqual(
    INVOICING_CURRENCIES.map(({ code }) => code),
  )
  expect(rates[0]).toMatchObject({ currency: 'USD', sell: 1460.5 })
  expect(rates[1]).toMatchObject({ currency: 'GBP', rateDate: null, sell: null })
})

it('the list of invoicing rates is CSV by format or Accept', async () => {
  const csv = await (await ask('?format=csv')).text()
  expect(csv.split('\r\n').slice(0, 2)).toEqual([
    'currency,name,date,rateDate,units,buy,sell,publishedAt,source,rule,stale',
    `USD,Dólar estadounidense,2026-03-02,2026-02-27,1,1451.5,1460.5,2026-02-27T15:02:00.000-03:00,bna-divisas,"${INVOICING_RULE}",false`,
  ])
  const accept = await ask('/usd', NOON, { headers: { Accept: 'text/csv' } })
  expect(accept.headers.get('Content-Type')).toBe('text/csv; charset=utf-8')
})

const AT_FIVE = '2026-02-27T17:01:00.000-03:00'

it.each([
  ['later on its day', '2026-02-27 17:01', { sell: 1470, publishedAt: AT_FIVE }],
  ['after its day and without an hour', null, { sell: 1470 }],
  ['with an earlier hour', '2026-02-27 11:00', { sell: 1460.5 }],
])('the last table of a day counts: one published %s', async (_, hour, expected) => {
  const publishedAt = hour === null ? null : art(hour)
  const rates = [{ ...DOLLAR, sell: '1470' }]
  await seedInvoicing({ ...FRIDAY, publishedAt, rates }, art('2026-03-02 08:00'))
  expect(await json('/usd')).toMatchObject(expected)
  expect(await json('/jpy')).toMatchObject({ sell: 938.55173 })
})

it.each([
  ['/clp', 404, /^La tabla del Banco Nación no tiene esa moneda$/],
  ['/usd?date=2026-03-04', 400, /posterior a mañana/],
  ['?date=2026-03-03', 400, /^El cierre de hoy/],
  ['?format=value', 400, /^El único valor de format es csv$/],
  ['?time=12:00', 400, /^Los únicos parámetros son date y format$/],
  ['/usd?date=2026-03-03', 400, /^El cierre de hoy todavía no se conoce$/],
  ['/usd?date=2026-03-04', 400, /^El cierre de hoy/, '2026-03-03 23:00'],
])('%s is refused with %d', async (path, status, text, now = '2026-03-02 18:59') => {
  await seedInvoicing(MONDAY, NOON)
  const response = await ask(path, art(now))
  expect(response.status).toBe(status)
  expect(((await response.json()) as { error: string }).error).toMatch(text)
})
