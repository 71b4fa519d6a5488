import { expect, it } from 'vitest'
import {
  deliveryRow,
  NOW,
  outstanding,
  seedDelivery,
  seedWebhook,
} from '../support/delivery-seeds.ts'
import { createFixture } from '../support/delivery-fixture.ts'
import { env } from '../support/env.ts'

/** Database calls of the story below. Each fails in one test. */
const CALLS = 24

/** A database that applies its `nth` call and then fails: the answer is lost. */
function failingAt(nth: number) {
  const seen = { calls: 0 }
  async function guarded<Value>(run: () => Promise<Value>): Promise<Value> {
    const call = ++seen.calls
    const result = await run()
    if (call !== nth) return result
    throw new Error('D1_ERROR: Network connection lost.')
  }

  const real = new WeakMap<object, D1PreparedStatement>()
  const wrap = (statement: D1PreparedStatement): D1PreparedStatement => {
    const wrapped = {
      bind: (...values: unknown[]) => wrap(statement.bind(...values)),
      all: () => guarded(() => statement.all()),
      run: () => guarded(() => statement.run()),
      first: () => guarded(() => statement.first()),
    } as unknown as D1PreparedStatement
    real.set(wrapped, statement)
    return wrapped
  }
  const db = {
    prepare: (sql: string) => wrap(env.DB.prepare(sql)),
    batch: (statements: D1PreparedStatement[]) =>
      guarded(() => env.DB.batch(statements.map((statement) => real.get(statement)!))),
  } as unknown as D1Database
  return { db, seen }
}

/**
 * A delivery that fails once, one whose consumer died, one without a hint, an ineligible one and an
 * expired one: claim, settle, expire, cancel, enqueue, prune.
 */
async function story(db: D1Database) {
  const ids = [
    await seedDelivery(await seedWebhook()),
    await seedDelivery(await seedWebhook(), {
      status: 'sending',
      attempts: 1,
      leaseUntil: NOW - 1,
      lookAt: NOW - 60_000,
    }),
    await seedDelivery(await seedWebhook(), { lookAt: null }),
  ]
  const ineligible = await seedDelivery(await seedWebhook({ revision: 2 }), { lookAt: null })
  await seedWebhook({ needsSync: true, syncedRevision: 0 })
  let answers = 0
  const fixture = createFixture(() => (++answers === 1 ? 500 : 204), { db })

  for (let minute = 0; minute < 15; minute += 1) {
    await fixture.sweep().catch(() => {})
    if (minute === 0) await fixture.hint(ids[0]!)
    await fixture.drain()
    fixture.set(fixture.at() + 60_000)
  }
  return { ids, ineligible, posts: fixture.posts }
}

/** Calls that are not applied: failing-statement.test.ts. */
it.each(Array.from({ length: CALLS }, (_, index) => index + 1))(
  'D1 losing the answer of call %i: everything ends, nothing is charged that was not sent, all capacity comes back',
  async (nth) => {
    const { db } = failingAt(nth)
    const { ids, ineligible, posts } = await story(db)

    for (const id of ids) {
      const row = (await deliveryRow(id))!
      expect(row.status).toBe('delivered')
      const sent = posts.filter(({ deliveryId }) => deliveryId === row.delivery_id).length
      // A claim whose answer was lost, and the one that died, are attempts that were not sent.
      expect(Number(row.attempts) - sent).toBeGreaterThanOrEqual(id === ids[1] ? 1 : 0)
      expect(Number(row.attempts) - sent).toBeLessThanOrEqual(id === ids[1] ? 2 : 1)
    }
    expect(await deliveryRow(ineligible)).toMatchObject({ status: 'cancelled', attempts: 0 })
    expect(await outstanding()).toBe(0)
  },
)

it('no call of the story is left out', async () => {
  const { db, seen } = failingAt(0)
  await story(db)
  expect(seen.calls).toBeLessThanOrEqual(CALLS)
})
