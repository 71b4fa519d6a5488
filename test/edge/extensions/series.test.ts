import * as fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import { addDays, argentineDay, dayEnd, dayStart, HOUR_MS } from '../../../shared/argentine-time.ts'
import { rebuildCandles } from '../../../shared/db/quotes/candles.ts'
import { quotesAsOf } from '../../../shared/db/quotes/points.ts'
import { findPairByKey, PAIRS } from '../../../shared/market/catalog.ts'
import { priceToNumber } from '../../../shared/market/price.ts'
import { seedAccount } from '../../support/accounts.ts'
import { countCost } from '../../support/counted-db.ts'
import { openEdge } from '../../support/edge.ts'
import { env } from '../../support/env.ts'
import { art } from '../../support/instant.ts'
import { insertPoints, seedPoints, setPoints } from '../../support/points.ts'
import { changeRows } from '../../support/rows.ts'
import { seedBoard } from '../../support/seed.ts'

const NOW = art('2026-03-05 12:00')
const blue = findPairByKey('usd/blue')!
const oficial = findPairByKey('usd/oficial')!

let key: string
beforeEach(async () => {
  key = (await seedAccount()).key
})

function ask(query: string, options: { now?: number; init?: RequestInit; env?: object } = {}) {
  const { now = NOW, init = {}, env } = options
  const headers = { 'x-api-key': key, ...init.headers }
  const edge = openEdge({ now, ...(env && { env: env as never }) })
  return edge.fetch(`/api/v2/series?${query}`, { ...init, headers })
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

  it.each([
    ['open', 'sell', [1410, 1400, 1400, 1390]],
    ['high', 'sell', [1425.5, 1400, 1400, 1420]],
    ['close', 'buy', [1380, 1380, 1370, 1400]],
    ['open', 'buy', [1390, 1380, 1380, 1370]],
    ['low', 'buy', [1380, 1380, 1370, 1370]],
  ])('of the %s of %s', async (value, side, expected) => {
    const query = `pairs=usd/blue&from=2026-03-02&to=2026-03-05&value=${value}&side=${side}`
    expect((await json(query)).rows.map(([, price]) => price)).toEqual(expected)
  })

  it('by week and by month stands on the last day of each', async () => {
    const weeks = await json('pairs=usd/blue&from=2026-02-26&to=2026-03-05&every=week')
    expect(weeks.rows).toEqual([
      ['2026-03-01', null],
      ['2026-03-05', 1420],
    ])
    const months = 'pairs=usd/blue&from=2026-02-15&to=2026-03-05&every=month&value=average'
    // 2 March to 5 March: 1400, 1400, 1390, 1420.
    expect((await json(months)).rows).toEqual([
      ['2026-02-28', null],
      ['2026-03-05', 1402.5],
    ])
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
    const opens = await json('pairs=usd/blue&dates=2026-03-02,2026-03-03&value=open')
    expect(opens.rows.map(([, price]) => price)).toEqual([1410, 1400])
  })

  it('goes up to now, though a close of today is imported already', async () => {
    const morning = art('2026-03-04 10:30')
    await seedPoints('usd/blue', ['2026-03-04 23:59:59.999', 1000, 1001, 'import:csv'])
    await rebuildCandles(env.DB, blue, '2026-03-04', '2026-03-04')
    for (const [value, price] of [
      ['open', 1400],
      ['low', 1390],
    ] as const) {
      for (const days of ['from=2026-03-04&to=2026-03-04', 'dates=2026-03-04']) {
        const { rows } = await json(`pairs=usd/blue&${days}&value=${value}`, morning)
        expect(rows).toEqual([['2026-03-04', price]])
      }
    }
  })

  it('is of the year that ends today when nothing is said', async () => {
    const { rows } = await json('pairs=usd/blue')
    expect([rows[0], rows.at(-1), rows.length]).toEqual([
      ['2025-03-05', null],
      ['2026-03-05', 1420],
      366,
    ])
  })

  it('sums up each column', async () => {
    const { summary } = await json('pairs=usd/blue&from=2026-03-01&to=2026-03-05&summary=1')
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
        minimum: 1390,
        minimumDate: '2026-03-04',
        maximum: 1420,
        maximumDate: '2026-03-05',
        average: 1402.5,
      },
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

it('says on every day what the date read says at its end, whatever the history', async () => {
  const first = '2026-02-20'
  const history = fc.uniqueArray(
    fc.record({
      hour: fc.integer({ min: 0, max: 24 * 14 }),
      buy: fc.integer({ min: 1, max: 9 }),
      sell: fc.integer({ min: 1, max: 9 }),
    }),
    { maxLength: 25, selector: ({ hour }) => hour },
  )
  await fc.assert(
    fc.asyncProperty(
      history,
      fc.integer({ min: 0, max: 24 * 13 }),
      fc.constantFrom('sell', 'buy'),
      async (points, nowHour, side) => {
        const now = dayStart(first) + nowHour * HOUR_MS + 1
        await setPoints(
          points.map(({ hour, buy, sell }) => ({
            pair: blue.id,
            at: dayStart(first) + hour * HOUR_MS,
            buy: buy * 10_000,
            sell: sell * 10_000,
          })),
        )
        // A minute's quota is not what this is about.
        await changeRows('apiKeys', { quotaMinute: 0 })
        await rebuildCandles(env.DB, blue, first, addDays(first, 15))

        const today = argentineDay(now)
        const from = addDays(first, -1)
        const range = await json(`pairs=usd/blue&from=${from}&to=${today}&side=${side}`, now)
        const days = range.rows.map(([date]) => date)
        const expected = await Promise.all(
          days.map(async (day) => {
            const { quotes } = await quotesAsOf(env.DB, [blue], Math.min(dayEnd(day), now))
            const price = quotes[0]?.[side as 'buy' | 'sell']
            return [day, price === undefined ? null : priceToNumber(price)]
          }),
        )
        expect(range.rows).toEqual(expected)
        const dates = await json(`pairs=usd/blue&dates=${days.join()}&side=${side}`, now)
        expect(dates.rows).toEqual(expected)
      },
    ),
    { numRuns: 12 },
  )
})

it('costs one round trip beyond the gate, and a row a day and pair', async () => {
  await seedBoard(NOW)
  const closes = Array.from({ length: 400 }, (_, day) => {
    const price = day + 1
    return { at: dayEnd(addDays('2025-01-01', day)), buy: price, sell: price }
  })
  for (const pair of PAIRS) {
    await insertPoints(closes.map((close) => ({ pair: pair.id, ...close })))
    await rebuildCandles(env.DB, pair, '2025-01-01', '2026-03-05')
  }
  const pairs = PAIRS.map(({ currency, origin }) => `${currency}/${origin}`).join()
  const costOf = async (query: string) => {
    const { db, cost } = countCost(env.DB)
    await ask(`pairs=${pairs}&${query}`, { env: { DB: db } })
    return cost
  }
  const gate = await costOf('value=none')
  const wide = await costOf('from=2025-02-01&to=2026-01-31')
  expect(wide.roundTrips).toBe(gate.roundTrips + 1)
  expect(wide.read - gate.read).toBeLessThanOrEqual((365 + 8) * PAIRS.length)
  const dates = Array.from({ length: 300 }, (_, day) => addDays('2025-03-01', day)).join()
  // A date is a row of its own list too.
  const single = await costOf(`dates=${dates}`)
  expect(single.read - gate.read).toBeLessThanOrEqual(2 * 300 * PAIRS.length + 5 * PAIRS.length)
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
    [`${good}&pairs=usd/ccl`, 400, /repetido/],
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
