import * as fc from 'fast-check'
import { beforeEach, expect, it } from 'vitest'
import {
  addDays,
  argentineDay,
  DAY_MS,
  type Day,
  daysBetween,
  dayStart,
  weekday,
} from '../../shared/argentine-time.ts'
import { findPairByKey, PAIRS } from '../../shared/market/catalog.ts'
import { priceToNumber } from '../../shared/market/price.ts'
import { EVERY, SERIES_SIDES, SERIES_VALUES } from '../../shared/api/series.ts'
import { seedAccount } from '../support/accounts.ts'
import { openEdge } from '../support/edge.ts'
import { art } from '../support/instant.ts'
import { rebuildCandles, seedHistory, seedPoints, setPoints } from '../support/points.ts'
import { changeRows, seedRows } from '../support/rows.ts'
import { seedBoard } from '../support/board.ts'
import { candleOf, type ModelPoint } from '../support/value-model.ts'

const NOW = art('2026-03-05 12:00')
const POINTS = '/api/v2/usd/blue/history'
const CANDLES = '/api/v2/history/usd/blue'
const SERIES = '/api/v2/series'
const blue = findPairByKey('usd/blue')!

let key: string
beforeEach(async () => {
  key = (await seedAccount()).key
})

function read(path: string, { now = NOW, ...init }: RequestInit & { now?: number } = {}) {
  const headers = { 'x-api-key': key, ...init.headers }
  return openEdge({ now }).fetch(path, { ...init, headers })
}

// oxlint-disable-next-line typescript/no-explicit-any -- JSON of any shape: tests look into it
const readJson = async (path: string, now = NOW) => (await read(path, { now })).json<any>()

/** Four days of blue, the second without a change, and official since the third. */
async function seedTwo() {
  await seedHistory(
    'usd/blue',
    ['2026-03-02 11:00', 1390, 1410],
    ['2026-03-02 15:00', 1400, 1425.5],
    ['2026-03-02 23:59:59.999', 1380, 1400],
    ['2026-03-04 10:00', 1370, 1390],
    ['2026-03-05 11:00', 1400, 1420],
  )
  await seedHistory('usd/oficial', ['2026-03-04 10:00', 1400, 1450])
  // Later than the reads of tests.
  await seedPoints('usd/blue', ['2026-03-05 12:00:00.001', 1, 2])
}

const BOTH = `${SERIES}?pairs=usd/blue,usd/oficial`
const COLUMNS = '"columns":["date","USD/BLUE","USD/OFICIAL"]'

