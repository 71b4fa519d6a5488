import { expect, it } from 'vitest'
import { MAX_CONNECTIONS } from '../../../shared/db/deliveries/batch.ts'
import { MAX_PER_HOST } from '../../../workers/delivery/consume/host-slots.ts'
import { aroundBatch, loseConnection, withBatch } from '../../support/batched-db.ts'
import { countCost } from '../../support/counted-db.ts'
import {
  deliveryRow,
  outstanding,
  seedDelivery,
  seedWebhook,
} from '../../support/delivery-seeds.ts'
import { createFixture } from '../../support/delivery-fixture.ts'
import { env } from '../../support/env.ts'
import { countingReceivers, reallySleep, seedEach } from '../../support/delivery-runs.ts'

it('a batch of 25 hints is sent five at a time, within the budget of each attempt', async () => {
  const ids = await seedEach(25)
  const { db, cost } = countCost(env.DB)
  const receivers = countingReceivers()
  const fixture = createFixture(receivers.answer, { db, sleep: reallySleep })

  const messages = await fixture.hint(...ids)

  expect(fixture.posts).toHaveLength(25)
  expect(receivers.seen.most).toBe(5)
  expect(messages).toSatisfy((all: { acked: boolean }[]) => all.every(({ acked }) => acked))
  expect(await outstanding()).toBe(0)
  expect(cost.roundTrips).toBeLessThanOrEqual(2 * 25)
  expect(cost.read).toBeLessThanOrEqual(25 * 25)
  expect(cost.written).toBeLessThanOrEqual(10 * 25)
})

it('a host gets twenty attempts at once, however many invocations send to it', async () => {
  const ids = await seedEach(40, () => 'one.example.com')
  const receivers = countingReceivers()
  const fixture = createFixture(receivers.answer)

  await fixture.hint(...ids.slice(0, 10))
  await Promise.all([fixture.hint(...ids.slice(10, 30)), fixture.hint(...ids.slice(30))])
  await fixture.drain()

  expect(fixture.posts).toHaveLength(40)
  expect(receivers.seen.most).toBeLessThanOrEqual(MAX_PER_HOST + MAX_CONNECTIONS)
  expect(await outstanding()).toBe(0)
})

it('rows that find no slot, because every receiver hangs, go to another invocation', async () => {
  const release = Promise.withResolvers<number>()
  const hanging = await seedEach(5, (index) => `slow${index}.example.com`)
  const healthy = await seedEach(3)
  const fixture = createFixture(({ host }) => (host.startsWith('slow') ? release.promise : 204))

  const stuck = fixture.hint(...hanging, ...healthy)
  await expect.poll(() => fixture.messages.map(({ deliveryId }) => deliveryId)).toEqual(healthy)
  await fixture.drain()
  for (const id of healthy) expect(await deliveryRow(id)).toMatchObject({ status: 'delivered' })

  release.resolve(204)
  await stuck
  expect(await outstanding()).toBe(0)
})

it('what is left after twelve seconds goes to another invocation', async () => {
  const ids = await seedEach(12)
  const fixture = createFixture(() => {
    fixture.set(fixture.at() + 4000)
    return 204
  })

  await fixture.hint(...ids)

  expect(fixture.posts.length).toBeLessThan(12)
  expect(fixture.posts.length + fixture.messages.length).toBe(12)
  await fixture.drain()
  expect(fixture.posts).toHaveLength(12)
})

it('an outcome whose write loses its answer is written once, and its retry enqueued', async () => {
  const ids = await seedEach(5)
  const fixture = createFixture(() => 500, { db: withBatch(2, { after: loseConnection }) })

  await fixture.hint(...ids)

  expect(fixture.posts).toHaveLength(5)
  for (const id of ids)
    expect(await deliveryRow(id)).toMatchObject({ status: 'failed', attempts: 1 })
  expect(fixture.messages.map(({ deliveryId }) => deliveryId).toSorted()).toEqual(ids.toSorted())
})

it('a settle that fails once does not stop the next deliveries of its webhooks', async () => {
  const webhooks = [await seedWebhook(), await seedWebhook(), await seedWebhook()]
  const ids: number[] = []
  for (const webhook of [...webhooks, ...webhooks, ...webhooks])
    ids.push(await seedDelivery(webhook))
  const fixture = createFixture(() => 204, { db: withBatch(2, { before: loseConnection }) })

  await fixture.hint(...ids.slice(0, 3))

  expect(fixture.posts).toHaveLength(9)
  expect(await outstanding()).toBe(0)
})

