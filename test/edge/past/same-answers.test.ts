import {
  array,
  assert,
  asyncProperty,
  constantFrom,
  integer,
  oneof,
  record,
  uniqueArray,
} from 'fast-check'
import { expect, it } from 'vitest'
import { addDays, dayStart, HOUR_MS, MINUTE_MS } from '../../../shared/argentine-time.ts'
import { removePoint, replacePoint } from '../../../shared/db/quotes/corrections.ts'
import { invoicingStatements } from '../../../shared/db/quotes/invoicing-tables.ts'
import { BOARD_KEY } from '../../../shared/board/board.ts'
import { pairById } from '../../../shared/market/catalog.ts'
import { env } from '../../support/env.ts'
import { openCounted, seedCycle } from '../../support/past.ts'
import { setPoints } from '../../support/points.ts'
import { emptyTables } from '../../support/rows.ts'

/** Three days, with points on their edges and within a second of each other. */
const FIRST = '2026-02-25'
const START = dayStart(FIRST)
const LATER = START + 100 * HOUR_MS

const at = oneof(
  integer({ min: 0, max: 6 }).map((halves) => START + halves * 12 * HOUR_MS),
  integer({ min: 0, max: 6 }).map((halves) => START + halves * 12 * HOUR_MS - 1),
  integer({ min: -20, max: 90 }).map((hours) => START + hours * HOUR_MS + 250),
)
const pair = constantFrom(3, 3, 1, 19)
const value = integer({ min: 1, max: 9 }).map((n) => n * 10_000)
const points = uniqueArray(record({ pair, at, buy: value, sell: value }), {
  minLength: 4,
  maxLength: 12,
  selector: (point) => `${point.pair} ${point.at}`,
})
/** Of one of the points, or of a table of invoicing rates. */
const correction = record({
  which: integer({ min: 0, max: 5 }),
  /** None that a point begins with. */
  sell: integer({ min: 11, max: 99 }).map((n) => n * 10_000),
  removes: constantFrom(true, false),
  table: constantFrom(null, null, 0, 1, 2),
})
const day = integer({ min: 0, max: 2 }).map((days) => addDays(FIRST, days))
const path = oneof(
  record({
    day,
    rest: constantFrom('', '/usd', '/usd/blue', '/usd/blue', '/USD/Blue', '/eur/bna', '/usd/none'),
    query: constantFrom(
      '',
      '?time=00:00',
      '?time=12:00',
      '?time=12:00:01&max_age=60',
      '?time=23:59:59',
      '?time=25:00',
      '?format=csv',
      '?format=xml',
      '?x=1',
    ),
  }).map(({ day, rest, query }) => `/api/v2/date/${day}${rest}${query}`),
  record({
    day,
    from: constantFrom('USD', 'eur'),
    origin: constantFrom('blue', 'bna', 'none'),
    rest: constantFrom('', '&time=12:00', '&format=csv', '&side=mid'),
  }).map(
    ({ day, from, origin, rest }) =>
      `/api/v2/convert?amount=100&from=${from}&to=ARS&origin=${origin}&date=${day}${rest}`,
  ),
  record({
    day,
    rest: constantFrom('', '/usd', '/jpy', '/xxx'),
    format: constantFrom('', '&format=csv'),
  }).map(({ day, rest, format }) => `/api/v2/invoicing${rest}?date=${day}${format}`),
  record({
    day,
    what: constantFrom('dolares', 'dolares/blue', 'eur', 'none'),
    slash: constantFrom('', '/'),
  }).map(({ day, what, slash }) => `/v1/cotizaciones/${what}/${day.replaceAll('-', '/')}${slash}`),
  day.map((day) => `/v2/historical?day=${day}`),
)
/** How a path is asked for, one after the other. */
const way = record({
  method: constantFrom('GET', 'GET', 'GET', 'HEAD', 'POST'),
  accept: constantFrom(null, 'application/json', 'text/csv', 'TEXT/CSV;q=0.5, */*'),
  /** Whether the one who asks has the answer of the database, or another. */
  holds: constantFrom('nothing', 'nothing', 'it', 'another'),
})

it('whatever is asked and corrected, what is kept answers as the database does, header by header', async () => {
  let again = 0
  await assert(
    asyncProperty(
      points,
      array(path, { minLength: 2, maxLength: 4 }),
      array(way, { minLength: 1, maxLength: 3 }),
      array(array(correction, { maxLength: 3 }), { minLength: 2, maxLength: 2 }),
      async (stored, paths, ways, rounds) => {
        await begin(stored)
        let now = LATER
        const kept = openCounted(now)
        for (const corrections of rounds) {
          for (const each of corrections) await correct(stored, each, now)
          now += 5 * MINUTE_MS
          await seedCycle(now)
          kept.clock.now = now
          const database = openCounted(now, { env: { BOARD: withoutDocuments } })

          const questions = paths.flatMap((path) => ways.map((way) => ({ path, ...way })))
          for (const { path, method, accept, holds } of questions) {
            const get = { method: 'GET', headers: accept === null ? {} : { Accept: accept } }
            const etag = (await database.get(path, get)).headers['etag'] ?? '"none"'
            const tag =
              holds === 'nothing' ? {} : { 'If-None-Match': holds === 'it' ? etag : '"x"' }
            const asked = { method, headers: { ...get.headers, ...tag } }

            const { trips: _, ...answer } = await database.get(path, asked)
            expect(await kept.get(path, asked)).toMatchObject(answer)
            const { trips, ...second } = await kept.get(path, asked)
            expect(second).toEqual(answer)
            const elsewhere = await openCounted(now).get(path, asked)
            expect(elsewhere).toMatchObject(answer)
            if (answer.headers['cache-control'] === 'public, max-age=86400') {
              expect(trips).toBe(0)
              again++
            }
          }
        }
      },
    ),
    { numRuns: 12 },
  )
  expect(again).toBeGreaterThan(4)
}, 120_000)

async function correct(
  stored: readonly { pair: number; at: number }[],
  {
    which,
    sell,
    removes,
    table,
  }: { which: number; sell: number; removes: boolean; table: number | null },
  now: number,
): Promise<void> {
  if (table !== null) return seedTable(table, String(sell), now)
  const point = stored[which]
  if (!point) return
  const where = { pair: pairById(point.pair)!, at: point.at, reason: 'test', now }
  await (removes
    ? removePoint(env.DB, where)
    : replacePoint(env.DB, { ...where, buy: 10_000, sell }))
}

/** A table of invoicing rates of one of the days, as an import or a late cycle brings it. */
async function seedTable(days: number, sell: string, now: number): Promise<void> {
  const rates = [{ currency: 'USD', units: 1, buy: '1', sell }]
  const table = { day: addDays(FIRST, days), publishedAt: null, source: 'test', rates }
  await env.DB.batch(invoicingStatements(env.DB, table, now))
}

/** KV as it is, but for the documents of closed days and what says that they may be made. */
const withoutDocuments = {
  async get(key: string) {
    const text = key === BOARD_KEY ? await env.BOARD.get(key) : null
    return text && JSON.stringify({ ...JSON.parse(text), historyRevision: undefined })
  },
} as unknown as KVNamespace

async function begin(points: Parameters<typeof setPoints>[0]): Promise<void> {
  const { keys } = await env.BOARD.list()
  await Promise.all(keys.map(({ name }) => env.BOARD.delete(name)))
  await emptyTables('invoicingRates', 'invoicingTables')
  await setPoints(points)
  await seedTable(0, '1000', dayStart(FIRST))
}
