import { expect, it } from 'vitest'
import { settleAndClaim } from '../../../workers/delivery/db/settle-and-claim.ts'
import { HOLD_MS } from '../../../workers/delivery/consume/plan-next.ts'
import { Prefetch } from '../../../workers/delivery/consume/prefetch.ts'
import { START_POLL_MS } from '../../../workers/delivery/consume/consume.ts'
import { MAX_PER_HOST } from '../../../workers/delivery/consume/host-slots.ts'
import { countCost } from '../../support/counted-db.ts'
import {
  deliveryRow,
  NOW,
  outstanding,
  seedDelivery,
  seedWebhook,
} from '../../support/delivery-seeds.ts'
import { createFixture } from '../../support/delivery-fixture.ts'
import { env } from '../../support/env.ts'
import { countingReceivers, reallySleep, seedEach } from '../../support/delivery-runs.ts'
import { changeRows } from '../../support/rows.ts'

/** So long that nothing is written before every claim has ended. */
function sleepLong(ms: number): Promise<void> {
  return reallySleep(100 * ms)
}

const PATIENT = { timeout: 10_000 }

const AT_ONE_HOST = () => 'one.example.com'

it('for a quick host twice as many are prefetched, and share round trips', async () => {
  const ids = await seedEach(45, AT_ONE_HOST)
  const { db, cost } = countCost(env.DB)
  const receivers = countingReceivers()
  const fixture = createFixture(receivers.answer, { db, sleep: sleepLong })

  await fixture.hint(...ids)

  expect(fixture.posts).toHaveLength(45)
  expect(receivers.seen.most).toBe(5)
  // Five, then fifteen at a time: one claim, three settles with claims, and the settle of the last ten.
  expect(cost.roundTrips).toBe(5)
  expect(await outstanding()).toBe(0)
})

/** A host takes five of 25, then hangs: five attempts hang, ten claims are prefetched. */
async function stallAfterFive(sentBefore: number | null = null) {
  const release = Promise.withResolvers<number>()
  const held = Promise.withResolvers<void>()
  const ids = await seedEach(25, AT_ONE_HOST)
  if (sentBefore !== null)
    await changeRows('deliveries', {
      status: 'failed',
      attempts: 1,
      errorType: 'http',
      lastAttemptAt: sentBefore,
    })
  let count = 0
  const fixture = createFixture(() => (++count <= 5 || count > 10 ? 204 : release.promise), {
    sleep: (ms) => (ms === HOLD_MS ? held.promise : reallySleep(ms)),
  })
  const running = fixture.hint(...ids)
  await expect.poll(() => fixture.posts.length, PATIENT).toBe(10)

  const posted = fixture.posts.map(({ deliveryId }) => deliveryId)
  const rows = (await Promise.all(ids.map(deliveryRow))).map((row) => row!)
  const unsent = rows.filter((row) => !posted.includes(String(row.delivery_id)))
  const prefetched = unsent.filter(({ status }) => status === 'sending')
  expect(unsent).toHaveLength(15)
  expect(prefetched).toHaveLength(10)
  const end = async () => {
    release.resolve(204)
    await running
  }
  return { fixture, ids, prefetched, holdIsOver: held.resolve, end }
}

it('prefetched claims of a host that stalls go to another invocation, and were no attempts', async () => {
  const { fixture, ids, prefetched, holdIsOver, end } = await stallAfterFive()

  holdIsOver()
  await expect.poll(() => fixture.messages, PATIENT).toHaveLength(15)
  for (const { id } of prefetched)
    expect(await deliveryRow(Number(id))).toMatchObject({
      status: 'pending',
      attempts: 0,
      releases: 0,
      error_type: null,
      last_attempt_at: null,
    })
  await fixture.drain()
  await end()

  expect(fixture.posts).toHaveLength(25)
  for (const id of ids)
    expect(await deliveryRow(id)).toMatchObject({ status: 'delivered', attempts: 1 })
  expect(fixture.deps.slots.total).toBe(0)
})

it('a returned claim keeps the instant of its last attempt', async () => {
  const { fixture, prefetched, holdIsOver, end } = await stallAfterFive(NOW - 30_000)

  holdIsOver()
  await expect.poll(() => fixture.messages, PATIENT).toHaveLength(15)
  for (const { id } of prefetched)
    expect(await deliveryRow(Number(id))).toMatchObject({
      status: 'failed',
      attempts: 1,
      last_attempt_at: NOW - 30_000,
    })
  await fixture.drain()
  await end()
})

it('nothing is prefetched for a host that has begun to fail', async () => {
  const release = Promise.withResolvers<number>()
  const ids = await seedEach(40, AT_ONE_HOST)
  let count = 0
  const answer = () => (++count <= 5 ? 204 : count <= 20 ? 500 : release.promise)
  const fixture = createFixture(answer, { sleep: reallySleep })
  const running = fixture.hint(...ids)
  await expect.poll(() => fixture.posts.length, PATIENT).toBe(25)

  const rows = await Promise.all(ids.map(deliveryRow))
  expect(rows.filter((row) => row!.status === 'sending')).toHaveLength(5)

  release.resolve(204)
  await running
  await fixture.drain()
  expect(await outstanding()).toBe(15)
})

it('a prefetched claim is cancelled when its webhook is paused before it begins', async () => {
  const { fixture, prefetched, holdIsOver, end } = await stallAfterFive()
  const webhooks = JSON.stringify(prefetched.map((row) => row.subscription_id))
  await env.DB.prepare(
    `update subscriptions set state = 'manual', enabled = 0
     where id in (select value from json_each(?1))`,
  )
    .bind(webhooks)
    .run()

  holdIsOver()
  await expect.poll(() => fixture.messages, PATIENT).toHaveLength(5)
  await fixture.drain()
  await end()

  for (const { id } of prefetched)
    expect(await deliveryRow(Number(id))).toMatchObject({ status: 'cancelled', attempts: 0 })
  expect(fixture.posts).toHaveLength(15)
  expect(await outstanding()).toBe(0)
})

