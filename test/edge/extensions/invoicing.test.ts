import { beforeEach, describe, expect, it } from 'vitest'
import type { Instant } from '../../../shared/argentine-time.ts'
import {
  type InvoicingTable,
  invoicingStatements,
} from '../../../shared/db/quotes/invoicing-tables.ts'
import { INVOICING_CURRENCIES, INVOICING_RULE } from '../../../shared/market/invoicing.ts'
import { openEdge } from '../../support/edge.ts'
import { env } from '../../support/env.ts'
import { art } from '../../support/instant.ts'

/** A Monday; the Friday before it is 27 February. */
const NOON = art('2026-03-02 12:00')

const DOLLAR = { currency: 'USD', units: 1, buy: '1451.5', sell: '1460.5' }
const YEN = { currency: 'JPY', units: 100, buy: '931.2043', sell: '938.55173' }

const FRIDAY: InvoicingTable = {
  day: '2026-02-27',
  publishedAt: art('2026-02-27 15:02'),
  source: 'bna-divisas',
  rates: [DOLLAR, YEN],
}

const seed = (table: InvoicingTable, at: Instant) =>
  env.DB.batch(invoicingStatements(env.DB, table, at))

beforeEach(() => seed(FRIDAY, art('2026-02-27 15:05')))

const ask = (path: string, now = NOON, init?: RequestInit) =>
  openEdge({ now }).fetch(`/api/v2/invoicing${path}`, init)
// oxlint-disable-next-line typescript/no-explicit-any -- JSON of any shape: tests look into it
const json = async (path: string, now?: Instant) => (await ask(path, now)).json<any>()
const cacheOf = async (path: string, now: Instant) =>
  (await ask(path, now)).headers.get('Cache-Control')

describe('the rate of an invoice', () => {
  it('is the close of the business day before its issue, over a weekend too', async () => {
    const response = await ask('/usd')
    expect(await response.text()).toBe(
      '{"currency":"USD","name":"Dólar estadounidense","date":"2026-03-02",' +
        '"rateDate":"2026-02-27","units":1,"buy":1451.5,"sell":1460.5,' +
        '"publishedAt":"2026-02-27T15:02:00.000-03:00","source":"bna-divisas",' +
        `"rule":"${INVOICING_RULE}","stale":false}`,
    )
    expect(response.headers.get('Cache-Control')).toBe('public, max-age=60')
    expect(response.headers.get('Access-Control-Allow-Origin')).toBe('*')
  })

  it.each([
    ['2026-02-27', null, null],
    ['2026-03-01', '2026-02-27', false],
    ['2026-03-02', '2026-02-27', false],
  ])('issued on %s is of %s', async (date, rateDate, stale) => {
    expect(await json(`/USD?date=${date}`)).toMatchObject({ date, rateDate, stale })
  })

  it('says that it is stale when the table of the business day before is missing', async () => {
    const wednesday = art('2026-03-04 12:00')
    expect(await json('/usd', wednesday)).toMatchObject({ rateDate: '2026-02-27', stale: true })

    await seed({ ...FRIDAY, day: '2026-03-03', rates: [DOLLAR] }, art('2026-03-03 15:00'))
    expect(await json('/usd', wednesday)).toMatchObject({ rateDate: '2026-03-03', stale: false })
    expect(await json('/jpy', wednesday)).toMatchObject({ rateDate: '2026-02-27', stale: true })
  })

  it('goes by a table of a day that the calendar does not know for a business day', async () => {
    await seed({ ...FRIDAY, day: '2026-02-28', rates: [DOLLAR] }, art('2026-02-28 15:00'))
    expect(await json('/usd')).toMatchObject({ rateDate: '2026-02-28', stale: false })
    const yen = { units: 100, buy: 931.2043, sell: 938.55173 }
    expect(await json('/jpy')).toMatchObject({ ...yen, rateDate: '2026-02-27', stale: true })
  })

  it('is nulls without a record before the date, and 404 for another currency', async () => {
    expect(await json('/usd?date=2020-01-02')).toMatchObject({
      rateDate: null,
      units: null,
      buy: null,
      sell: null,
      publishedAt: null,
      source: null,
      stale: null,
    })
    const clp = await ask('/clp')
    expect([clp.status, await clp.json()]).toEqual([
      404,
      { error: 'La tabla del Banco Nación no tiene esa moneda' },
    ])
  })

  it('is kept for a day by caches once its day is over and nothing is missing', async () => {
    expect(await cacheOf('/usd?date=2026-03-02', art('2026-03-03 12:00'))).toMatch(/86400$/)
    expect(await cacheOf('?date=2026-03-02', art('2026-03-03 12:00'))).toMatch(/=60$/)
    expect(await cacheOf('/usd?date=2026-03-04', art('2026-03-05 12:00'))).toMatch(/=60$/)
  })
})

