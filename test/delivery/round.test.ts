import { expect, it } from 'vitest'
import { MAX_CONNECTIONS } from '../../workers/delivery/connections.ts'
import { MAX_PER_HOST } from '../../workers/delivery/in-flight.ts'
import { countCost } from '../support/counted-db.ts'
import { deliveryRow, outstanding, seedDelivery, seedWebhook } from '../support/delivery-seeds.ts'
import { createWorld } from '../support/delivery-world.ts'
import { env } from '../support/env.ts'

/** One delivery for each of so many webhooks, each at a host of its own. */
async function seedEach(count: number, host = (index: number) => `h${index}.example.com`) {
  const ids: number[] = []
  for (let index = 0; index < count; index += 1)
    ids.push(await seedDelivery(await seedWebhook({ host: host(index) }), { host: host(index) }))
  return ids
}

/** With a sleep that ends at once, what waits for a place would go to other invocations. */
function reallySleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

/** So that nothing is written before all is over that was claimed. */
function sleepLong(ms: number): Promise<void> {
  return reallySleep(100 * ms)
}

/** Receivers that count how many of them answer at once. */
function countingReceivers() {
  const seen = { now: 0, most: 0 }
  return {
    seen,
    async answer() {
      seen.now += 1
      seen.most = Math.max(seen.most, seen.now)
      await new Promise((resolve) => setTimeout(resolve, 1))
      seen.now -= 1
      return 204
    },
  }
}

it('a batch of 25 hints is sent five at a time, within the budget of each attempt', async () => {
  const ids = await seedEach(25)
  const { db, cost } = countCost(env.DB)
  const receivers = countingReceivers()
  const world = createWorld(receivers.answer, { db, sleep: reallySleep })

  const messages = await world.hint(...ids)

  expect(world.posts).toHaveLength(25)
  expect(receivers.seen.most).toBe(5)
  expect(messages).toSatisfy((all: { acked: boolean }[]) => all.every(({ acked }) => acked))
  expect(await outstanding()).toBe(0)
  expect(cost.roundTrips).toBeLessThanOrEqual(2 * 25)
  expect(cost.read).toBeLessThanOrEqual(25 * 25)
  expect(cost.written).toBeLessThanOrEqual(10 * 25)
})

it('a host gets twenty at once, whatever number of invocations has something for it', async () => {
  const ids = await seedEach(40, () => 'one.example.com')
  const receivers = countingReceivers()
  const world = createWorld(receivers.answer)

  await world.hint(...ids.slice(0, 10))
  await Promise.all([world.hint(...ids.slice(10, 30)), world.hint(...ids.slice(30))])
  await world.drain()

  expect(world.posts).toHaveLength(40)
  expect(receivers.seen.most).toBeLessThanOrEqual(MAX_PER_HOST + MAX_CONNECTIONS)
  expect(await outstanding()).toBe(0)
})

it('rows that wait while every receiver hangs go to another invocation', async () => {
  const release = Promise.withResolvers<number>()
  const hanging = await seedEach(5, (index) => `slow${index}.example.com`)
  const healthy = await seedEach(3)
  const world = createWorld(({ host }) => (host.startsWith('slow') ? release.promise : 204))

  const stuck = world.hint(...hanging, ...healthy)
  await expect.poll(() => world.messages.map(({ deliveryId }) => deliveryId)).toEqual(healthy)
  await world.drain()
  for (const id of healthy) expect(await deliveryRow(id)).toMatchObject({ status: 'delivered' })

  release.resolve(204)
  await stuck
  expect(await outstanding()).toBe(0)
})

it('after fifteen seconds the rest is another invocation’s', async () => {
  const ids = await seedEach(12)
  const world = createWorld(() => {
    world.set(world.at() + 4000)
    return 204
  })

  await world.hint(...ids)

  expect(world.posts.length).toBeLessThan(12)
  expect(world.posts.length + world.messages.length).toBe(12)
  await world.drain()
  expect(world.posts).toHaveLength(12)
})

/** The real database, but what its `nth` batch does besides: before it is applied, and after. */
function withBatch(nth: number, { before, after }: { before?: () => void; after?: () => void }) {
  let calls = 0
  return new Proxy(env.DB, {
    get(target, name) {
      const value = Reflect.get(target, name) as unknown
      if (name !== 'batch') return typeof value === 'function' ? value.bind(target) : value
      return async (statements: D1PreparedStatement[]) => {
        const isIt = ++calls === nth
        if (isIt) before?.()
        const results = await target.batch(statements)
        if (isIt) after?.()
        return results
      }
    },
  })
}

function fail(): never {
  throw new Error('D1_ERROR: Network connection lost.')
}

it('an outcome that the database loses once is written all the same, and its retry announced', async () => {
  const ids = await seedEach(5)
  const world = createWorld(() => 500, { db: withBatch(2, { after: fail }) })

  await world.hint(...ids)

  expect(world.posts).toHaveLength(5)
  for (const id of ids)
    expect(await deliveryRow(id)).toMatchObject({ status: 'failed', attempts: 1 })
  expect(world.messages.map(({ deliveryId }) => deliveryId).toSorted()).toEqual(ids.toSorted())
})

it('a turn that fails once does not keep the next of its webhooks from going out', async () => {
  const webhooks = [await seedWebhook(), await seedWebhook(), await seedWebhook()]
  const ids: number[] = []
  for (const webhook of [...webhooks, ...webhooks, ...webhooks])
    ids.push(await seedDelivery(webhook))
  const world = createWorld(() => 204, { db: withBatch(2, { before: fail }) })

  await world.hint(...ids.slice(0, 3))

  expect(world.posts).toHaveLength(9)
  expect(await outstanding()).toBe(0)
})

