import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test'
import { Hono } from 'hono'
import { beforeEach, expect, it } from 'vitest'
import { MINUTE_MS } from '../../shared/argentine-time.ts'
import { correctPoint } from '../../tools/operate/import/corrections.ts'
import { findPairByKey } from '../../shared/market/catalog.ts'
import { numberToPrice } from '../../shared/market/price.ts'
import { INVOICING_CURRENCIES } from '../../shared/market/invoicing.ts'
import { AnswerMemory, MOST_BYTES } from '../../workers/edge/answer-memory.ts'
import { createApp } from '../../workers/edge/app.ts'
import type { EdgeContext } from '../../workers/edge/context.ts'
import { CURRENT_READS } from '../../workers/edge/routes/current.ts'
import { randomBytes } from '../../tools/support/random.ts'
import { openEdge } from '../support/edge.ts'
import { failing } from '../support/faulty-database.ts'
import { env } from '../support/env.ts'
import { art, NOON } from '../support/instant.ts'
import { measuredDatabase } from '../support/measured-database.ts'
import { seedInvoicing, seedPoints } from '../support/points.ts'
import { aBoardQuote, seedBoard } from '../support/board.ts'

const DAY = '2026-02-27'
const EVENING = `${DAY} 17:00`
const PATH = `/api/v2/date/${DAY}/usd/blue`

/** Every kind of answer about a closed day. */
const DATED = [
  PATH,
  `/api/v2/date/${DAY}`,
  `/api/v2/date/${DAY}/usd?format=csv`,
  `${PATH}?time=18:00`,
  `/api/v2/convert?amount=100&from=USD&to=ARS&origin=blue&date=${DAY}`,
  `/api/v2/invoicing?date=${DAY}`,
  `/api/v2/invoicing/usd?date=${DAY}&format=csv`,
  '/v1/cotizaciones/dolares/2026/02/27',
  '/v1/cotizaciones/dolares/blue/2026/02/27/',
  `/v2/historical?day=${DAY}`,
]

beforeEach(async () => {
  await seedPoints('usd/blue', [EVENING, 1400, 1420], ['2026-03-02 11:00', 1410, 1430])
  await seedTable('1420')
  await seedBoard(NOON, { quotes: [aBoardQuote('USD/BLUE')], mode: 'demo' })
})

function seedTable(sell: string): Promise<void> {
  const rates = INVOICING_CURRENCIES.map(({ code: currency }) => {
    return { currency, units: 1, buy: '1', sell }
  })
  return seedInvoicing({ day: '2026-02-26', rates })
}

let clients = 0

/** An isolate that counts its database calls. Each read comes from another client. */
function openCounted(now = NOON) {
  const { db: DB, spent, forget } = measuredDatabase()
  const edge = openEdge({ now, env: { COMPATIBILITY: 'on', DB } })
  async function get(path: string, init: { method?: string; headers?: object } = {}) {
    forget()
    const headers = { ...init.headers, 'CF-Connecting-IP': `198.51.100.${clients++ % 250}` }
    const response = await edge.fetch(path, { ...init, headers })
    const body = await response.text()
    const answer = { status: response.status, headers: Object.fromEntries(response.headers), body }
    return { ...answer, trips: spent().roundTrips }
  }
  return { clock: edge.clock, get }
}

it.each(DATED)(
  'the edge repeats the answer to %s for a minute without the database, and then reads it again',
  async (path) => {
    const { clock, get } = openCounted()
    const first = await get(path)
    expect(first).toMatchObject({ status: 200, trips: 1 })
    expect(first.headers).toMatchObject({
      'cache-control': 'public, max-age=86400',
      'x-service-mode': 'demo',
    })
    expect(await get(path)).toEqual({ ...first, trips: 0 })

    await correctPoint(env.DB, {
      pair: findPairByKey('usd/blue')!,
      at: art(EVENING),
      reason: 'a digit lost',
      now: NOON,
      value: { buy: numberToPrice(1400), sell: numberToPrice(1425) },
    })
    await seedTable('1425')
    clock.now += MINUTE_MS - 1
    expect(await get(path)).toEqual({ ...first, trips: 0 })
    clock.now += 1
    const corrected = await get(path)
    expect(corrected.trips).toBe(1)
    expect(corrected.body).toMatch(/1425|142500/)
    expect(corrected.body).not.toContain('1420')
  },
)