it.each([
  [
    `${POINTS}?limit=2`,
    '[{"buy":1400,"sell":1420,"createdAt":"2026-03-05T11:00:00.000-03:00"},' +
      '{"buy":1370,"sell":1390,"createdAt":"2026-03-04T10:00:00.000-03:00"}]',
    'buy,sell,createdAt\r\n1400,1420,2026-03-05T11:00:00.000-03:00\r\n' +
      '1370,1390,2026-03-04T10:00:00.000-03:00\r\n',
  ],
  [
    `${POINTS}?from=2026-03-02&to=2026-03-04&limit=2`,
    '[{"buy":1370,"sell":1390,"createdAt":"2026-03-04T10:00:00.000-03:00"},' +
      '{"buy":1380,"sell":1400,"createdAt":"2026-03-02T23:59:59.999-03:00"}]',
    'buy,sell,createdAt\r\n1370,1390,2026-03-04T10:00:00.000-03:00\r\n' +
      '1380,1400,2026-03-02T23:59:59.999-03:00\r\n',
  ],
  [`${POINTS}?from=2026-03-03&to=2026-03-03`, '[]', 'buy,sell,createdAt\r\n'],
  ['/api/v2/usd/ccl/history', '[]', 'buy,sell,createdAt\r\n'],
  [
    `${CANDLES}?limit=2`,
    '{"currency":"USD","name":"Dólar Blue","origin":"BLUE","valueType":"money","interval":"day",' +
      '"points":[{"date":"2026-03-05","open":1390,"high":1420,"low":1390,"close":1420,"buy":1400},' +
      '{"date":"2026-03-04","open":1400,"high":1400,"low":1390,"close":1390,"buy":1370}]}',
    'date,open,high,low,close,buy\r\n2026-03-05,1390,1420,1390,1420,1400\r\n' +
      '2026-03-04,1400,1400,1390,1390,1370\r\n',
  ],
  [
    `${BOTH}&from=2026-03-03&to=2026-03-04`,
    `{"every":"day","value":"close","side":"sell",${COLUMNS},` +
      '"rows":[["2026-03-03",1400,null],["2026-03-04",1390,1450]]}',
    'date,USD/BLUE,USD/OFICIAL\r\n2026-03-03,1400,\r\n2026-03-04,1390,1450\r\n',
  ],
  [
    `${BOTH},USD/BLUE&dates=2026-03-05,2026-03-01,2026-03-05`,
    `{"every":null,"value":"close","side":"sell",${COLUMNS},` +
      '"rows":[["2026-03-05",1420,1450],["2026-03-01",null,null]]}',
    'date,USD/BLUE,USD/OFICIAL\r\n2026-03-05,1420,1450\r\n2026-03-01,,\r\n',
  ],
  // Months on both sides of a year's end.
  [
    `${SERIES}?pairs=usd/blue&from=0001-12-01&to=0002-01-31&every=month`,
    '{"every":"month","value":"close","side":"sell","columns":["date","USD/BLUE"],' +
      '"rows":[["0001-12-31",null],["0002-01-31",null]]}',
    'date,USD/BLUE\r\n0001-12-31,\r\n0002-01-31,\r\n',
  ],
])('%s answers in JSON and in CSV, with the header of a demo', async (path, json, csv) => {
  await seedTwo()
  await seedBoard(NOW, { mode: 'demo' })
  const response = await read(path)
  expect(response.headers.get('Content-Type')).toBe('application/json; charset=utf-8')
  expect(await response.text()).toBe(json)
  const byFormat = await read(`${path}${path.includes('?') ? '&' : '?'}format=csv`)
  for (const form of [byFormat, await read(path, { headers: { Accept: 'text/csv' } })]) {
    expect(form.headers.get('Content-Type')).toBe('text/csv; charset=utf-8')
    expect(form.headers.get('X-Service-Mode')).toBe('demo')
    expect(await form.text()).toBe(csv)
  }
})

it('a history has 100 points by default and 500 at most; a series has the last year', async () => {
  await seedRows('points', 600, { at: `${NOW} - i * 60000`, sell: 'i' })
  expect(await readJson(POINTS)).toHaveLength(100)
  expect(await readJson(`${POINTS}?limit=500`)).toHaveLength(500)
  const { rows } = await readJson(`${SERIES}?pairs=usd/blue`)
  expect([rows[0][0], rows.at(-1)[0], rows.length]).toEqual(['2025-03-05', '2026-03-05', 366])
})

it('a series summarises each column by day, whatever the order of its rows', async () => {
  await seedTwo()
  const path = `${BOTH},usd/ccl&dates=2026-03-05,2026-03-03,2026-03-02&summary=1`
  const { summary } = await readJson(path)
  expect(summary).toEqual([
    {
      currency: 'USD',
      origin: 'BLUE',
      name: 'Dólar Blue',
      first: 1400,
      firstDate: '2026-03-02',
      last: 1420,
      lastDate: '2026-03-05',
      change: 20,
      percent: 1.43,
      minimum: 1400,
      minimumDate: '2026-03-02',
      maximum: 1420,
      maximumDate: '2026-03-05',
      average: 1406.67,
    },
    expect.objectContaining({ first: 1450, change: 0, percent: 0, average: 1450 }),
    expect.objectContaining({ first: null, lastDate: null, minimum: null, average: null }),
  ])
  const csv = await (await read(`${path}&format=csv`)).text()
  expect(csv.split('\r\n')).toEqual([
    'currency,origin,name,first,firstDate,last,lastDate,change,percent,minimum,minimumDate,maximum,maximumDate,average',
    'USD,BLUE,Dólar Blue,1400,2026-03-02,1420,2026-03-05,20,1.43,1400,2026-03-02,1420,2026-03-05,1406.67',
    'USD,OFICIAL,Dólar Oficial,1450,2026-03-05,1450,2026-03-05,0,0,1450,2026-03-05,1450,2026-03-05,1450',
    'USD,CCL,Dólar CCL,,,,,,,,,,,',
    '',
  ])
})

