import * as fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import {
  addDays,
  argentineDay,
  DAY_MS,
  dayStart,
  formatArgentine,
} from '../../shared/argentine-time.ts'
import { findPairByKey } from '../../shared/market/catalog.ts'
import { numberToPrice } from '../../shared/market/price.ts'
import { rebuildCandles } from '../../tools/operate/import/candles.ts'
import { seedAccount } from '../support/accounts.ts'
import { openEdge } from '../support/edge.ts'
import { env } from '../support/env.ts'
import { art } from '../support/instant.ts'
import { seedPoints, setPoints } from '../support/points.ts'
import { changeRows, seedRows } from '../support/rows.ts'
import { seedBoard } from '../support/seed.ts'
import { candleOf, inEffect, type ModelPoint } from '../support/value-model.ts'

const NOW = art('2026-03-05 12:00')
const POINTS = '/api/v2/usd/blue/history'
const CANDLES = '/api/v2/history/usd/blue'

let key: string
beforeEach(async () => {
  key = (await seedAccount()).key
})

function read(path: string, { now = NOW, accept }: { now?: number; accept?: string } = {}) {
  const headers = new Headers({ 'x-api-key': key })
  if (accept) headers.set('Accept', accept)
  return openEdge({ now }).fetch(path, { headers })
}

const readJson = async (path: string, options?: { now?: number }) =>
  (await read(path, options)).json()

it.each([POINTS, CANDLES, '/api/v2/series?pairs=usd/blue&dates=2026-03-05'])(
  'a demo says so: %s',
  async (path) => {
    await seedBoard(NOW, { mode: 'demo' })
    for (const format of ['', 'csv']) {
      const response = await read(path, { accept: `text/${format}` })
      expect(response.status).toBe(200)
      expect(response.headers.get('X-Service-Mode')).toBe('demo')
    }
  },
)

/** Three days of blue, the second of them without a change. */
async function seedBlue() {
  await seedPoints(
    'USD/BLUE',
    ['2026-03-02 11:00', 1390, 1410],
    ['2026-03-02 15:00', 1400, 1425.5],
    ['2026-03-02 23:59:59.999', 1380, 1400],
    ['2026-03-04 00:00', 1385, 1405],
    ['2026-03-04 10:00', 1370, 1390],
    ['2026-03-05 11:00', 1400, 1420],
  )
  await rebuildCandles(env.DB, findPairByKey('usd/blue')!, '2026-03-01', '2026-03-05')
}

describe('the points', () => {
  beforeEach(seedBlue)

  it('are one per change, newest first, in Argentine time', async () => {
    const response = await read(`${POINTS}?limit=2`)
    expect(response.status).toBe(200)
    expect(await response.json()).toEqual([
      { buy: 1400, sell: 1420, createdAt: '2026-03-05T11:00:00.000-03:00' },
      { buy: 1370, sell: 1390, createdAt: '2026-03-04T10:00:00.000-03:00' },
    ])
    expect(response.headers.get('Content-Type')).toBe('application/json; charset=utf-8')
    expect(response.headers.get('Cache-Control')).toBe('no-store')
    expect(response.headers.get('RateLimit-Limit')).toBe('60')
    expect(response.headers.get('Vary')).toBe('Accept')
    expect(response.headers.get('Access-Control-Allow-Origin')).toBe('*')
  })

  it('come as CSV when asked', async () => {
    const csv = 'buy,sell,createdAt\r\n1400,1420,2026-03-05T11:00:00.000-03:00\r\n'
    for (const response of [
      await read(`${POINTS}?limit=1&format=csv`),
      await read('/api/v2/USD/Blue/history?limit=1', { accept: 'text/csv' }),
    ]) {
      expect(await response.text()).toBe(csv)
      expect(response.headers.get('Content-Type')).toBe('text/csv; charset=utf-8')
    }
    const candles = await read(`${CANDLES}?limit=1&format=csv`)
    expect(await candles.text()).toBe(
      'date,open,high,low,close,buy\r\n2026-03-05,1390,1420,1390,1420,1400\r\n',
    )
    expect(await readJson('/api/v2/usd/ccl/history')).toEqual([])
  })
})

it('100 points are answered where nothing is said, 500 at the most', async () => {
  await seedRows('points', 600, { at: `${NOW} - i * 60000`, sell: 'i' })
  expect(await readJson(POINTS)).toHaveLength(100)
  expect(await readJson(`${POINTS}?limit=500`)).toHaveLength(500)
})

describe('the candles', () => {
  beforeEach(seedBlue)

  it('are one per day, newest first, carrying days without a change', async () => {
    expect(await readJson(CANDLES)).toEqual({
      currency: 'USD',
      name: 'Dólar Blue',
      origin: 'BLUE',
      valueType: 'money',
      interval: 'day',
      points: [
        { date: '2026-03-05', open: 1390, high: 1420, low: 1390, close: 1420, buy: 1400 },
        { date: '2026-03-04', open: 1405, high: 1405, low: 1390, close: 1390, buy: 1370 },
        { date: '2026-03-03', open: 1400, high: 1400, low: 1400, close: 1400, buy: 1380 },
        { date: '2026-03-02', open: 1410, high: 1425.5, low: 1400, close: 1400, buy: 1380 },
      ],
    })
  })
})

