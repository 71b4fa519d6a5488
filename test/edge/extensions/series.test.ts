import * as fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import { addDays, type Day, dayStart, HOUR_MS, weekday } from '../../../shared/argentine-time.ts'
import { rebuildCandles } from '../../../tools/operate/import/candles.ts'
import { findPairByKey, PAIRS } from '../../../shared/market/catalog.ts'
import { priceToNumber } from '../../../shared/market/price.ts'
import { EVERY, SERIES_SIDES, SERIES_VALUES } from '../../../shared/api/series.ts'
import { seedAccount } from '../../support/accounts.ts'
import { openEdge } from '../../support/edge.ts'
import { env } from '../../support/env.ts'
import { art } from '../../support/instant.ts'
import { seedPoints, setPoints } from '../../support/points.ts'
import { changeRows } from '../../support/rows.ts'
import { candleOf, type ModelPoint } from '../../support/value-model.ts'

const NOW = art('2026-03-05 12:00')
const blue = findPairByKey('usd/blue')!
const oficial = findPairByKey('usd/oficial')!

let key: string
beforeEach(async () => {
  key = (await seedAccount()).key
})

function ask(query: string, { now = NOW, init = {} }: { now?: number; init?: RequestInit } = {}) {
  const headers = { 'x-api-key': key, ...init.headers }
  return openEdge({ now }).fetch(`/api/v2/series?${query}`, { ...init, headers })
}

interface Series {
  every: string | null
  columns: string[]
  rows: [date: string, ...values: (number | null)[]][]
  summary?: Record<string, unknown>[]
}
const json = async (query: string, now?: number) =>
  (await (await ask(query, now === undefined ? {} : { now })).json()) as Series

/** Two pairs: blue over three days, the second without a change, and official since the last. */
async function seedTwo() {
  await seedPoints(
    'usd/blue',
    ['2026-03-02 11:00', 1390, 1410],
    ['2026-03-02 15:00', 1400, 1425.5],
    ['2026-03-02 23:59:59.999', 1380, 1400],
    ['2026-03-04 10:00', 1370, 1390],
    ['2026-03-05 11:00', 1400, 1420],
  )
  await seedPoints('usd/oficial', ['2026-03-04 10:00', 1400, 1450])
  for (const pair of [blue, oficial]) await rebuildCandles(env.DB, pair, '2026-03-01', '2026-03-05')
}

describe('a series', () => {
  beforeEach(seedTwo)

  it('has a row a date and a column a pair, null before the first value', async () => {
    const response = await ask('pairs=usd/blue,USD/Oficial&from=2026-03-01&to=2026-03-05')
    expect(await response.text()).toBe(
      '{"every":"day","value":"close","side":"sell",' +
        '"columns":["date","USD/BLUE","USD/OFICIAL"],"rows":[["2026-03-01",null,null],' +
        '["2026-03-02",1400,null],["2026-03-03",1400,null],["2026-03-04",1390,1450],' +
        '["2026-03-05",1420,1450]]}',
    )
    expect(response.headers.get('Cache-Control')).toBe('no-store')
    expect(response.headers.get('Vary')).toBe('Accept')
    expect(response.headers.get('RateLimit-Limit')).toBe('60')
    expect(response.headers.get('Access-Control-Allow-Origin')).toBe('*')
  })

  it('of single dates is in the order asked, each once, as pairs are', async () => {
    const pairs = 'usd/blue,usd/oficial,USD/BLUE'
    const query = `pairs=${pairs}&dates=2026-03-05,2026-03-01,2026-03-03,2026-03-05`
    const { every, rows } = await json(query)
    expect(every).toBe(null)
    expect(rows).toEqual([
      ['2026-03-05', 1420, 1450],
      ['2026-03-01', null, null],
      ['2026-03-03', 1400, null],
    ])
  })

  it('is of the year that ends today when nothing is said', async () => {
    const { rows } = await json('pairs=usd/blue')
    expect([rows[0], rows.at(-1), rows.length]).toEqual([
      ['2025-03-05', null],
      ['2026-03-05', 1420],
      366,
    ])
  })

  it('has months on both sides of the end of any year', async () => {
    const { rows } = await json('pairs=usd/blue&from=0001-12-01&to=0002-01-31&every=month')
    expect(rows.map(([date]) => date)).toEqual(['0001-12-31', '0002-01-31'])
  })

  it('sums up each column by day, whatever the order; of equals the first, nulls without a value', async () => {
    const pairs = 'usd/blue,usd/oficial,usd/ccl'
    const dates = '2026-03-05,2026-03-03,2026-03-02'
    const { summary } = await json(`pairs=${pairs}&dates=${dates}&summary=1`)
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
  })
})

