import { describe, expect, it } from 'vitest'
import { type Instant, MINUTE_MS } from '../../shared/argentine-time.ts'
import { PAIRS } from '../../shared/market/catalog.ts'
import { openEdge } from '../support/edge.ts'
import { env } from '../support/env.ts'
import { art } from '../support/instant.ts'
import { seedPoints } from '../support/points.ts'

const NOON = art('2026-03-02 12:00')

/** A read at an instant from a client of its own, so that no test meets another's rate limit. */
let clients = 0
function read(path: string, headers: Record<string, string> = {}, now: Instant = NOON) {
  return request(path, { headers }, now)
}

function request(path: string, init: RequestInit, now: Instant, bindings: object = env) {
  const headers = { 'CF-Connecting-IP': `192.0.2.${clients++ % 250}`, ...init.headers }
  return openEdge({ now, env: bindings }).fetch(`/api/v2/date/${path}`, { ...init, headers })
}

const json = async (path: string, now: Instant = NOON) => (await read(path, {}, now)).json()

describe('a pair as of a date', () => {
  it('is the value in effect at the end of the day', async () => {
    await seedPoints(
      'usd/blue',
      ['2025-12-30 10:00', 1400, 1410],
      ['2025-12-31 11:55', 1410.5, 1430.25],
      ['2026-01-01 00:00:00.000', 1420, 1440],
    )
    const response = await read('2025-12-31/USD/Blue', { 'x-api-key': 'wrong' })

    expect(await response.text()).toBe(
      '{"requestedAt":"2025-12-31T23:59:59.999-03:00","currency":"USD","name":"Dólar Blue",' +
        '"origin":"BLUE","buy":1410.5,"sell":1430.25,"valueType":"money",' +
        '"quotedAt":"2025-12-31T11:55:00.000-03:00","sameDay":true,"daysStale":0,' +
        '"ageSeconds":43499}',
    )
    expect(response.headers.get('Content-Type')).toContain('application/json')
  })

  it.each([
    ['10:00', 1410, '2025-12-30T10:00:00.000-03:00'],
    ['09:59:59', null, null],
    ['10:00:01', 1410, '2025-12-30T10:00:00.000-03:00'],
  ])('at %s is never a later one', async (time, sell, quotedAt) => {
    await seedPoints('usd/blue', ['2025-12-30 10:00', 1400, 1410])
    expect(await json(`2025-12-30/usd/blue?time=${time}`)).toMatchObject({ sell, quotedAt })
  })

  it('before its first value has nulls, and is not a 404', async () => {
    await seedPoints('usd/blue', ['2025-12-30 10:00', 1400, 1410])
    expect(await json('2025-12-29/usd/blue')).toEqual({
      requestedAt: '2025-12-29T23:59:59.999-03:00',
      currency: 'USD',
      name: 'Dólar Blue',
      origin: 'BLUE',
      buy: null,
      sell: null,
      valueType: 'money',
      quotedAt: null,
      sameDay: false,
      daysStale: null,
      ageSeconds: null,
    })
  })

  it('counts whole Argentine days and seconds over a weekend and a leap day', async () => {
    await seedPoints('usd/blue', ['2024-02-28 23:59:59.500', 1, 2])
    expect(await json('2024-03-01/usd/blue?time=00:00')).toMatchObject({
      sameDay: false,
      daysStale: 2,
      ageSeconds: 86_400,
    })
  })

  it.each([
    [43_499, 1430],
    [43_498, null],
  ])('with max_age=%s has sell %s and keeps its instant', async (maxAge, sell) => {
    await seedPoints('usd/blue', ['2025-12-31 11:55', 1410, 1430])
    expect(await json(`2025-12-31/usd/blue?max_age=${maxAge}`)).toMatchObject({
      buy: sell && 1410,
      sell,
      quotedAt: '2025-12-31T11:55:00.000-03:00',
      sameDay: true,
      daysStale: 0,
      ageSeconds: 43_499,
    })
  })
})

describe('lists as of a date', () => {
  it('has all pairs in catalogue order', async () => {
    await seedPoints('arg/uva', ['2025-12-01 00:00', 1500, 1500])
    const quotes = (await json('2025-12-31')) as { currency: string; origin: string }[]

    expect(quotes.map(({ currency, origin }) => [currency, origin])).toEqual(
      PAIRS.map(({ currency, origin }) => [currency, origin]),
    )
    expect(quotes.at(-1)).toMatchObject({ sell: 1500, daysStale: 30 })
    expect(quotes[0]).toMatchObject({ sell: null, quotedAt: null })
  })

  it('has the pairs of a currency', async () => {
    const quotes = (await json('2025-12-31/eUr')) as { origin: string }[]
    expect(quotes.map(({ origin }) => origin)).toEqual(['OFICIAL', 'BNA', 'BLUE'])
  })

  it.each(['2025-12-31/xxx', '2025-12-31/clp/blue', '2025-12-31/us%64x', '2025-12-31/usd%2Fblue'])(
    'knows no %s',
    async (path) => {
      const response = await read(path)
      expect(response.status).toBe(404)
      expect(await response.json()).toEqual({ error: 'Cotización no encontrada' })
      expect(response.headers.get('Cache-Control')).toBe('no-store')
    },
  )
})