// Of the lease of 20 s, ten are for the attempt and five for writing its outcome.
it.each([5001, 11_000])('a claim whose answer is %i ms late is released unsent', async (ms) => {
  const [id] = (await seedEach(1)) as [number]
  const later = () => fixture.set(fixture.at() + ms)
  const fixture = createFixture(() => 204, { db: withBatch(1, { after: later }) })

  await fixture.hint(id)

  expect(fixture.posts).toEqual([])
  expect(await deliveryRow(id)).toMatchObject({ status: 'pending', attempts: 0, releases: 1 })
  expect(fixture.toNextMessage()).toBe(true)
  await fixture.drain()
  expect(await deliveryRow(id)).toMatchObject({ status: 'delivered', attempts: 1 })
})

it('the slots of an invocation that the platform ended become free', async () => {
  const ids = await seedEach(MAX_PER_HOST + 1, () => 'one.example.com')
  const fixture = createFixture(() => 204)
  const { slots } = fixture.deps
  const dead = Symbol('ended run')
  for (let taken = 0; taken < MAX_PER_HOST; taken += 1) slots.take(dead, 'https://one.example.com')

  await fixture.hint(...ids)
  expect(fixture.posts).toEqual([])

  fixture.set(fixture.at() + 60_000)
  await fixture.sweep()
  await fixture.drain()
  expect(fixture.posts).toHaveLength(ids.length)
  expect(slots.total).toBe(0)
})

/** A database of which some calls fail before they are applied, and counts of its calls. */
function failingDatabase(isFailing: (call: number) => boolean) {
  const calls = { count: 0, queries: 0, now: 0, most: 0 }
  const db = aroundBatch(async (run, { length }) => {
    calls.most = Math.max(calls.most, (calls.now += 1))
    calls.queries += length
    try {
      return isFailing((calls.count += 1)) ? loseConnection() : await run()
    } finally {
      calls.now -= 1
    }
  })
  return { db, calls }
}

it('an invocation makes less than a thousand queries, even if every attempt fails', async () => {
  const ids = await seedEach(200)
  const { db, cost } = countCost(env.DB)
  const fixture = createFixture(() => 500, { db })

  await fixture.hint(...ids)

  expect(cost.queries).toBeLessThan(1000)
  expect(fixture.posts.length).toBeGreaterThan(50)
  const due = fixture.messages.filter(({ at }) => at <= fixture.at())
  expect(fixture.posts.length + due.length).toBe(200)
})

it('and even if the database fails, one call at a time', async () => {
  const ids = await seedEach(200)
  const { db, calls } = failingDatabase((call) => call % 2 === 0)
  const fixture = createFixture(() => 500, { db })

  await fixture.hint(...ids)

  expect(calls.queries).toBeLessThan(1000)
  expect(calls.most).toBe(1)
  const due = fixture.messages.filter(({ at }) => at <= fixture.at())
  const later = fixture.messages.filter(({ at }) => at > fixture.at())
  expect(fixture.posts.length + due.length).toBe(200)
  expect(later).toHaveLength(fixture.posts.length)
  for (const { deliveryId } of later)
    expect(await deliveryRow(deliveryId)).toMatchObject({ status: 'failed', attempts: 1 })
})

it('outcomes are written when a database out of reach is back', async () => {
  const ids = await seedEach(5)
  const { db } = failingDatabase((call) => call >= 2 && call <= 6)
  const fixture = createFixture(() => 204, { db })

  await fixture.hint(...ids)

  for (const id of ids)
    expect(await deliveryRow(id)).toMatchObject({ status: 'delivered', attempts: 1 })
  expect(await outstanding()).toBe(0)
})

it('a database out of reach is not called for each outcome', async () => {
  const ids = await seedEach(5)
  const { db, calls } = failingDatabase((call) => call >= 2)
  const fixture = createFixture(() => 204, { db })

  await fixture.hint(...ids)

  // The claim, the settle, two of the five at each of four tries, and the peek at what follows.
  expect(calls.count).toBe(11)
  for (const id of ids) expect(await deliveryRow(id)).toMatchObject({ status: 'sending' })
})

it('outcomes that the database refuses do not stop others', async () => {
  const ids = await seedEach(5)
  await env.DB.prepare(
    `create trigger refused before update on deliveries
     when new.status = 'delivered' and new.id in (${ids[0]}, ${ids[1]})
     begin select raise(abort, 'refused'); end`,
  ).run()

  await createFixture().hint(...ids)
  await env.DB.prepare('drop trigger refused').run()

  const statuses = await Promise.all(ids.map(async (id) => (await deliveryRow(id))?.status))
  expect(statuses).toEqual(['sending', 'sending', 'delivered', 'delivered', 'delivered'])
})