it.each(
  ['application/json', 'TEXT/CSV;q=0.5, */*'].flatMap((Accept) => [
    { headers: { Accept } },
    { method: 'HEAD', headers: { Accept } },
    { method: 'POST', headers: { Accept } },
    { headers: { Accept, 'If-None-Match': '*' } },
    { headers: { Accept, 'If-None-Match': '"x"' } },
  ]),
)(
  'a repeated answer to %o has the body and the headers of the answer from the database',
  async (init) => {
    const { get } = openCounted()
    for (const path of DATED) await get(path, { headers: { Accept: init.headers.Accept } })
    for (const path of DATED) {
      const { trips: _, ...read } = await openCounted().get(path, init)
      expect(await get(path, init)).toEqual({ ...read, trips: 0 })
    }
  },
)

it.each([
  ['today', NOON, '/api/v2/date/2026-03-02/usd/blue'],
  ['an hour of today', NOON, '/api/v2/date/2026-03-02/usd/blue?time=11:00'],
  ['an invoice of today', NOON, '/api/v2/invoicing/usd?date=2026-03-02'],
  ['until three minutes after its end', art('2026-03-03 00:02:59'), '/api/v2/date/2026-03-02'],
])('the edge reads a day that may still change at each request: %s', async (_, now, path) => {
  await seedBoard(now)
  const { get } = openCounted(now)
  const { headers } = await get(path)
  expect((await get(path)).trips).toBe(1)
  expect(headers['cache-control']).toBe('public, max-age=60')
})

const AT = '/api/v2/usd/blue'

it.each([
  AT,
  `${AT}?_=1`,
  `${AT}?format=csv&_=1`,
  '/v1/dolares?x=1',
  `${PATH}?format=csv&t=1`,
  '/v1/cotizaciones/dolares/2026/02/27?x=1',
  `/v2/historical?day=${DAY}&x=1`,
])('the memory keeps the answer to %s only if no parameter is passed over', async (path) => {
  const deps = { now: () => NOON, random: randomBytes, site: async () => new Response('site') }
  const answers = new AnswerMemory(deps)
  const context = createExecutionContext()
  const app = createApp(deps, answers)
  const bindings = { ...env, COMPATIBILITY: 'on' }
  const response = await app.fetch(new Request(`https://a.test${path}`), bindings, context)
  expect(response.status).toBe(200)
  expect(answers.weight > 0).toBe(path === AT)
  await waitOnExecutionContext(context)
})

it('current reads of every form come from one read of KV, and none of D1, until the board’s copy expires', async () => {
  let reads = 0
  const BOARD = { get: (name: string) => ((reads += 1), env.BOARD.get(name)) }
  const { clock, fetch } = openEdge({
    now: NOON,
    env: { COMPATIBILITY: 'on', BOARD, DB: failing('') },
  })
  const more = ['/api/v2/quotes?format=csv', '/v1/dolares', '/v1/dolares/blue', '/v2/latest']
  const paths = [...CURRENT_READS.keys(), ...more]
  const read = (headers = {}) =>
    Promise.all(paths.map(async (path) => (await fetch(path, { headers })).text()))
  const first = await read()
  expect(first.filter((text) => text.includes('1430'))).toHaveLength(9)
  await seedBoard(NOON, { quotes: [aBoardQuote('USD/BLUE', { sell: 1431 })] })

  clock.now += 29_999
  expect(await read()).toEqual(first)
  expect((await read({ Accept: 'text/csv' }))[0]).toMatch(/^currency,name[^]+1430/)
  expect(reads).toBe(1)
  clock.now += 1
  expect((await read()).filter((text) => text.includes('1431'))).toHaveLength(9)
  expect(reads).toBe(2)
})

const request = (number: number) => new Request(`https://a.test/${number}`)

it('the memory is bounded in bytes, and keeps the answers requested last', async () => {
  const answers = new AnswerMemory({ now: () => NOON })
  const answer = { body: 'x'.repeat(300), etag: '"x"', headers: {}, unchangedHeaders: {} }
  const repeat = (number: number) => answers.repeat(request(number), env, createExecutionContext())
  const app = new Hono<EdgeContext>().get('*', (c) => {
    c.set('parameters', [])
    return answers.respond(c, answer, { from: NOON, until: NOON + 1 })
  })
  for (let i = 0; i < 10_000; i++) {
    await app.fetch(request(i))
    repeat(0)
  }
  expect(answers.weight).toBeLessThanOrEqual(MOST_BYTES)
  expect(answers.weight).toBeGreaterThan(MOST_BYTES - 2_000)
  expect([0, 1, 9_999].map((i) => repeat(i) !== null)).toEqual([true, false, true])
})
