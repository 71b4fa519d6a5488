import { expect, it } from 'vitest'
import { aroundBatch, loseConnection, withBatch } from '../../support/faulty-database.ts'
import { measuredDatabase } from '../../support/measured-database.ts'
import {
  NOW,
  insertDelivery,
  readDelivery,
  readOutstanding,
  seedWebhook,
} from '../../support/webhooks.ts'
import { createFixture } from '../../support/delivery-fixture.ts'
import { env } from '../../support/env.ts'
import { countRows, readRows } from '../../support/rows.ts'

/** Seeds one delivery for each of `count` webhooks, each at its own host. */
async function seedEach(count: number, host = (index: number) => `h${index}.example.com`) {
  const ids: number[] = []
  for (let index = 0; index < count; index += 1)
    ids.push(await insertDelivery(await seedWebhook({ host: host(index) }), { host: host(index) }))
  return ids
}

/** If the sleep ended at once, a waiting run would poll without a pause. */
const reallySleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

it('a batch of 25 hints is sent five at a time', async () => {
  const ids = await seedEach(25)
  const seen = { now: 0, most: 0 }
  const fixture = createFixture(
    async () => {
      seen.now += 1
      seen.most = Math.max(seen.most, seen.now)
      await reallySleep(1)
      seen.now -= 1
      return 204
    },
    { sleep: reallySleep },
  )
  const messages = await fixture.hint(...ids)

  expect(fixture.posts).toHaveLength(25)
  expect(seen.most).toBe(5)
  expect(messages.every(({ retried }) => retried === undefined)).toBe(true)
  expect(await readOutstanding()).toBe(0)
})

it('a receiver that hangs takes two connections of a batch, and other receivers get theirs meanwhile', async () => {
  const release = Promise.withResolvers<number>()
  const hanging = await seedEach(10, () => 'slow.example.com')
  const healthy = await seedEach(10)
  const fixture = createFixture(({ host }) => (host === 'slow.example.com' ? release.promise : 204))

  const running = fixture.hint(...hanging, ...healthy)
  await expect
    .poll(async () => (await readRows('deliveries', { status: 'delivered' })).map(({ id }) => id))
    .toEqual(healthy)
  expect(fixture.posts.filter(({ host }) => host === 'slow.example.com').length).toBeLessThan(6)

  release.resolve(204)
  await running
  await fixture.drain()
  expect(await readOutstanding()).toBe(0)
})

it('claims without a connection, because every receiver hangs, are released without an attempt', async () => {
  const release = Promise.withResolvers<number>()
  const hanging = await seedEach(5, (index) => `slow${index}.example.com`)
  const behind = await seedEach(3)
  const fixture = createFixture(({ host }) => (host.startsWith('slow') ? release.promise : 204), {
    sleep: reallySleep,
  })
  const running = fixture.hint(...hanging, ...behind)
  await expect.poll(() => fixture.posts.length).toBe(5)
  fixture.set(fixture.at() + 2000)
  await expect.poll(() => fixture.messages.length, { timeout: 5000 }).toBeGreaterThan(0)

  expect(fixture.messages.map(({ deliveryId }) => deliveryId)).toEqual(behind)
  const uncharged = { status: 'pending', attempts: 0, releases: 0, errorType: null }
  for (const id of behind)
    expect(await readDelivery(id)).toMatchObject({ ...uncharged, lastAttemptAt: null })

  await fixture.drain()
  for (const id of behind)
    expect(await readDelivery(id)).toMatchObject({ status: 'delivered', attempts: 1 })
  release.resolve(204)
  await running
  expect(await readDelivery(hanging[0]!)).toMatchObject({ lastAttemptAt: NOW })
  await fixture.drain()
  expect(await readOutstanding()).toBe(0)
})

