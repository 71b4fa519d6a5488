import { beforeEach, describe, expect, it } from 'vitest'
import { addDays, MINUTE_MS } from '../../../shared/argentine-time.ts'
import { closedDayKey } from '../../../shared/board/closed-day.ts'
import { replacePoint } from '../../../shared/db/quotes/corrections.ts'
import { historyRevision } from '../../../shared/db/quotes/history-revision.ts'
import { invoicingStatements } from '../../../shared/db/quotes/invoicing-tables.ts'
import { findPairByKey } from '../../../shared/market/catalog.ts'
import { numberToPrice } from '../../../shared/market/price.ts'
import { KnownRevision } from '../../../workers/edge/past/known-revision.ts'
import { Past } from '../../../workers/edge/past/past.ts'
import { FILLS_A_MINUTE } from '../../../workers/edge/past/fill-budget.ts'
import { openEdge } from '../../support/edge.ts'
import { env } from '../../support/env.ts'
import { art } from '../../support/instant.ts'
import { openCounted, seedCycle } from '../../support/past.ts'
import { seedPoints } from '../../support/points.ts'
import { aBoardQuote, seedBoard } from '../../support/seed.ts'

const NOON = art('2026-03-02 12:00')
const DAY = '2026-02-27'
const MORNING = '2026-02-27 11:00'
const EVENING = '2026-02-27 17:00'
const blue = findPairByKey('usd/blue')!
const PATH = `/api/v2/date/${DAY}/usd/blue`
const CYCLE = 5 * MINUTE_MS

beforeEach(async () => {
  await seedPoints(
    'usd/blue',
    ['2026-02-20 10:00', 1380, 1400],
    [MORNING, 1390, 1410],
    [EVENING, 1400, 1420],
    ['2026-03-02 11:00', 1410, 1430],
  )
  await seedPoints('usd/bolsa', ['2026-02-26 12:00', 1300, 1310])
})

const correct = (sell: number, at = EVENING) =>
  replacePoint(env.DB, {
    pair: blue,
    at: art(at),
    reason: 'a digit lost',
    now: NOON,
    buy: numberToPrice(1400),
    sell: numberToPrice(sell),
  })
const sellOf = ({ body }: { body: string }) => (JSON.parse(body) as { sell: number }).sell
const stored = () => env.BOARD.get(closedDayKey(DAY))

describe('a closed day read again', () => {
  it.each([
    PATH,
    `/api/v2/date/${DAY}`,
    `/api/v2/date/${DAY}/usd?format=csv`,
    `${PATH}?time=10:59:59`,
    `${PATH}?time=11:00`,
    `${PATH}?max_age=60`,
    `/api/v2/date/2026-03-01/usd`,
    `/api/v2/convert?amount=100&from=USD&to=ARS&origin=blue&date=${DAY}`,
    `/v1/cotizaciones/dolares/2026/02/27`,
    `/v2/historical?day=${DAY}`,
  ])('asks no database, here or in another isolate, and answers the same: %s', async (path) => {
    await seedCycle(NOON)
    const here = openCounted(NOON)
    const first = await here.get(path)
    const again = await here.get(path)
    const elsewhere = await openCounted(NOON).get(path)

    expect(first.trips).toBe(2)
    expect(again).toEqual({ ...first, trips: 0 })
    expect(elsewhere).toEqual({ ...first, trips: 0 })
    expect(first.headers['cache-control']).toBe('public, max-age=86400')
  })

  it('is answered at any of its instants, of any pair, by what one read left', async () => {
    await seedCycle(NOON)
    await openCounted(NOON).get(PATH)
    const { get } = openCounted(NOON)

    expect(sellOf(await get(`${PATH}?time=00:00`))).toBe(1400)
    expect(sellOf(await get(`${PATH}?time=16:59:59`))).toBe(1410)
    expect(await get(`/api/v2/date/${DAY}/usd/bolsa`)).toMatchObject({ trips: 0 })
    expect((await get(`/api/v2/date/${DAY}/eur/blue`)).body).toContain('"sell":null')
  })

  it('still counts against the limit of its client', async () => {
    await seedCycle(NOON)
    const statuses: number[] = []
    const { fetch } = openEdge({ now: NOON })
    for (let i = 0; i < 21; i++) {
      const response = await fetch(PATH, { headers: { 'CF-Connecting-IP': '192.0.2.200' } })
      statuses.push(response.status)
    }
    expect(statuses.filter((status) => status === 200)).toHaveLength(20)
    expect(statuses.at(-1)).toBe(429)
  })
})