it('a series of ten years of all pairs comes whole as CSV', async () => {
  const pairs = PAIRS.map(({ currency, origin }) => `${currency}/${origin}`).join(',')
  const path = `${SERIES}?pairs=${pairs}&from=2016-03-06&to=2026-03-05&format=csv`
  const lines = (await (await read(path)).text()).trimEnd().split('\r\n')
  expect(lines).toHaveLength(1 + 3652)
  expect(lines[0]).toBe(`date,${pairs}`)
  expect(lines.every((line) => line.split(',').length === 20)).toBe(true)
})

/** Groups days into weeks (from Monday) or months; gives the first and last day of each. */
function periodsByModel(days: readonly Day[], every: (typeof EVERY)[number]): [Day, Day][] {
  const nameOf = {
    day: (day: Day) => day,
    week: (day: Day) => addDays(day, -((weekday(day) + 6) % 7)),
    month: (day: Day) => day.slice(0, 7),
  }[every]
  const lasts = new Map(days.map((day) => [nameOf(day), day]))
  return [...lasts].map(([name, last]) => [days.find((day) => nameOf(day) === name)!, last])
}

/** The mean of the closes of days with one, at two decimals, half away from zero. */
function averageByModel(points: readonly ModelPoint[], side: 'buy' | 'sell', days: readonly Day[]) {
  const closes = days.flatMap((day) => candleOf(points, side, day)?.close ?? [])
  const cents = closes.reduce((sum, close) => sum + close / 100, 0)
  if (closes.length === 0) return null
  return Math.floor((2 * cents + closes.length) / (2 * closes.length)) * 100
}

const FIRST = '2023-12-18'
const DAYS = 75
const price = fc.integer({ min: 1, max: 500 }).map((cents) => cents * 100)
/** Random instants, often at the edges of days, because UVA and CER begin at midnight. */
const instants = fc
  .tuple(fc.nat(DAYS - 1), fc.oneof(fc.constantFrom(0, 0, 1, DAY_MS - 1), fc.nat(DAY_MS - 1)))
  .map(([day, offset]) => dayStart(FIRST) + day * DAY_MS + offset)
const histories = fc
  .uniqueArray(fc.record({ at: instants, buy: price, sell: price }), {
    selector: ({ at }) => at,
    maxLength: 40,
  })
  .map((points) => points.toSorted((a, b) => a.at - b.at))
const days = fc.option(fc.integer({ min: -2, max: DAYS + 1 }).map((day) => addDays(FIRST, day)))
const ranges = fc
  .record({ from: days, to: days, limit: fc.integer({ min: 1, max: 20 }) })
  .filter(({ from, to }) => from === null || to === null || from <= to)
const columns = fc.record({
  every: fc.constantFrom(...EVERY),
  value: fc.constantFrom(...SERIES_VALUES),
  side: fc.constantFrom(...SERIES_SIDES),
})

const queryOf = (given: Record<string, string | number | null>) =>
  Object.entries(given)
    .flatMap(([name, value]) => (value === null ? [] : [`${name}=${value}`]))
    .join('&')
const earlier = (one: Day, other: Day) => (one < other ? one : other)

it('for any history, range and moment, candles and series agree with the points of their days', async () => {
  await fc.assert(
    fc.asyncProperty(histories, ranges, instants, columns, async (all, range, now, column) => {
      const points = all.filter(({ at }) => at <= now)
      await setPoints(points.map((point) => ({ pair: blue.id, ...point })))
      await rebuildCandles(blue, FIRST, addDays(FIRST, DAYS))
      await changeRows('apiKeys', { quotaMinute: 0 })

      const today = argentineDay(now)
      const last = earlier(range.to ?? today, today)
      const candles = Array.from({ length: range.limit }, (_, back) => addDays(last, -back))
        .filter((date) => range.from === null || date >= range.from)
        .flatMap((date) => {
          const candle = candleOf(points, 'sell', date)
          if (!candle) return []
          const { close: buy } = candleOf(points, 'buy', date)!
          const values = Object.entries({ ...candle, buy })
          return [{ date, ...Object.fromEntries(values.map(([k, v]) => [k, priceToNumber(v)])) }]
        })
      const read = await readJson(`${CANDLES}?${queryOf({ ...range })}`, now)
      expect(read.points).toEqual(candles)

      const { every, value, side } = column
      const from = earlier(range.from ?? FIRST, last)
      const within = Array.from({ length: daysBetween(from, last) + 1 }, (_, index) =>
        addDays(from, index),
      )
      const rowOf = (start: Day, end: Day) => {
        const period = within.filter((day) => day >= start && day <= end)
        const found =
          value === 'average'
            ? averageByModel(points, side, period)
            : (candleOf(points, side, start, end)?.[value] ?? null)
        return [end, found === null ? null : priceToNumber(found)]
      }
      const series = `${SERIES}?${queryOf({ pairs: 'usd/blue', value, side })}`
      const { rows } = await readJson(`${series}&${queryOf({ from, to: last, every })}`, now)
      expect(rows).toEqual(periodsByModel(within, every).map(([start, end]) => rowOf(start, end)))
      const turned = within.toReversed()
      const dates = await readJson(`${series}&dates=${turned.join()}`, now)
      expect(dates.rows).toEqual(turned.map((day) => rowOf(day, day)))
    }),
    { numRuns: 60 },
  )
})

