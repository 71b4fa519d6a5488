import { beforeEach, describe, expect, it } from 'vitest'
import { deliveryCounters } from '../../shared/db/status.ts'
import { measuredDatabase, type Spent } from '../support/measured-database.ts'
import { alerts } from '../../shared/subscriptions/alerts.ts'
import { seedAccount } from '../support/accounts.ts'
import { createAlertAt } from '../support/alerts.ts'
import {
  insertDelivery,
  management,
  NOW,
  seedNotice,
  seedQuote,
  seedWebhook,
  setOutstanding,
} from '../support/webhooks.ts'
import { createFixture } from '../support/delivery-fixture.ts'
import { env } from '../support/env.ts'
import { fromNumbers, insertRows } from '../../tools/prove/harness/rows.ts'
import { countRows, seedRows } from '../support/rows.ts'

const FINISHED = 20_000

/** Seeds finished deliveries of many webhooks, including `webhook`. */
function seedFinished(webhook: string): Promise<void> {
  const yesterday = NOW - 86_400_000
  return seedRows('deliveries', FINISHED, {
    subscription_id: `case i % 10 when 0 then '${webhook}' else 'webhook ' || (i % 500) end`,
    status: `'delivered'`,
    attempts: 1,
    created_at: yesterday,
    next_attempt_at: yesterday,
    resolved_at: yesterday,
  })
}

/** Seeds waiting deliveries, each of another webhook, or all of `webhook` (SQL). */
function seedWaiting(createdAt: number, lookAt: number | null, webhook = `'waits ' || i`) {
  return seedRows('deliveries', 5000, {
    subscription_id: webhook,
    created_at: createdAt,
    next_attempt_at: createdAt,
    look_at: lookAt,
  })
}

/** Seeds a tally for each five minutes of a day. */
function seedTallies(): Promise<unknown> {
  const ago = '(i - 1) * 300000'
  return env.DB.prepare(
    `insert into delivery_tallies select ${NOW} - ${ago}, 5, 1 ${fromNumbers(289)}`,
  ).run()
}

/** Expects that each figure is at most this. */
function expectCost(cost: Spent, roundTrips: number, read: number, written: number): void {
  expect(cost.roundTrips).toBeLessThanOrEqual(roundTrips)
  expect(cost.rowsRead).toBeLessThanOrEqual(read)
  expect(cost.rowsWritten).toBeLessThanOrEqual(written)
}