describe('today without a time', () => {
  const TODAY = '/api/v2/date/2026-03-02'
  const quotes = [aBoardQuote('USD/BLUE', { updatedAt: '2026-03-02T11:00:00.000-03:00' })]

  it.each([
    `${TODAY}/usd/blue`,
    `${TODAY}/usd/blue?max_age=60`,
    `${TODAY}/usd/blue?format=csv`,
    `/api/v2/convert?amount=100&from=USD&to=ARS&origin=blue&date=2026-03-02`,
  ])('is what the board says, without the database, as the database says it: %s', async (path) => {
    await seedCycle(NOON, { quotes })
    const board = await openCounted(NOON).get(path)
    await env.BOARD.delete('board')
    const database = await openCounted(NOON).get(path)

    expect(database.trips).toBeGreaterThan(0)
    expect(board).toEqual({ ...database, trips: 0 })
    expect(board.headers['cache-control']).toBe('public, max-age=60')
  })

  it('counts its ages to now, each time', async () => {
    await seedCycle(NOON, { quotes })
    const here = openCounted(NOON)
    const read = async () => JSON.parse((await here.get(`${TODAY}/usd/blue`)).body)
    expect(await read()).toMatchObject({ sell: 1430, ageSeconds: 3600, sameDay: true })
    here.clock.now += 5_000
    expect(await read()).toMatchObject({ sell: 1430, ageSeconds: 3605 })

    await seedCycle(art('2026-03-02 23:59'), { quotes })
    here.clock.now = art('2026-03-03 00:00:30')
    const tomorrow = await here.get('/api/v2/date/2026-03-03/usd/blue')
    expect(JSON.parse(tomorrow.body)).toMatchObject({ sell: 1430, sameDay: false, daysStale: 1 })
    expect(tomorrow.trips).toBe(0)
  })

  it('asks the database where a pair has a past and is not quoted now', async () => {
    await seedCycle(NOON, { quotes })
    const { body, trips } = await openCounted(NOON).get(`${TODAY}/usd`)
    expect(JSON.parse(body)).toContainEqual(
      expect.objectContaining({ origin: 'BOLSA', sell: 1310 }),
    )
    expect(trips).toBe(1)
  })
})

const seedTable = (sell: string, now: number) => {
  const rates = [{ currency: 'USD', units: 1, buy: '1', sell }]
  const table = { day: '2026-02-26', publishedAt: null, source: 'test', rates }
  return env.DB.batch(invoicingStatements(env.DB, table, now))
}

it('invoicing rates of a past date are kept until a table before it changes; those of today are not', async () => {
  await seedTable('1460.5', art('2026-02-26 16:00'))
  await seedCycle(NOON)
  const here = openCounted(NOON)
  const tripsOf = async (date: string) =>
    (await here.get(`/api/v2/invoicing/usd?date=${date}`)).trips
  expect([await tripsOf(DAY), await tripsOf(DAY)]).toEqual([1, 0])
  expect([await tripsOf('2026-03-02'), await tripsOf('2026-03-02')]).toEqual([1, 1])

  await seedTable('1465', NOON)
  await seedCycle(NOON + CYCLE)
  here.clock.now = NOON + CYCLE
  expect(sellOf(await here.get(`/api/v2/invoicing/usd?date=${DAY}`))).toBe(1465)
})

describe('no document is made or believed', () => {
  it.each([
    ['of an hour of today', NOON, '/api/v2/date/2026-03-02/usd/blue?time=11:00'],
    [
      'of a day that ended after the last cycle',
      art('2026-03-03 00:04'),
      '/api/v2/date/2026-03-02',
    ],
  ])('%s', async (_, now, path) => {
    await seedCycle(now - (now === NOON ? 0 : 5 * MINUTE_MS))
    const { get } = openCounted(now)
    expect([(await get(path)).trips, (await get(path)).trips]).toEqual([1, 1])
  })

  it.each<[string, () => Promise<void>]>([
    ['without a board', () => env.BOARD.delete('board')],
    ['with a board too old to be trusted', () => seedCycle(NOON - 16 * MINUTE_MS)],
    ['with a board that says no revision', () => seedCycle(NOON, { historyRevision: undefined })],
    ['with a board that says nonsense', () => seedCycle(NOON, { historyRevision: 'x' as never })],
  ])('%s', async (_, prepare) => {
    await seedCycle(NOON)
    await openCounted(NOON).get(PATH)
    await prepare()
    const { get } = openCounted(NOON)
    expect([(await get(PATH)).trips, (await get(PATH)).trips]).toEqual([1, 1])
  })

  it('of a day that D1 does not know to be over, whatever the board says', async () => {
    await seedCycle(art('2026-02-27 23:59:59.999'))
    const revision = await historyRevision(env.DB)
    await seedBoard(NOON, { historyRevision: revision })
    expect(await openCounted(NOON).get(PATH)).toMatchObject({ status: 200 })
    expect(await stored()).toBeNull()
  })
})