const NOT_FOUND = 'Cotización no encontrada'
const BLUE = `${SERIES}?pairs=usd/blue`
const listOf = (count: number, text: string) => Array<string>(count).fill(text).join()
const both = (query: string, error: string) =>
  [POINTS, CANDLES].map((path) => [`${path}?${query}`, 400, error] as const)

it.each<readonly [path: string, status: number, error: string | RegExp]>([
  ...both('from=2026-02-30', 'from debe ser una fecha que exista, con la forma AAAA-MM-DD'),
  ...both('from=2026-03-02&to=2026-03-01', 'from no puede ser posterior a to'),
  ...both('limit=501', 'limit debe ser un número entero de 1 a 500'),
  ...both('format=xml', 'El único valor de format es csv'),
  ...both('limit=1&limit=2', 'El parámetro limit está repetido'),
  ...both('x=1', 'Los únicos parámetros son from, to, limit y format'),
  ['/api/v2/usd/xyz/history', 404, NOT_FOUND],
  ['/api/v2/history/usd/xyz', 404, NOT_FOUND],
  [SERIES, 400, /^Falta pairs/],
  [`${SERIES}?pairs=`, 400, /^El parámetro pairs debe tener/],
  [`${SERIES}?pairs=${listOf(20, 'usd/blue')}`, 400, /de más/],
  [`${SERIES}?pairs=usd/blue,clp/blue`, 404, NOT_FOUND],
  [`${BLUE}&from=2026-02-30`, 400, /^from debe tener fechas/],
  [`${BLUE}&to=2026-03-06`, 400, /^to no puede ser posterior a hoy/],
  [`${BLUE}&from=2026-03-05&to=2026-03-04`, 400, /^from no puede ser posterior a to/],
  [`${BLUE}&from=2016-03-04&to=2026-03-05`, 400, /diez años/],
  [`${BLUE}&every=year`, 400, /^every debe ser day, week o month/],
  [`${BLUE}&dates=2026-03-01&from=2026-03-01`, 400, /^dates no se combina/],
  [`${BLUE}&dates=2026-03-01,`, 400, /^dates debe tener fechas/],
  [`${BLUE}&dates=2026-03-06`, 400, /posterior a hoy/],
  [`${BLUE}&dates=${listOf(501, '2026-03-01')}`, 400, /500 fechas/],
  [`${BLUE}&limit=1`, 400, /^Los únicos parámetros son pairs/],
])('%s answers %d', async (path, status, error) => {
  const response = await read(path)
  expect(response.status).toBe(status)
  expect((await response.json<{ error: string }>()).error).toMatch(error)
})

it('500 dates and ten years are not too many', async () => {
  const dates = Array.from({ length: 500 }, (_, index) => addDays('2024-01-01', index)).join()
  expect((await read(`${BLUE}&dates=${dates}`)).status).toBe(200)
  expect((await read(`${BLUE}&from=2016-03-05&to=2026-03-05`)).status).toBe(200)
  // With three leap days instead of two.
  expect((await read(`${BLUE}&from=2015-03-01&to=2025-03-01`)).status).toBe(200)
  expect((await read(`${BLUE}&from=2015-02-28&to=2025-03-01`)).status).toBe(400)
})