it('a claim that is answered too late for its lease is given back unsent', async () => {
  const [id] = (await seedEach(1)) as [number]
  const later = () => world.set(world.at() + 11_000)
  const world = createWorld(() => 204, { db: withBatch(1, { after: later }) })

  await world.hint(id)

  expect(world.posts).toEqual([])
  expect(await deliveryRow(id)).toMatchObject({ status: 'pending', attempts: 0, releases: 1 })
  expect(world.toNextMessage()).toBe(true)
  await world.drain()
  expect(await deliveryRow(id)).toMatchObject({ status: 'delivered', attempts: 1 })
})

it('the places of an invocation that the platform ended come back', async () => {
  const ids = await seedEach(MAX_PER_HOST + 1, () => 'one.example.com')
  const world = createWorld(() => 204)
  const { inFlight } = world.deps
  inFlight.begin(Array.from({ length: MAX_PER_HOST }, () => 'https://one.example.com'))

  await world.hint(...ids)
  expect(world.posts).toEqual([])

  world.set(world.at() + 60_000)
  await world.sweep()
  await world.drain()
  expect(world.posts).toHaveLength(ids.length)
  expect(inFlight.total).toBe(0)
})

const AT_ONE_HOST = () => 'one.example.com'

it('behind a quick host as many again are claimed, and share its round trips', async () => {
  const ids = await seedEach(45, AT_ONE_HOST)
  const { db, cost } = countCost(env.DB)
  const receivers = countingReceivers()
  const world = createWorld(receivers.answer, { db, sleep: sleepLong })

  await world.hint(...ids)

  expect(world.posts).toHaveLength(45)
  expect(receivers.seen.most).toBe(5)
  // Five, and then ten at a time: one claim, four turns, and the one that writes the last ten.
  expect(cost.roundTrips).toBe(6)
  expect(await outstanding()).toBe(0)
})

/** A host takes five of twenty, and then hangs: five hang, five were claimed to follow them. */
async function stallAfterFive() {
  const release = Promise.withResolvers<number>()
  const ids = await seedEach(20, AT_ONE_HOST)
  let count = 0
  const world = createWorld(() => (++count <= 5 || count > 10 ? 204 : release.promise), {
    sleep: reallySleep,
  })
  const running = world.hint(...ids)
  await expect.poll(() => world.posts.length).toBe(10)

  const posted = world.posts.map(({ deliveryId }) => deliveryId)
  const rows = (await Promise.all(ids.map(deliveryRow))).map((row) => row!)
  const unsent = rows.filter((row) => !posted.includes(String(row.delivery_id)))
  const ahead = unsent.filter(({ status }) => status === 'sending')
  expect(unsent).toHaveLength(10)
  expect(ahead).toHaveLength(5)
  const end = async () => {
    release.resolve(204)
    await running
  }
  return { world, ids, ahead, end }
}

it('what was claimed to follow a host that stalls is another invocation’s, and was no attempt', async () => {
  const { world, ids, ahead, end } = await stallAfterFive()

  await expect.poll(() => world.messages).toHaveLength(10)
  for (const { id } of ahead)
    expect(await deliveryRow(Number(id))).toMatchObject({
      status: 'pending',
      attempts: 0,
      releases: 0,
      error_type: null,
      last_attempt_at: null,
    })
  await world.drain()
  await end()

  expect(world.posts).toHaveLength(20)
  for (const id of ids)
    expect(await deliveryRow(id)).toMatchObject({ status: 'delivered', attempts: 1 })
  expect(world.deps.inFlight.total).toBe(0)
})

it('nothing more is claimed to follow at a host that has begun to fail', async () => {
  const release = Promise.withResolvers<number>()
  const ids = await seedEach(30, AT_ONE_HOST)
  let count = 0
  const answer = () => (++count <= 5 ? 204 : count <= 15 ? 500 : release.promise)
  const world = createWorld(answer, { sleep: reallySleep })
  const running = world.hint(...ids)
  await expect.poll(() => world.posts.length).toBe(20)

  const rows = await Promise.all(ids.map(deliveryRow))
  expect(rows.filter((row) => row!.status === 'sending')).toHaveLength(5)

  release.resolve(204)
  await running
  await world.drain()
  expect(await outstanding()).toBe(10)
})

it('what was claimed to follow is cancelled when its webhook is paused before it could', async () => {
  const { world, ahead, end } = await stallAfterFive()
  const webhooks = JSON.stringify(ahead.map((row) => row.webhook_id))
  await env.DB.prepare(
    `update webhooks set state = 'manual', enabled = 0
     where id in (select value from json_each(?1))`,
  )
    .bind(webhooks)
    .run()

  await expect.poll(() => world.messages).toHaveLength(5)
  await world.drain()
  await end()

  for (const { id } of ahead)
    expect(await deliveryRow(Number(id))).toMatchObject({ status: 'cancelled', attempts: 0 })
  expect(world.posts).toHaveLength(15)
  expect(await outstanding()).toBe(0)
})

it('an invocation asks the database less than a thousand times, though every attempt fails', async () => {
  const ids = await seedEach(200)
  const { db, cost } = countCost(env.DB)
  const world = createWorld(() => 500, { db })

  await world.hint(...ids)

  expect(cost.queries).toBeLessThan(1000)
  expect(world.posts.length).toBeGreaterThan(100)
  const due = world.messages.filter(({ at }) => at <= world.at())
  expect(world.posts.length + due.length).toBe(200)
})