describe('a correction', () => {
  it('shows once a board with its revision is read, in every isolate', async () => {
    await seedCycle(NOON)
    const here = openCounted(NOON)
    await here.get(PATH)
    await correct(1425)
    await seedCycle(NOON + CYCLE)
    here.clock.now = NOON + CYCLE

    expect(sellOf(await here.get(PATH))).toBe(1425)
    expect(await openCounted(NOON + CYCLE).get(PATH)).toMatchObject({ trips: 0 })
    expect(sellOf(await openCounted(NOON + CYCLE).get(PATH))).toBe(1425)
  })

  it('ends what is kept of every address, also when another one met the new board first', async () => {
    await seedCycle(NOON)
    const here = openCounted(NOON)
    for (const path of [PATH, `/api/v2/date/${DAY}/usd`, `/api/v2/date/${DAY}`])
      await here.get(path)
    await correct(1425)
    await seedCycle(NOON + CYCLE)
    here.clock.now = NOON + CYCLE

    expect((await here.get(`/api/v2/date/${DAY}`)).body).toContain('"sell":1425')
    expect(sellOf(await here.get(PATH))).toBe(1425)
    expect((await here.get(`/api/v2/date/${DAY}/usd`)).body).toContain('"sell":1425')
  })

  it('between the read of a day and its writing: what was written is not believed', async () => {
    await seedCycle(NOON)
    const BOARD = onPut(async () => {
      await correct(1425)
    })
    const here = openCounted(NOON, { env: { BOARD } })
    expect(sellOf(await here.get(PATH))).toBe(1420)
    expect(JSON.parse((await stored())!)).toMatchObject({ day: DAY })

    await seedCycle(NOON + CYCLE)
    here.clock.now = NOON + CYCLE
    expect(sellOf(await here.get(PATH))).toBe(1425)
    expect(sellOf(await openCounted(NOON + CYCLE).get(PATH))).toBe(1425)
  })

  it('beside another one at once: both are seen', async () => {
    await seedCycle(NOON)
    const here = openCounted(NOON)
    await here.get(PATH)
    const before = await historyRevision(env.DB)
    await Promise.all([correct(1425), correct(1415, MORNING)])
    expect(await historyRevision(env.DB)).toBeGreaterThanOrEqual(before + 2)

    await seedCycle(NOON + CYCLE)
    here.clock.now = NOON + CYCLE
    expect(sellOf(await here.get(PATH))).toBe(1425)
    expect(sellOf(await here.get(`${PATH}?time=12:00`))).toBe(1415)
  })

  it('stays, when a cycle publishes an older board late', async () => {
    await seedCycle(NOON)
    const old = (await env.BOARD.get('board'))!
    await openCounted(NOON).get(PATH)
    await correct(1425)
    await seedCycle(NOON + CYCLE)
    const here = openCounted(NOON + CYCLE)
    expect(sellOf(await here.get(PATH))).toBe(1425)

    await env.BOARD.put('board', old)
    here.clock.now += MINUTE_MS
    expect(sellOf(await here.get(PATH))).toBe(1425)
    // The document is newer than the board: an isolate that knows only the old one believes it.
    expect(sellOf(await openCounted(here.clock.now).get(PATH))).toBe(1425)
  })

  it('is not forgotten by an isolate that reads an older board after it', async () => {
    await seedCycle(NOON)
    const [old, oldDay] = [(await env.BOARD.get('board'))!, await openCounted(NOON).get(PATH)]
    await correct(1425)
    await seedCycle(NOON + CYCLE)
    const here = openCounted(NOON + CYCLE)
    await here.get('/api/v2/date/2026-03-01')
    await env.BOARD.put('board', old)
    here.clock.now += MINUTE_MS

    expect(sellOf(oldDay)).toBe(1420)
    expect(sellOf(await here.get(PATH))).toBe(1425)
  })

  it('is not undone by an older document that is written late', async () => {
    await seedCycle(NOON)
    await openCounted(NOON).get(PATH)
    const old = (await stored())!
    await correct(1425)
    await seedCycle(NOON + CYCLE)
    await env.BOARD.put(closedDayKey(DAY), old)

    expect(sellOf(await openCounted(NOON + CYCLE).get(PATH))).toBe(1425)
    expect(await openCounted(NOON + CYCLE).get(PATH)).toMatchObject({ trips: 0 })
  })
})