it('nothing is prefetched for a host that stalled, and the database is not called while it hangs', async () => {
  const release = Promise.withResolvers<number>()
  const ids = await seedEach(100, AT_ONE_HOST)
  const { db, cost } = countCost(env.DB)
  // No wait ends before all four invocations send.
  const all = Promise.withResolvers<number>()
  let count = 0
  const answer = () => {
    count += 1
    if (count === MAX_PER_HOST) all.resolve(204)
    return count <= MAX_PER_HOST ? all.promise : release.promise
  }
  const sleep = async (ms: number) => {
    if (ms !== START_POLL_MS) await all.promise
    await reallySleep(ms / 10)
  }
  const fixture = createFixture(answer, { db, sleep })
  const running = [0, 25, 50, 75].map((start) => fixture.hint(...ids.slice(start, start + 25)))
  await expect.poll(() => fixture.posts.length, PATIENT).toBe(2 * MAX_PER_HOST)

  // Ten of each invocation. What is held in memory stays there.
  await expect.poll(() => fixture.messages, PATIENT).toHaveLength(40)
  const asked = cost.roundTrips
  await reallySleep(300)
  expect(cost.roundTrips).toBe(asked)
  expect(fixture.messages).toHaveLength(40)

  release.resolve(204)
  await Promise.all(running)
  await fixture.drain()
  expect(fixture.posts).toHaveLength(100)
  expect(await outstanding()).toBe(0)
})

it('when a returned claim is cancelled, the next of its webhook is enqueued', async () => {
  const { fixture, prefetched, holdIsOver, end } = await stallAfterFive()
  const [{ id: first, subscription_id: webhook }] = prefetched as [Record<string, unknown>]
  await changeRows('subscriptions', { revision: 2 }, { id: String(webhook) })
  const sync = await seedDelivery(String(webhook), { type: 'sync', revision: 2 })
  await fixture.hint(sync)
  expect(await deliveryRow(sync)).toMatchObject({ status: 'pending' })

  holdIsOver()
  await expect
    .poll(() => fixture.messages.map(({ deliveryId }) => deliveryId), PATIENT)
    .toContain(sync)
  await fixture.drain()
  await end()

  expect(await deliveryRow(Number(first))).toMatchObject({ status: 'cancelled', attempts: 0 })
  expect(await deliveryRow(sync)).toMatchObject({ status: 'delivered' })
  expect(await outstanding()).toBe(0)
})

/** No wait of the engine ends, so what is sent is sent at once. */
const neverSleep = () => new Promise<void>(() => {})

it('prefetched claims are returned at once when no attempt is under way', async () => {
  const ids = await seedEach(15, () => 'quick.example.com')
  const other = Symbol('another run')
  const taken = Array.from({ length: MAX_PER_HOST }, () => 'https://quick.example.com')
  const allAreOver = Promise.withResolvers<void>()
  const fixture = createFixture(
    () => {
      // Behind the sixth to the tenth, the last five are prefetched; now their host has no slot.
      if (fixture.posts.length > 5) {
        for (const host of taken.splice(0)) fixture.deps.slots.take(other, host)
        setTimeout(allAreOver.resolve, 20)
      }
      return 204
    },
    { sleep: (ms) => (ms === HOLD_MS ? allAreOver.promise : neverSleep()) },
  )

  await fixture.hint(...ids)

  expect(fixture.posts).toHaveLength(10)
  expect(fixture.messages.map(({ deliveryId }) => deliveryId)).toEqual(ids.slice(10))
})

it('nothing is prefetched for a host whose claims were returned', async () => {
  const ids = await seedEach(1)
  const { claims } = await settleAndClaim(
    env.DB,
    { wanted: { claim: { ids }, token: 'mine' } },
    NOW,
  )
  const claim = claims[0]!
  const prefetch = new Prefetch()
  const deliver = () =>
    prefetch.note({
      claim,
      outcome: { status: 'delivered', code: 204 },
      startedAt: NOW,
      endedAt: NOW,
    })
  deliver()
  expect([...prefetch.hosts]).toEqual([claim.host])

  prefetch.add([claim], NOW)
  prefetch.returned([claim])
  expect(prefetch.held).toEqual([])
  deliver()
  expect([...prefetch.hosts]).toEqual([])
})

it('a prefetched claim takes the slot of a row that another invocation took', async () => {
  const hosts = ['quick', 'taken', 'quick']
  const ids = await seedEach(15, (index) => `${hosts[Math.floor(index / 5)]}.example.com`)
  const taken = JSON.stringify(ids.slice(5, 10))
  const fixture = createFixture(
    async () => {
      await env.DB.prepare(
        `update deliveries set status = 'delivered', resolved_at = 1 where id in (select value from json_each(?1))`,
      )
        .bind(taken)
        .run()
      return 204
    },
    { sleep: neverSleep },
  )

  await fixture.hint(...ids)

  expect(fixture.posts.map(({ host }) => host)).toEqual(Array(10).fill('quick.example.com'))
})

it('the next of a webhook that has moved to another host is sent at once', async () => {
  const webhook = await seedWebhook({ host: 'old.example.com' })
  const first = await seedDelivery(webhook, { host: 'old.example.com' })
  await seedDelivery(webhook, { host: 'new.example.com' })
  const fixture = createFixture(() => 204, { sleep: neverSleep })

  await fixture.hint(first)

  expect(fixture.posts).toHaveLength(2)
  expect(await outstanding()).toBe(0)
})