const seedToday = () =>
  seedPoints(
    'usd/blue',
    ['2026-03-01 17:00', 1400, 1410],
    ['2026-03-02 11:55', 1410, 1430],
    ['2026-03-02 12:05', 1420, 1440],
  )

describe('today', () => {
  it('ends at 23:59:59.999 and has the value in effect now, its age measured to now', async () => {
    await seedToday()
    expect(await json('2026-03-02/usd/blue')).toMatchObject({
      requestedAt: '2026-03-02T23:59:59.999-03:00',
      sell: 1430,
      sameDay: true,
      daysStale: 0,
      ageSeconds: 300,
    })
    expect(await json('2026-03-02/usd/blue?max_age=300')).toMatchObject({ sell: 1430 })
    expect(await json('2026-03-02/usd/blue?max_age=299')).toMatchObject({ sell: null })
  })

  it('takes a time up to now and none later', async () => {
    await seedToday()
    expect(await json('2026-03-02/usd/blue?time=12:00')).toMatchObject({ ageSeconds: 300 })
    expect((await read('2026-03-02/usd/blue?time=12:00:01')).status).toBe(400)
  })

  it('becomes yesterday at midnight', async () => {
    await seedToday()
    const before = art('2026-03-02 23:59:59.999')
    expect((await read('2026-03-03', {}, before)).status).toBe(400)
    expect((await read('2026-03-02', {}, before)).headers.get('Cache-Control')).toBe(
      'public, max-age=60',
    )
    const settled = before + 1 + 3 * MINUTE_MS
    expect((await read('2026-03-02', {}, settled)).headers.get('Cache-Control')).toBe(
      'public, max-age=86400',
    )
    expect(await json('2026-03-03/usd/blue', before + 1)).toMatchObject({
      requestedAt: '2026-03-03T23:59:59.999-03:00',
      sell: 1440,
      sameDay: false,
      daysStale: 1,
    })
  })
})

describe('what makes no sense is a 400', () => {
  it.each([
    '2025-02-30',
    '2025-2-3',
    '2023-02-29',
    '12025-01-01',
    '+12025-01-01',
    '20250101',
    '%202025-01-01',
    '2025-01-01%0A',
    '%zz',
    '２０２５-01-01',
    '2026-03-03',
    '2025-12-31?time=24:00',
    '2025-12-31?time=7:30',
    '2025-12-31?time=07:60',
    '2025-12-31?time=07:30:60',
    '2025-12-31?time=07:30Z',
    '2025-12-31?time=',
    '2025-12-31?max_age=-1',
    '2025-12-31?max_age=1.5',
    '2025-12-31?max_age=1e3',
    '2025-12-31?max_age=',
    '2025-12-31?max_age=9007199254740992',
    '2025-12-31?time=07:30&time=07:30',
    '2025-12-31?format=json',
    '2025-12-31?maxAge=5',
    '2025-12-31?x',
    '2025-12-31/usd?key=abc',
    '2025-12-31/usd/blue?max_age=1&lang=es',
  ])('%s', async (path) => {
    const response = await read(path)
    expect(response.status).toBe(400)
    expect(await response.json()).toEqual({ error: expect.stringMatching(/^[A-ZÁÉÍÓÚa-z_].{10,}/) })
    expect(response.headers.get('Cache-Control')).toBe('no-store')
    expect(response.headers.get('ETag')).toBeNull()
  })

  it.each([
    ['2026-03-03?time=7', 'La fecha no puede ser posterior a hoy'],
    ['2026-03-02?time=23:00&max_age=x', 'La hora pedida todavía no llegó'],
    ['2026-03-02?time=7&max_age=x', 'La hora debe tener la forma HH:MM o HH:MM:SS'],
  ])('of two errors the first is named: %s', async (path, error) => {
    expect(await (await read(path)).json()).toEqual({ error })
  })

  it.each(['2024-02-29', '0001-01-01', '2025-12-31?time=00:00', '2025-12-31?time=07%3A30'])(
    'but %s does',
    async (path) => expect((await read(path)).status).toBe(200),
  )
})