describe('as CSV', () => {
  beforeEach(seedTwo)

  it('is the same table, and with summary=1 a row a pair', async () => {
    const query = 'pairs=usd/blue,usd/oficial&from=2026-03-03&to=2026-03-04'
    const response = await ask(`${query}&format=csv`)
    expect(response.headers.get('Content-Type')).toBe('text/csv; charset=utf-8')
    const csv = 'date,USD/BLUE,USD/OFICIAL\r\n2026-03-03,1400,\r\n2026-03-04,1390,1450\r\n'
    expect(await response.text()).toBe(csv)
    const accepted = await ask(query, { init: { headers: { Accept: 'text/csv' } } })
    expect(await accepted.text()).toBe(csv)

    const summary = await (await ask(`${query}&summary=1&format=csv`)).text()
    expect(summary.split('\r\n')).toEqual([
      'currency,origin,name,first,firstDate,last,lastDate,change,percent,minimum,minimumDate,maximum,maximumDate,average',
      'USD,BLUE,Dólar Blue,1400,2026-03-03,1390,2026-03-04,-10,-0.71,1390,2026-03-04,1400,2026-03-03,1395',
      'USD,OFICIAL,Dólar Oficial,1450,2026-03-04,1450,2026-03-04,0,0,1450,2026-03-04,1450,2026-03-04,1450',
      '',
    ])
  })

  it('comes in pieces: ten years of all pairs, whole', async () => {
    const pairs = PAIRS.map(({ currency, origin }) => `${currency}/${origin}`).join(',')
    const query = `pairs=${pairs}&from=2016-03-06&to=2026-03-05&format=csv`
    const lines = (await (await ask(query)).text()).trimEnd().split('\r\n')
    expect(lines).toHaveLength(1 + 3652)
    expect(lines[0]).toBe(
      `date,${PAIRS.map(({ currency, origin }) => `${currency}/${origin}`).join(',')}`,
    )
    expect(lines.every((line) => line.split(',').length === 20)).toBe(true)
    const head = await ask(query, { init: { method: 'HEAD' } })
    expect([head.status, await head.text()]).toEqual([200, ''])
  })
})

/** The first and the last of the days that are of one week from Monday, or of one month. */
function periodsByModel(days: readonly Day[], every: (typeof EVERY)[number]): [Day, Day][] {
  const nameOf = {
    day: (day: Day) => day,
    week: (day: Day) => addDays(day, -((weekday(dayStart(day)) + 6) % 7)),
    month: (day: Day) => day.slice(0, 7),
  }[every]
  const lasts = new Map(days.map((day) => [nameOf(day), day]))
  return [...lasts].map(([name, last]) => [days.find((day) => nameOf(day) === name)!, last])
}

/** The mean of the closes of the days that have one, at two decimals, half away from zero. */
function averageByModel(points: readonly ModelPoint[], side: 'buy' | 'sell', days: readonly Day[]) {
  const closes = days.flatMap((day) => candleOf(points, side, day)?.close ?? [])
  const cents = closes.reduce((sum, close) => sum + close / 100, 0)
  if (closes.length === 0) return null
  return Math.floor((2 * cents + closes.length) / (2 * closes.length)) * 100
}

