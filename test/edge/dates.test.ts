import { beforeEach, expect, it } from 'vitest'
import { type Instant, MINUTE_MS } from '../../shared/argentine-time.ts'
import { type Pair, PAIRS } from '../../shared/market/catalog.ts'
import { openEdge } from '../support/edge.ts'
import { art, NOON } from '../support/instant.ts'
import { seedPoints } from '../support/points.ts'

const read = (path: string, init: RequestInit = {}, now: Instant = NOON) =>
  openEdge({ now }).fetch(`/api/v2/date/${path}`, init)
const json = (path: string, now = NOON) => openEdge({ now }).json(`/api/v2/date/${path}`)
const cacheOf = async (path: string, now: Instant) =>
  (await read(path, {}, now)).headers.get('Cache-Control')

beforeEach(() =>
  seedPoints(
    'usd/blue',
    ['2024-02-28 23:59:59.500', 1, 2],
    ['2025-12-30 10:00', 1400, 1410],
    ['2025-12-31 11:55', 1410.5, 1430.25],
    ['2026-01-01 00:00:00.000', 1420, 1440],
    ['2026-03-01 17:00', 1400, 1410],
    ['2026-03-02 11:55', 1410, 1430],
    ['2026-03-02 12:05', 1420, 1440],
  ),
)

it('a pair as of a date is the value in effect at the end of the day, with or without a key', async () => {
  const response = await read('2025-12-31/USD/Blue', { headers: { 'x-api-key': 'wrong' } })

  expect(await response.text()).toBe(
    '{"requestedAt":"2025-12-31T23:59:59.999-03:00","currency":"USD","name":"Dólar Blue",' +
      '"origin":"BLUE","buy":1410.5,"sell":1430.25,"valueType":"money",' +
      '"quotedAt":"2025-12-31T11:55:00.000-03:00","sameDay":true,"daysStale":0,' +
      '"ageSeconds":43499}',
  )
})

const NOTHING = { buy: null, sell: null, quotedAt: null }
const AT_TEN = { sell: 1410, quotedAt: '2025-12-30T10:00:00.000-03:00' }
const LATE = { quotedAt: '2025-12-31T11:55:00.000-03:00', daysStale: 0, ageSeconds: 43_499 }
const END_OF_TODAY = '2026-03-02T23:59:59.999-03:00'

it.each([
  ['2025-12-30/usd/blue?time=10:00', AT_TEN],
  ['2025-12-30/usd/blue?time=10:00:01', AT_TEN],
  ['2025-12-30/usd/blue?time=09:59:59', { sell: 2 }],
  ['2025-12-31/usd/blue?time=00%3A00', { requestedAt: '2025-12-31T00:00:00.000-03:00' }],
  ['2024-02-29/usd/blue', { sell: 2 }],
  ['0001-01-01/usd/blue', NOTHING],
  // Before its first value a pair has nulls, not a 404.
  ['2024-02-27/usd/blue', { ...NOTHING, sameDay: false, daysStale: null, ageSeconds: null }],
  // Ages are in whole Argentine days and in seconds, here over a leap day.
  ['2024-03-01/usd/blue?time=00:00', { sameDay: false, daysStale: 2, ageSeconds: 86_400 }],
  ['2025-12-31/usd/blue?max_age=43499', { buy: 1410.5, sell: 1430.25, ...LATE }],
  ['2025-12-31/usd/blue?max_age=43498', { buy: null, sell: null, ...LATE }],
  // Today without a time: the value in effect now, its age measured to now.
  ['2026-03-02/usd/blue', { requestedAt: END_OF_TODAY, sell: 1430, ageSeconds: 300 }],
  ['2026-03-02/usd/blue?max_age=300', { sell: 1430, sameDay: true }],
  ['2026-03-02/usd/blue?max_age=299', { sell: null, sameDay: true }],
  ['2026-03-02/usd/blue?time=12:00', { sell: 1430, ageSeconds: 300 }],
])('a pair as of a date %s', async (path, expected) => {
  expect(await json(path)).toMatchObject(expected)
})

it('a pair as of a date may be cached for long from three minutes after the end of its day on', async () => {
  const midnight = art('2026-03-03 00:00')
  expect((await read('2026-03-03', {}, midnight - 1)).status).toBe(400)
  expect(await json('2026-03-03/usd/blue', midnight)).toMatchObject({
    requestedAt: '2026-03-03T23:59:59.999-03:00',
    sell: 1440,
    sameDay: false,
    daysStale: 1,
  })
  const [minute, day] = ['public, max-age=60', 'public, max-age=86400']
  for (const path of ['2026-03-02', '2026-03-02/usd/blue?time=23:59:59']) {
    expect(await cacheOf(path, midnight)).toBe(minute)
    expect(await cacheOf(path, midnight + 3 * MINUTE_MS - 1)).toBe(minute)
    expect(await cacheOf(path, midnight + 3 * MINUTE_MS)).toBe(day)
  }
  expect(await cacheOf('2026-03-02/usd/blue?time=10:00', NOON)).toBe(minute)
  expect(await cacheOf('2026-03-01/usd/blue?time=10:00', NOON)).toBe(day)
})

it('lists have all pairs, or those of a currency, in catalogue order', async () => {
  await seedPoints('arg/uva', ['2025-12-01 00:00', 1500, 1500])
  const quotes: Pair[] = await json('2025-12-31')
  expect(quotes.map(({ currency, origin }) => [currency, origin])).toEqual(
    PAIRS.map(({ currency, origin }) => [currency, origin]),
  )
  expect(quotes.at(-1)).toMatchObject({ sell: 1500, daysStale: 30 })
  const euros: Pair[] = await json('2025-12-31/eUr')
  expect(euros.map(({ origin }) => origin)).toEqual(['OFICIAL', 'BNA', 'BLUE'])
})

const FORM = 'La hora debe tener la forma HH:MM o HH:MM:SS'
const DATE = 'La fecha debe existir y tener la forma AAAA-MM-DD'
const NOT_FOUND = 'Cotización no encontrada'

it.each<[path: string, error: string, status?: number]>([
  ['2025-12-31/xxx', NOT_FOUND, 404],
  ['2025-12-31/clp/blue', NOT_FOUND, 404],
  ['2025-12-31/u%C5%BFd/blue', NOT_FOUND, 404],
  ['2025-02-30', DATE],
  ['2025-01-01%0A', DATE],
  ['%zz', DATE],
  ['2025-12-31?time=7:30', FORM],
  ['2025-12-31?max_age=-1', 'max_age debe ser un número entero de segundos, cero o más'],
  // Of two errors the answer names the first.
  ['2026-03-03?time=7', 'La fecha no puede ser posterior a hoy'],
  ['2026-03-02?time=12:00:01&max_age=x', 'La hora pedida todavía no llegó'],
  ['2026-03-02?time=7&max_age=x', FORM],
])('%s is refused: %s', async (path, error, status = 400) => {
  const response = await read(path, { headers: { Accept: 'text/csv' } })
  expect([response.status, await response.json()]).toEqual([status, { error }])
})

it('a date read as CSV has the same fields as columns, decimal points, and empty fields for null', async () => {
  await seedPoints('eur/blue', ['2025-12-30 10:00', 1650.1234, 1700])
  const response = await read('2025-12-31/eur', { headers: { Accept: 'text/csv' } })

  expect(response.headers.get('Content-Type')).toBe('text/csv; charset=utf-8')
  expect(response.headers.get('Vary')).toBe('Accept')
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