describe('tomorrow’s rate', () => {
  const tomorrow = '/usd?date=2026-03-03'

  it('is known once the table of today is the close', async () => {
    await seed({ ...FRIDAY, day: '2026-03-02', publishedAt: NOON }, NOON)
    expect(await json('/usd')).toMatchObject({ rateDate: '2026-02-27' })
    expect((await ask(tomorrow, art('2026-03-02 18:59'))).status).toBe(400)
    const known = await json(tomorrow, art('2026-03-02 19:00'))
    expect(known).toMatchObject({ rateDate: '2026-03-02', stale: false })
  })

  it('is not known without a table of today, unless today is no business day', async () => {
    expect(await json(tomorrow, art('2026-03-02 23:00'))).toEqual({
      error: 'El cierre de hoy todavía no se conoce',
    })
    const sunday = await json('/usd?date=2026-03-02', art('2026-03-01 12:00'))
    expect(sunday).toMatchObject({ rateDate: '2026-02-27', stale: false })
  })
})

describe('the list', () => {
  it('has every currency of the bank’s table, those without a record with nulls', async () => {
    const rates = await json('')
    expect(rates.map(({ currency }: { currency: string }) => currency)).toEqual(
      INVOICING_CURRENCIES.map(({ code }) => code),
    )
    expect(rates[0]).toMatchObject({ currency: 'USD', sell: 1460.5 })
    expect(rates[1]).toMatchObject({ currency: 'GBP', rateDate: null, sell: null })
  })

  it('is CSV by format or Accept', async () => {
    const csv = await (await ask('?format=csv')).text()
    expect(csv.split('\r\n').slice(0, 2)).toEqual([
      'currency,name,date,rateDate,units,buy,sell,publishedAt,source,rule,stale',
      `USD,Dólar estadounidense,2026-03-02,2026-02-27,1,1451.5,1460.5,2026-02-27T15:02:00.000-03:00,bna-divisas,"${INVOICING_RULE}",false`,
    ])
    const accept = await ask('/usd', NOON, { headers: { Accept: 'text/csv' } })
    expect(accept.headers.get('Content-Type')).toBe('text/csv; charset=utf-8')
  })
})

describe('the tables', () => {
  it('of one day: the last one wins', async () => {
    const later = { ...FRIDAY, publishedAt: art('2026-02-27 17:01') }
    await seed({ ...later, rates: [{ ...DOLLAR, sell: '1470' }] }, art('2026-02-27 17:05'))
    expect(await json('/usd')).toMatchObject({
      sell: 1470,
      publishedAt: '2026-02-27T17:01:00.000-03:00',
    })
    expect(await json('/jpy')).toMatchObject({ sell: 938.55173 })
  })

  it('changed after their day win too, without an hour as well; an older one changes nothing', async () => {
    const older = { ...FRIDAY, publishedAt: art('2026-02-27 11:00') }
    await seed({ ...older, rates: [{ ...DOLLAR, sell: '1400' }] }, art('2026-03-02 08:00'))
    expect(await json('/usd')).toMatchObject({ sell: 1460.5 })
    const late = { ...FRIDAY, publishedAt: null, rates: [{ ...DOLLAR, sell: '1461' }, YEN] }
    await seed(late, art('2026-03-02 09:00'))
    expect(await json('/usd')).toMatchObject({ sell: 1461 })
  })
})

describe('refusals', () => {
  it.each([
    ['/usd?date=2026-02-30', 400, /^La fecha debe existir/],
    ['/usd?date=2026-03-04', 400, /posterior a mañana/],
    ['?date=2026-03-03', 400, /^El cierre de hoy/],
    ['?time=12:00', 400, /^Los únicos parámetros son date y format$/],
    ['/xyz', 404, /esa moneda/],
    ['/u%C5%BFd', 404, /esa moneda/],
    ['/usd/blue', 404, /^Recurso no encontrado$/],
  ])('%s: %d', async (path, status, text) => {
    const response = await ask(path)
    expect(response.status).toBe(status)
    expect(response.headers.get('Cache-Control')).toBe('no-store')
    expect(((await response.json()) as { error: string }).error).toMatch(text)
  })
})
