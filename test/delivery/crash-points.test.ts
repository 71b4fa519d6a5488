/** A process that dies: at each of five points between a change and the acknowledgement. */
import { describe, expect, it } from 'vitest'
import {
  deliveryRow,
  NOW,
  outstanding,
  seedDelivery,
  seedWebhook,
} from '../support/delivery-seeds.ts'
import { createWorld, message } from '../support/delivery-world.ts'
import { consume } from '../../workers/delivery/consume/consume.ts'
import { HostSlots } from '../../workers/delivery/consume/host-slots.ts'

const MINUTE = 60_000

type World = ReturnType<typeof createWorld>

/** Nothing after it happens. */
const death = () => new Promise<never>(() => {})

/** Consumes a hint in a process that dies on the way: what it was doing is not waited for. */
async function consumeAndDie(world: World, id: number, change: Partial<World['deps']>) {
  const hint = message({ v: 1, deliveryId: id })
  const deps = { ...world.deps, ...change, slots: new HostSlots(world.deps), detach: () => {} }
  void consume(deps, [hint])
  return hint
}

/** Sweeps and consumes, minute by minute, in a new process. */
async function goOn(world: World, minutes = 5): Promise<void> {
  for (let minute = 0; minute < minutes; minute += 1) {
    world.set(world.at() + MINUTE)
    await world.sweep()
    await world.drain()
  }
}

describe('a process that dies', () => {
  it('(a) after the commit, before the queue has the hint: swept, and delivered', async () => {
    const id = await seedDelivery(await seedWebhook(), { hintedAt: NOW })
    const world = createWorld()
    await goOn(world)

    expect(await deliveryRow(id)).toMatchObject({ status: 'delivered', attempts: 1 })
    expect(world.posts).toHaveLength(1)
  })

  it('(b) after the queue has the hint, before it knows: enqueued twice, sent once', async () => {
    const id = await seedDelivery(await seedWebhook(), { hintedAt: NOW })
    const world = createWorld()
    world.messages.push({ deliveryId: id, at: NOW }, { deliveryId: id, at: NOW })
    await world.drain()
    await goOn(world)

    expect(await deliveryRow(id)).toMatchObject({ status: 'delivered', attempts: 1 })
    expect(world.posts).toHaveLength(1)
  })

  it('(c) after the claim, before the POST: interrupted, and tried again', async () => {
    const id = await seedDelivery(await seedWebhook())
    const world = createWorld()
    await consumeAndDie(world, id, { resolve: death })
    await expect.poll(() => deliveryRow(id)).toMatchObject({ status: 'sending', attempts: 1 })

    await goOn(world, 1)
    expect(await deliveryRow(id)).toMatchObject({
      status: 'failed',
      attempts: 1,
      error_type: 'interrupted',
    })
    await goOn(world)
    expect(await deliveryRow(id)).toMatchObject({ status: 'delivered', attempts: 2 })
    expect(world.posts).toHaveLength(1)
  })

  it('(d) after the 2xx, before it is written: sent again, same id and body, counted', async () => {
    const id = await seedDelivery(await seedWebhook())
    const world = createWorld(() => (world.posts.length === 1 ? death() : 204))
    await consumeAndDie(world, id, {})
    await expect.poll(() => world.posts.length).toBe(1)

    await goOn(world)
    expect(await deliveryRow(id)).toMatchObject({ status: 'delivered', attempts: 2 })
    const [first, second, ...more] = world.posts
    expect(more).toEqual([])
    expect([second!.deliveryId, second!.body]).toEqual([first!.deliveryId, first!.body])
    expect(second!.headers['X-Service-Timestamp']).not.toBe(first!.headers['X-Service-Timestamp'])
    expect(second!.headers['X-Service-Signature']).not.toBe(first!.headers['X-Service-Signature'])
  })

  it('(e) after it is written, before the acknowledgement: hinted again, not sent again', async () => {
    const id = await seedDelivery(await seedWebhook())
    const world = createWorld()
    await world.hint(id)
    await world.hint(id)
    await goOn(world)

    expect(await deliveryRow(id)).toMatchObject({ status: 'delivered', attempts: 1 })
    expect(world.posts).toHaveLength(1)
  })
})

it('after every such death the places are given back', async () => {
  const ids = [await seedDelivery(await seedWebhook()), await seedDelivery(await seedWebhook())]
  const world = createWorld()
  await consumeAndDie(world, ids[0]!, { resolve: death })
  await consumeAndDie(world, ids[1]!, { transport: death })
  for (const id of ids)
    await expect.poll(() => deliveryRow(id)).toMatchObject({ status: 'sending' })

  await goOn(world)
  expect(await outstanding()).toBe(0)
})
