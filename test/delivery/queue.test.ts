/** What the Worker makes of the messages of its queue. */
import { createExecutionContext, createMessageBatch, getQueueResult } from 'cloudflare:test'
import { expect, it } from 'vitest'
import { createDelivery } from '../../workers/delivery/delivery.ts'
import { platform } from '../../workers/delivery/platform.ts'
import { deliveryRow, NOW, seedDelivery } from '../support/delivery-seeds.ts'
import { env } from '../support/env.ts'

/** With its resolver out of reach, an attempt ends as released. */
const delivery = createDelivery({
  ...platform,
  now: () => NOW,
  fetch: async () => {
    throw new TypeError('no network')
  },
})

/** The consumer of a batch, and what it enqueues. */
async function consume(bodies: unknown[]) {
  const enqueued: unknown[] = []
  const sendBatch = async (batch: unknown[]) => void enqueued.push(...batch)
  const messages = bodies.map((body, id) => ({
    id: String(id),
    timestamp: new Date(NOW),
    attempts: 1,
    body,
  }))
  const batch = createMessageBatch('deliveries', messages)
  const context = createExecutionContext()
  await delivery.queue(batch, { ...env, DELIVERIES: { sendBatch } } as never, context)
  const { retryMessages } = await getQueueResult(batch, context)
  return { enqueued, retried: retryMessages.length }
}

it('that ask for a sweep get one, however many there are in a batch', async () => {
  const id = await seedDelivery('system', { lookAt: NOW - 60_000 })
  const sweep = { v: 1, sweep: true }
  const { enqueued, retried } = await consume([sweep, sweep, 'nonsense'])
  expect(enqueued).toMatchObject([{ body: { v: 1, deliveryId: id } }])
  expect(retried).toBe(0)
})

it.each([
  null,
  'sweep',
  { v: 1 },
  { v: 2, deliveryId: 1 },
  { v: 1, deliveryId: '1' },
  { v: 2, sweep: true },
  { v: 1, sweep: 1 },
])('the body %j is no hint, asks for no sweep, and does not come back', async (body) => {
  const id = await seedDelivery('system', { lookAt: NOW - 60_000 })
  expect(await consume([body])).toMatchObject({ enqueued: [], retried: 0 })
  expect(await deliveryRow(id)).toMatchObject({ status: 'pending', releases: 0 })
})