describe('for any history, range and moment', () => {
  const FIRST = '2026-03-01'
  const DAYS = 8
  const blue = findPairByKey('usd/blue')!

  /** Instants that love the edges of days. */
  const instants = fc
    .tuple(
      fc.integer({ min: 0, max: DAYS - 1 }),
      fc.oneof(fc.constantFrom(0, 1, DAY_MS - 1), fc.integer({ min: 0, max: DAY_MS - 1 })),
    )
    .map(([day, offset]) => dayStart(FIRST) + day * DAY_MS + offset)
  const price = fc.integer({ min: 1, max: 9 })
  const histories = fc
    .uniqueArray(fc.record({ at: instants, buy: price, sell: price }), {
      selector: ({ at }) => at,
      maxLength: 25,
    })
    .map((points) => points.toSorted((a, b) => a.at - b.at))
  const days = fc.option(fc.integer({ min: -2, max: DAYS + 1 }).map((day) => addDays(FIRST, day)))
  const ranges = fc
    .record({ from: days, to: days, limit: fc.integer({ min: 1, max: 12 }) })
    .filter(({ from, to }) => from === null || to === null || from <= to)

  async function ask(
    path: string,
    points: readonly ModelPoint[],
    range: Record<string, string | number | null>,
    now: number,
  ) {
    await setPoints(
      points.map(({ at, buy, sell }) => ({
        pair: blue.id,
        at,
        buy: numberToPrice(buy),
        sell: numberToPrice(sell),
      })),
    )
    await rebuildCandles(env.DB, blue, FIRST, addDays(FIRST, DAYS))
    // A minute's quota is not what this is about.
    await changeRows('apiKeys', { quotaMinute: 0 })
    const given = Object.entries(range).filter(([, value]) => value !== null)
    return readJson(`${path}?${given.map(([name, value]) => `${name}=${value}`).join('&')}`, {
      now,
    })
  }

  it('the candles are those of a plain model over the points', async () => {
    await fc.assert(
      fc.asyncProperty(histories, ranges, instants, async (all, range, now) => {
        const points = all.filter(({ at }) => at <= now)
        const today = argentineDay(now)
        const last = range.to !== null && range.to < today ? range.to : today
        const expected = Array.from({ length: range.limit }, (_, back) => addDays(last, -back))
          .filter((date) => range.from === null || date >= range.from)
          .flatMap((date) => {
            const candle = candleOf(points, 'sell', date)
            const buy = inEffect(points, dayStart(addDays(date, 1)) - 1)?.buy
            return candle ? [{ date, ...candle, buy }] : []
          })
        expect(await ask(CANDLES, points, range, now)).toMatchObject({ points: expected })
      }),
      { numRuns: 50 },
    )
  })

  it('the points are the newest of the range that have happened', async () => {
    await fc.assert(
      fc.asyncProperty(histories, ranges, instants, async (points, range, now) => {
        const expected = points
          .filter(({ at }) => at <= now)
          .filter(({ at }) => range.from === null || argentineDay(at) >= range.from)
          .filter(({ at }) => range.to === null || argentineDay(at) <= range.to)
          .toReversed()
          .slice(0, range.limit)
          .map(({ at, ...prices }) => ({ ...prices, createdAt: formatArgentine(at) }))
        expect(await ask(POINTS, points, range, now)).toEqual(expected)
      }),
      { numRuns: 40 },
    )
  })
})

describe.each([POINTS, CANDLES])('%s refuses', (path) => {
  it.each([
    ['?from=2026-02-30', 'from debe ser una fecha que exista, con la forma AAAA-MM-DD'],
    ['?to=ayer', 'to debe ser una fecha que exista, con la forma AAAA-MM-DD'],
    ['?from=2026-03-02&to=2026-03-01', 'from no puede ser posterior a to'],
    ['?limit=0', 'limit debe ser un número entero de 1 a 500'],
    ['?limit=501', 'limit debe ser un número entero de 1 a 500'],
    ['?limit=', 'limit debe ser un número entero de 1 a 500'],
    ["?from=' OR 1=1 --", 'from debe ser una fecha que exista, con la forma AAAA-MM-DD'],
    ['?format=xml', 'El único valor de format es csv'],
    ['?limit=1&limit=2', 'El parámetro limit está repetido'],
    ['?x=1', 'Los únicos parámetros son from, to, limit y format'],
  ])('%s with 400', async (query, error) => {
    const response = await read(path + query)
    expect(response.status).toBe(400)
    expect(await response.json()).toEqual({ error })
    expect(response.headers.get('Cache-Control')).toBe('no-store')
    // It passed the gate, so it counts.
    expect(response.headers.get('RateLimit-Remaining')).toBe('59')
  })
})

it.each(['/api/v2/usd/xyz/history', '/api/v2/history/usd/xyz', "/api/v2/history/usd/bl'ue"])(
  '%s is 404 after the gate, and 401 before it',
  async (path) => {
    const known = await read(path)
    expect(known.status).toBe(404)
    expect(await known.json()).toEqual({ error: 'Cotización no encontrada' })
    expect(known.headers.get('RateLimit-Remaining')).toBe('59')

    expect((await openEdge({ now: NOW }).fetch(path)).status).toBe(401)
  },
)
