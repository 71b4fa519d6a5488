/** A process that dies: at each of five points between a change and the acknowledgement. */
import { describe, expect, it } from 'vitest'
import {
  deliveryRow,
  NOW,
  outstanding,
  seedDelivery,
  seedWebhook,
} from '../support/delivery-seeds.ts'
import { createFixture, message } from '../support/delivery-fixture.ts'
import { consume } from '../../workers/delivery/consume/consume.ts'

const MINUTE = 60_000

type Fixture = ReturnType<typeof createFixture>

/** Nothing after it happens. */
const death = () => new Promise<never>(() => {})

/** Consumes a hint in a process that dies on the way: what it was doing is not waited for. */
async function consumeAndDie(fixture: Fixture, id: number, change: Partial<Fixture['deps']>) {
  const hint = message({ v: 1, deliveryId: id })
  void consume({ ...fixture.deps, ...change }, [hint]).then((run) => run?.finish())
  return hint
}

/** Sweeps and consumes, minute by minute, in a new process. */
async function goOn(fixture: Fixture, minutes = 5): Promise<void> {
  for (let minute = 0; minute < minutes; minute += 1) {
    fixture.set(fixture.at() + MINUTE)
    await fixture.sweep()
    await fixture.drain()
  }
}

describe('a process that dies', () => {
  it('(a) after the commit, before the queue has the hint: swept, and delivered', async () => {
    const id = await seedDelivery(await seedWebhook(), { lookAt: NOW + 30_000 })
    const fixture = createFixture()
    await goOn(fixture)

    expect(await deliveryRow(id)).toMatchObject({ status: 'delivered', attempts: 1 })
    expect(fixture.posts).toHaveLength(1)
  })

  it('(b) after the queue has the hint, before it knows: enqueued twice, sent once', async () => {
    const id = await seedDelivery(await seedWebhook(), { lookAt: NOW + 30_000 })
    const fixture = createFixture()
    fixture.messages.push({ deliveryId: id, at: NOW }, { deliveryId: id, at: NOW })
    await fixture.drain()
    await goOn(fixture)

    expect(await deliveryRow(id)).toMatchObject({ status: 'delivered', attempts: 1 })
    expect(fixture.posts).toHaveLength(1)
  })

  it('(c) after the claim, before the POST: interrupted, and tried again', async () => {
    const id = await seedDelivery(await seedWebhook())
    const fixture = createFixture()
    await consumeAndDie(fixture, id, { resolve: death })
    await expect.poll(() => deliveryRow(id)).toMatchObject({ status: 'sending', attempts: 1 })

    await goOn(fixture, 1)
    expect(await deliveryRow(id)).toMatchObject({
      status: 'failed',
      attempts: 1,
      error_type: 'interrupted',
    })
    await goOn(fixture)
    expect(await deliveryRow(id)).toMatchObject({ status: 'delivered', attempts: 2 })
    expect(fixture.posts).toHaveLength(1)
  })

  it('(d) after the 2xx, before it is written: sent again, same id and body, counted', async () => {
    const id = await seedDelivery(await seedWebhook())
    const fixture = createFixture(() => (fixture.posts.length === 1 ? death() : 204))
    await consumeAndDie(fixture, id, {})
    await expect.poll(() => fixture.posts.length).toBe(1)

    await goOn(fixture)
    expect(await deliveryRow(id)).toMatchObject({ status: 'delivered', attempts: 2 })
    const [first, second, ...more] = fixture.posts
    expect(more).toEqual([])
    expect([second!.deliveryId, second!.body]).toEqual([first!.deliveryId, first!.body])
    expect(second!.headers['X-Service-Timestamp']).not.toBe(first!.headers['X-Service-Timestamp'])
    expect(second!.headers['X-Service-Signature']).not.toBe(first!.headers['X-Service-Signature'])
  })

  it('(e) after it is written, before the acknowledgement: hinted again, not sent again', async () => {
    const id = await seedDelivery(await seedWebhook())
    const fixture = createFixture()
    await fixture.hint(id)
    await fixture.hint(id)
    await goOn(fixture)

    expect(await deliveryRow(id)).toMatchObject({ status: 'delivered', attempts: 1 })
    expect(fixture.posts).toHaveLength(1)
  })
})

it('after every such death the capacity is given back', async () => {
  const ids = [await seedDelivery(await seedWebhook()), await seedDelivery(await seedWebhook())]
  const fixture = createFixture()
  await consumeAndDie(fixture, ids[0]!, { resolve: death })
  await consumeAndDie(fixture, ids[1]!, { egress: death })
  for (const id of ids)
    await expect.poll(() => deliveryRow(id)).toMatchObject({ status: 'sending' })

  await goOn(fixture)
  expect(await outstanding()).toBe(0)
})