it('a claim is released unsent when the database answers it too late', async () => {
  const [id] = (await seedEach(1)) as [number]
  // Of the 20 s lease, ten are for the attempt and five for writing its outcome.
  const later = () => fixture.set(fixture.at() + 5001)
  const fixture = createFixture(() => 204, { db: withBatch(1, { after: later }) })

  await fixture.hint(id)

  expect(fixture.posts).toEqual([])
  expect(await readDelivery(id)).toMatchObject({ status: 'pending', attempts: 0, releases: 0 })
  expect(fixture.toNextMessage()).toBe(true)
  await fixture.drain()
  expect(await readDelivery(id)).toMatchObject({ status: 'delivered', attempts: 1 })
})

/** A database in which some calls fail before they are applied, or lose their answer. */
function failingDatabase(isFailing: (call: number) => boolean, isLost = isFailing) {
  const calls = { count: 0, queries: 0, now: 0, most: 0 }
  const db = aroundBatch(async (run, { length }) => {
    calls.most = Math.max(calls.most, (calls.now += 1))
    calls.queries += length
    try {
      if (isFailing((calls.count += 1))) loseConnection()
      const results = await run()
      return isLost(calls.count) ? loseConnection() : results
    } finally {
      calls.now -= 1
    }
  })
  return { db, calls }
}

it('an invocation makes less than a thousand queries, however long the backlog', async () => {
  const first = await seedEach(25)
  const webhooks = (await readRows('deliveries')).map(({ subscriptionId }) => subscriptionId)
  for (let more = 1; more < 20; more += 1)
    for (const webhook of webhooks) await insertDelivery(webhook)
  const { db, spent } = measuredDatabase()
  let posts = 0
  const fixture = createFixture(() => (++posts % 100 === 0 ? 500 : 204), { db })

  await fixture.hint(...first)

  expect(spent().queries).toBeLessThan(1000)
  expect(fixture.posts.length).toBeGreaterThan(50)
  while ((await readOutstanding()) > 0) {
    fixture.toNextMessage()
    await fixture.drain()
  }
  expect(new Set(fixture.posts.map(({ deliveryId }) => deliveryId)).size).toBe(500)
})

it('each outcome is written once while every attempt and every third database call fails', async () => {
  const ids = await seedEach(25)
  const { db, calls } = failingDatabase(
    (call) => call % 6 === 3,
    (call) => call % 6 === 0,
  )
  const fixture = createFixture(() => 500, { db })

  await fixture.hint(...ids)

  expect(calls.queries).toBeLessThan(1000)
  expect(calls.most).toBe(1)
  expect(fixture.messages.map(({ deliveryId }) => deliveryId).toSorted()).toEqual(ids.toSorted())
  for (const id of ids)
    expect(await readDelivery(id)).toMatchObject({ status: 'failed', attempts: 1 })
  expect(await countRows('subscriptions', { consecutiveFailures: 1 })).toBe(25)
})

it('outcomes are written once the database works again, and the next deliveries go out', async () => {
  const ids = await seedEach(5)
  for (const { subscriptionId } of await readRows('deliveries'))
    await insertDelivery(subscriptionId)
  const { db } = failingDatabase((call) => call >= 2 && call <= 5)
  const fixture = createFixture(() => 204, { db })
  await fixture.hint(...ids)

  for (const id of ids)
    expect(await readDelivery(id)).toMatchObject({ status: 'delivered', attempts: 1 })
  await fixture.drain()
  expect(fixture.posts).toHaveLength(10)
  expect(await readOutstanding()).toBe(0)
})

it('an outcome that the database refuses does not stop the others', async () => {
  const ids = await seedEach(5)
  await env.DB.prepare(
    `create trigger refused before update on deliveries
     when new.status = 'delivered' and new.id in (${ids[0]}, ${ids[1]})
     begin select raise(abort, 'refused'); end`,
  ).run()

  await createFixture().hint(...ids)
  await env.DB.prepare('drop trigger refused').run()

  const statuses = await Promise.all(ids.map(async (id) => (await readDelivery(id))?.status))
  expect(statuses).toEqual(['sending', 'sending', 'delivered', 'delivered', 'delivered'])
})
