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
import { pairById } from '../../../shared/market/catalog.ts'
import { env } from '../../support/env.ts'
import { openCounted, seedCycle } from '../../support/past.ts'
import { seedBoard } from '../../support/seed.ts'

/** Three days, with points on their edges and within a second of each other. */
const FIRST = '2026-02-25'
const START = dayStart(FIRST)
const LATER = START + 100 * HOUR_MS

const at = oneof(
  integer({ min: 0, max: 6 }).map((halves) => START + halves * 12 * HOUR_MS),
  integer({ min: 0, max: 6 }).map((halves) => START + halves * 12 * HOUR_MS - 1),
  integer({ min: -20, max: 90 }).map((hours) => START + hours * HOUR_MS + 250),
)
const pair = constantFrom(1, 3, 19)
const value = integer({ min: 1, max: 9 }).map((n) => n * 10_000)
const points = uniqueArray(record({ pair, at, buy: value, sell: value }), {
  maxLength: 25,
  selector: (point) => `${point.pair} ${point.at}`,
})
const correction = record({
  which: integer({ min: 0, max: 24 }),
  sell: value,
  removes: constantFrom(true, false),
})
const path = record({
  day: integer({ min: 0, max: 2 }).map((days) => addDays(FIRST, days)),
  time: constantFrom('', '?time=00:00', '?time=12:00', '?time=12:00:01', '?time=23:59:59'),
  rest: constantFrom('', '/usd', '/usd/blue', '/arg/uva', '/eur/bna'),
}).map(({ day, time, rest }) => `/api/v2/date/${day}${rest}${time}`)

it('whatever the points, corrections and instants, the document answers as the database does', async () => {
  await assert(
    asyncProperty(
      points,
      array(correction, { maxLength: 3 }),
      array(path, { minLength: 1, maxLength: 6 }),
      async (stored, corrections, paths) => {
        await begin(stored)
        let now = LATER
        await seedCycle(now)
        const before = openCounted(now)
        for (const path of paths) await before.get(path)

        for (const { which, sell, removes } of corrections) {
          const point = stored[which]
          if (!point) continue
          const where = { pair: pairById(point.pair)!, at: point.at, reason: 'test', now }
          await (removes
            ? removePoint(env.DB, where)
            : replacePoint(env.DB, { ...where, buy: 10_000, sell }))
        }
        now += 5 * MINUTE_MS
        await seedCycle(now)
        before.clock.now = now
        const elsewhere = openCounted(now)
        for (const path of paths) await elsewhere.get(path)
        const documents = await Promise.all(paths.map((path) => openCounted(now).get(path)))
        const kept = await Promise.all(paths.map((path) => before.get(path)))

        await seedBoard(now, { historyRevision: undefined })
        const database = openCounted(now)
        for (const [index, path] of paths.entries()) {
          const { trips, ...answer } = await database.get(path)
          expect(trips).toBe(1)
          expect(documents[index]).toMatchObject(answer)
          expect(kept[index]).toMatchObject(answer)
          // Only days before the first value are not in KV.
          if (answer.body.includes('"sell":1') || /"sell":[2-9]/.test(answer.body)) {
            expect(documents[index]!.trips).toBe(0)
          }
        }
      },
    ),
    { numRuns: 40 },
  )
}, 60_000)

async function begin(points: readonly object[]): Promise<void> {
  const { keys } = await env.BOARD.list()
  await Promise.all(keys.map(({ name }) => env.BOARD.delete(name)))
  await env.DB.batch([
    env.DB.prepare('delete from points'),
    env.DB.prepare('delete from daily_candles'),
    env.DB.prepare(
      `insert into points select value ->> 'pair', value ->> 'at', value ->> 'buy', value ->> 'sell', 'test'
       from json_each(?)`,
    ).bind(JSON.stringify(points)),
  ])
}