it('says of every day, week and month what its points say, whatever the history', async () => {
  const first = '2023-12-18'
  const DAYS = 75
  const price = fc.integer({ min: 1, max: 500 }).map((cents) => cents * 100)
  /** Half of them at midnight, as UVA and CER have them. */
  const hour = fc.oneof(
    fc.nat(24 * DAYS),
    fc.nat(DAYS).map((day) => 24 * day),
  )
  const history = fc.uniqueArray(fc.record({ hour, buy: price, sell: price }), {
    maxLength: 40,
    selector: ({ hour }) => hour,
  })
  const range = fc.tuple(fc.nat(DAYS - 1), fc.nat(DAYS - 1))
  const choice = fc.record({
    every: fc.constantFrom(...EVERY),
    value: fc.constantFrom(...SERIES_VALUES),
    side: fc.constantFrom(...SERIES_SIDES),
  })
  await fc.assert(
    fc.asyncProperty(history, range, choice, async (values, ends, { every, value, side }) => {
      const [from, to] = ends.toSorted((a, b) => a - b) as [number, number]
      const now = dayStart(addDays(first, to)) + 18 * HOUR_MS
      const points = values
        .map(({ hour, ...prices }) => ({ at: dayStart(first) + hour * HOUR_MS, ...prices }))
        .filter(({ at }) => at <= now)
        .toSorted((a, b) => a.at - b.at)
      await setPoints(points.map((point) => ({ pair: blue.id, ...point })))
      await rebuildCandles(env.DB, blue, first, addDays(first, DAYS))
      // A minute's quota is not what this is about.
      await changeRows('apiKeys', { quotaMinute: 0 })

      const days = Array.from({ length: to - from + 1 }, (_, index) => addDays(first, from + index))
      const rowOf = (start: Day, end: Day) => {
        const within = days.filter((day) => day >= start && day <= end)
        const found =
          value === 'average'
            ? averageByModel(points, side, within)
            : (candleOf(points, side, start, end)?.[value] ?? null)
        return [end, found === null ? null : priceToNumber(found)]
      }
      const query = `pairs=usd/blue&value=${value}&side=${side}`
      const { rows } = await json(`${query}&from=${days[0]}&to=${days.at(-1)}&every=${every}`, now)
      expect(rows).toEqual(periodsByModel(days, every).map(([start, end]) => rowOf(start, end)))
      const turned = days.toReversed()
      const dates = await json(`${query}&dates=${turned.join()}`, now)
      expect(dates.rows).toEqual(turned.map((day) => rowOf(day, day)))
    }),
    { numRuns: 60 },
  )
})

describe('refusals', () => {
  const good = 'pairs=usd/blue'
  it.each([
    ['', 400, /^Falta pairs/],
    ['pairs=', 400, /^El parámetro pairs debe tener/],
    [`pairs=${Array.from({ length: 20 }, () => 'usd/blue').join()}`, 400, /de más/],
    ['pairs=usd/blue,clp/blue', 404, /^Cotización no encontrada$/],
    [`${good}&from=2026-02-30`, 400, /^from debe tener fechas/],
    [`${good}&to=`, 400, /^to debe tener fechas/],
    [`${good}&to=2026-03-06`, 400, /^to no puede ser posterior a hoy/],
    [`${good}&from=2026-03-05&to=2026-03-04`, 400, /^from no puede ser posterior a to/],
    [`${good}&from=2016-03-04&to=2026-03-05`, 400, /diez años/],
    [`${good}&every=year`, 400, /^every debe ser day, week o month/],
    [`${good}&value=last`, 400, /^value debe ser/],
    [`${good}&side=mid`, 400, /^side debe ser sell o buy/],
    [`${good}&dates=2026-03-01&from=2026-03-01`, 400, /^dates no se combina/],
    [`${good}&dates=2026-03-01,`, 400, /^dates debe tener fechas/],
    [`${good}&dates=2026-03-06`, 400, /posterior a hoy/],
    [`${good}&dates=${Array.from({ length: 501 }, () => '2026-03-01').join()}`, 400, /500 fechas/],
    [`${good}&limit=1`, 400, /^Los únicos parámetros son pairs/],
  ])('%s: %d', async (query, status, text) => {
    const response = await ask(query)
    expect(response.status).toBe(status)
    expect(response.headers.get('Cache-Control')).toBe('no-store')
    expect(((await response.json()) as { error: string }).error).toMatch(text)
  })

  it('500 dates and ten years are not too many', async () => {
    const dates = Array.from({ length: 500 }, (_, index) => addDays('2024-01-01', index)).join()
    expect((await ask(`${good}&dates=${dates}`)).status).toBe(200)
    expect((await ask(`${good}&from=2016-03-05&to=2026-03-05`)).status).toBe(200)
    // Three leap days, not two.
    expect((await ask(`${good}&from=2015-03-01&to=2025-03-01`)).status).toBe(200)
    expect((await ask(`${good}&from=2015-02-28&to=2025-03-01`)).status).toBe(400)
  })
})