describe('with 20,000 finished deliveries in the table', () => {
  let webhook = ''
  beforeEach(async () => {
    webhook = await seedWebhook()
    await seedFinished(webhook)
    expect(await countRows('deliveries')).toBe(FINISHED)
  })

  it.each([
    ['delivered', 204, 0, 3],
    ['failed', 500, 0, 7],
    ['dead', 500, 3, 4],
  ])(
    'an attempt that ends %s (%s): ≤ 2 round trips, ≤ 25 rows read, and rows written within its limit',
    async (_, code, attempts, written) => {
      const id = await insertDelivery(webhook, {
        status: attempts ? 'failed' : 'pending',
        attempts,
      })
      // Not due yet, or the same run would send them too.
      for (let count = 0; count < 10; count += 1)
        await insertDelivery(webhook, { nextAttemptAt: NOW + 60_000 })
      const { db, spent } = measuredDatabase()
      const fixture = createFixture(() => code, { db })

      await fixture.hint(id)

      expect(fixture.posts).toHaveLength(1)
      expectCost(spent(), 2, 25, written)
    },
  )

  it.each([
    ['webhook', 11, 2, 3],
    ['host', 50, 0.2, 3],
  ])(
    'each attempt of a backlog of one %s, of %i: ≤ %d round trips, ≤ 25 rows read, ≤ %d written',
    async (of, count, roundTrips, written) => {
      const ids = []
      const host = 'one.example.com'
      for (let more = 0; more < count; more += 1) {
        const own = of === 'webhook' ? webhook : await seedWebhook({ host })
        ids.push(await insertDelivery(own, { host }))
      }
      const { db, spent } = measuredDatabase()
      const fixture = createFixture(() => 204, { db })
      await fixture.hint(...(of === 'webhook' ? ids.slice(0, 1) : ids))

      expect(fixture.posts).toHaveLength(count)
      expectCost(spent(), roundTrips * count, 25 * count, written * count)
    },
  )

  it('a sweep with 5,000 deliveries just enqueued, 5,000 webhooks without capacity and 100 refused notices: 1 round trip, ≤ 50 rows read, none written', async () => {
    await seedWaiting(NOW, null)
    const owed = { id: 'i', account_id: 'i', state: `iif(i % 2, 'active', 'capacity')` }
    await seedRows('subscriptions', 10_000, { ...owed, sync: `'owed'` })
    const refused = `select id, ${NOW}, null, null, ${NOW + 1} from subscriptions limit 100`
    await env.DB.prepare(`insert into notices ${refused}`).run()
    await setOutstanding(5000)
    await seedTallies()
    await seedQuote('usd/blue', 1410, 1430)
    const { db, spent } = measuredDatabase()
    await createFixture(() => 204, { db, capacity: 5000, sendMail: async () => {} }).sweep()

    expectCost(spent(), 1, 50, 0)
  })

  it('each kind of work, beside 5,000 webhooks and alerts of others: ≤ 200 rows read', async () => {
    await seedQuote('usd/blue', 1410, 1430)
    await seedRows('subscriptions', 5000, { id: `'o' || i`, account_id: 'i', kind: `'alert'` })
    await env.DB.batch(
      [
        insertRows('alerts', { id: 'w.id' }, `from subscriptions w where w.kind = 'alert'`),
        `insert into alert_firings select id, ${NOW}, 'test', '{}' from alerts`,
      ].map((sql) => env.DB.prepare(sql)),
    )
    await seedNotice()
    await seedNotice('old@example.com', NOW - 86_400_000)
    const lease = { status: 'sending', attempts: 1, leaseUntil: NOW - 1, lookAt: NOW - 60_000 }
    await insertDelivery(await seedWebhook(), lease)
    await seedWebhook({ state: 'capacity' })
    const { accountId } = await seedAccount()
    const byMail = await createAlertAt(NOW, accountId, { channel: 'email', url: undefined })
    await alerts.test(management(), { accountId, id: byMail })
    const ids = [
      await insertDelivery(await seedWebhook({ sync: 'made' })),
      await insertDelivery(await seedWebhook({ consecutiveFailures: 9 })),
    ]
    const { db, spent } = measuredDatabase()
    const fixture = createFixture(() => (fixture.posts.length === 1 ? 204 : 500), {
      db,
      sendMail: () => Promise.reject(new Error('not taken')),
    })

    await fixture.hint(...ids)
    await fixture.sweep()

    expect(spent().rowsRead).toBeLessThanOrEqual(200)
  })

  it.each([
    ['just made', null, NOW],
    ['enqueued again', NOW + 30_000, null],
  ])(
    'the counters, with 10,000 that wait, the oldest %s: ≤ 20 rows read',
    async (_, first, second) => {
      await seedWaiting(NOW - 4000, first)
      await seedWaiting(NOW - 3000, second)
      await seedTallies()

      const { db, spent } = measuredDatabase()
      const counters = await deliveryCounters(db, NOW)
      expect(counters).toMatchObject({ oldestWaitingAt: NOW - 4000, deliveredLastHour: 65 })
      expect(spent().rowsRead).toBeLessThanOrEqual(20)
    },
  )
})

it('a sweep of 5,000 deliveries of the system webhook that wait for a retry: ≤ 12 rows read each', async () => {
  const retryAt = NOW + 600_000
  const lookAt = retryAt + 30_000
  await insertDelivery('system', { status: 'failed', nextAttemptAt: retryAt, lookAt })
  await seedWaiting(NOW - 60_000, null, `'system'`)
  const { db, spent } = measuredDatabase()
  await createFixture(() => 204, { db }).sweep()

  expect(await countRows('deliveries', { lookAt })).toBe(1 + 5000)
  expect(spent().rowsRead).toBeLessThanOrEqual(12 * 5000)
})