describe('caching', () => {
  it.each([
    ['2026-03-01', 'public, max-age=86400'],
    ['2026-03-01/usd/blue?time=10:00', 'public, max-age=86400'],
    ['2026-03-02/usd/blue?time=10:00', 'public, max-age=60'],
    ['2026-03-02', 'public, max-age=60'],
  ])('%s may be kept: %s', async (path, cacheControl) => {
    const response = await read(path)
    expect(response.headers.get('Cache-Control')).toBe(cacheControl)
    expect(response.headers.get('Vary')).toBe('Accept')
  })

  it.each([
    ['00:00:00.000', 'public, max-age=60'],
    ['00:02:59.999', 'public, max-age=60'],
    ['00:03:00.000', 'public, max-age=86400'],
  ])('at %s the day that ended may be kept: %s', async (time, cacheControl) => {
    const now = art(`2026-03-02 ${time}`)
    for (const path of ['2026-03-01', '2026-03-01/usd/blue?time=23:59:59']) {
      expect((await read(path, {}, now)).headers.get('Cache-Control')).toBe(cacheControl)
    }
  })

  it('answers 304 without a body to who holds the answer', async () => {
    await seedPoints('usd/blue', ['2025-12-30 10:00', 1400, 1410])
    const tag = (await read('2025-12-31/usd/blue')).headers.get('ETag')!
    expect(tag).toMatch(/^"[^"]+"$/)

    const response = await read('2025-12-31/usd/blue', { 'If-None-Match': `"other", W/${tag}` })
    expect([response.status, await response.text()]).toEqual([304, ''])
    expect(response.headers.get('ETag')).toBe(tag)
    expect(response.headers.get('Cache-Control')).toBe('public, max-age=86400')
    expect((await read('2025-12-31/usd/blue', { 'If-None-Match': '"other"' })).status).toBe(200)
  })

  it('gives a corrected value another tag, and CSV another than JSON', async () => {
    await seedPoints('usd/blue', ['2025-12-30 10:00', 1400, 1410])
    const tags = [(await read('2025-12-31/usd/blue')).headers.get('ETag')]
    tags.push((await read('2025-12-31/usd/blue?format=csv')).headers.get('ETag'))
    await env.DB.prepare('update points set sell = sell + 1').run()
    tags.push((await read('2025-12-31/usd/blue')).headers.get('ETag'))

    expect(new Set(tags).size).toBe(3)
  })

  it('has no body for HEAD and the headers of GET', async () => {
    const get = await read('2025-12-31/usd')
    const head = await request('2025-12-31/usd', { method: 'HEAD' }, NOON)

    expect(head.status).toBe(200)
    expect(await head.text()).toBe('')
    for (const name of ['ETag', 'Cache-Control', 'Content-Type', 'Vary']) {
      expect(head.headers.get(name)).toBe(get.headers.get(name))
    }
  })
})

describe('CSV', () => {
  it('has the same fields as columns, dots as decimals, empty fields for null', async () => {
    await seedPoints('eur/blue', ['2025-12-30 10:00', 1650.1234, 1700])
    const response = await read('2025-12-31/eur', { Accept: 'text/csv' })

    expect(response.headers.get('Content-Type')).toBe('text/csv; charset=utf-8')
    expect(await response.text()).toBe(
      [
        'requestedAt,currency,name,origin,buy,sell,valueType,quotedAt,sameDay,daysStale,ageSeconds',
        '2025-12-31T23:59:59.999-03:00,EUR,Euro Oficial,OFICIAL,,,money,,false,,',
        '2025-12-31T23:59:59.999-03:00,EUR,Euro Banco Nación,BNA,,,money,,false,,',
        '2025-12-31T23:59:59.999-03:00,EUR,Euro Blue,BLUE,1650.1234,1700,money,' +
          '2025-12-30T10:00:00.000-03:00,false,1,136799',
        '',
      ].join('\r\n'),
    )
  })

  it('leaves refusals as Error objects', async () => {
    const response = await read('2025-02-30?format=csv', { Accept: 'text/csv' })
    expect(await response.json()).toEqual({ error: expect.any(String) })
  })
})

it('is a 503 that says when to come back, kept by nobody, when the database fails', async () => {
  const DB = {
    prepare() {
      throw new Error('D1_ERROR: D1 DB is overloaded. Requests queued for too long.')
    },
  }
  const response = await request('2025-12-31/usd/blue', {}, NOON, { ...env, DB })

  expect(response.status).toBe(503)
  expect(Number(response.headers.get('Retry-After'))).toBeGreaterThanOrEqual(1)
  expect(response.headers.get('Cache-Control')).toBe('no-store')
  expect(await response.json()).toEqual({
    error: 'Las cotizaciones no están disponibles en este momento',
  })
})