describe('when KV', () => {
  it.each([
    ['has garbage', '{'],
    ['has another day', (text: string) => text.replace(DAY, '2026-02-26')],
    ['has another schema', (text: string) => text.replace('"schema":1', '"schema":2')],
    ['has no pair', (text: string) => text.replace('"3":', '"300":')],
  ])('%s, D1 answers, and the document is made again', async (_, text) => {
    await seedCycle(NOON)
    const right = await openCounted(NOON).get(PATH)
    const whole = (await stored())!
    await env.BOARD.put(closedDayKey(DAY), typeof text === 'string' ? text : text(whole))

    expect(await openCounted(NOON).get(PATH)).toEqual(right)
    expect(JSON.parse((await stored())!)).toEqual(JSON.parse(whole))
  })

  it('fails, D1 answers', async () => {
    await seedCycle(NOON)
    const right = await openCounted(NOON).get(PATH)
    const { get } = openCounted(NOON, { env: { BOARD: { get: fail, put: fail } as never } })
    expect(await get(PATH)).toEqual({ ...right, trips: 1 })
  })

  it('does not take a document, the answer stands and the isolate keeps its own', async () => {
    await seedCycle(NOON)
    const BOARD = onPut(() => Promise.reject(new Error('429 Too Many Requests')))
    const { get } = openCounted(NOON, { env: { BOARD } })
    expect([(await get(PATH)).trips, (await get(PATH)).trips]).toEqual([2, 0])
    expect(await stored()).toBeNull()
  })
})

it.each([
  ['a closed day', { day: DAY, effectiveAt: art(EVENING), closed: true, current: false }, 1420, 2],
  ['now', { day: '2026-03-02', effectiveAt: NOON, closed: false, current: true }, 1430, 1],
])(
  'of %s asks D1 when KV hangs, and leaves KV alone for a while',
  async (_, query, sell, reads) => {
    let asked = 0
    const never = () => {
      asked++
      return new Promise<never>(() => {})
    }
    const board = { fresh: () => null, read: never }
    const known = new KnownRevision(board)
    const past = new Past({ now: () => NOON, board, known, patienceMs: 5 })
    const context = { env: { ...env, BOARD: { get: never } } } as never

    for (let i = 0; i < 3; i++) {
      const { quotes } = await past.quotesAsOf(context, [blue], query)
      expect(quotes).toMatchObject([{ sell: numberToPrice(sell) }])
    }
    expect(asked).toBe(reads)
  },
)

describe('what documents may cost', () => {
  it('is bounded: an isolate makes so many a minute', async () => {
    await seedCycle(NOON)
    let puts = 0
    const BOARD = onPut(async () => {
      puts++
    })
    const { get, clock } = openCounted(NOON, { env: { BOARD } })
    for (let i = 0; i < FILLS_A_MINUTE + 5; i++) await get(`/api/v2/date/${day(i)}/usd/blue`)
    // Before the first value there is nothing to write: eight of these days have one.
    expect(puts).toBe(8)

    await seedPoints('arg/uva', ['2020-01-01 00:00', 50, 50])
    clock.now += MINUTE_MS
    await seedCycle(clock.now)
    for (let i = 100; i < 100 + FILLS_A_MINUTE + 5; i++)
      await get(`/api/v2/date/${day(i)}/usd/blue`)
    expect(puts).toBe(8 + FILLS_A_MINUTE)
  })

  it('is one query and one write for readers who come together', async () => {
    await seedCycle(NOON)
    let puts = 0
    const BOARD = onPut(async () => {
      puts++
    })
    const { get } = openCounted(NOON, { env: { BOARD } })
    await Promise.all(Array.from({ length: 5 }, () => get(PATH)))
    expect(puts).toBe(1)
  })
})

const fail = () => Promise.reject(new Error('KV is down'))

/** So many days before the day. */
const day = (before: number) => addDays(DAY, -before)

/** KV with something that happens before a value is written. */
function onPut(before: () => Promise<unknown>): KVNamespace {
  return new Proxy(env.BOARD, {
    get(target, name) {
      if (name !== 'put') return (Reflect.get(target, name) as Function).bind(target)
      return async (...args: Parameters<KVNamespace['put']>) => {
        await before()
        await (target.put as (...args: unknown[]) => Promise<void>)(...args)
      }
    },
  })
}
