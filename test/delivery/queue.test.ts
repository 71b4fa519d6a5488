/** What the Worker makes of the messages of its queues. */
import { createExecutionContext, createMessageBatch, getQueueResult } from 'cloudflare:test'
import { expect, it } from 'vitest'
import { createDelivery } from '../../workers/delivery/delivery.ts'
import { platform } from '../../workers/delivery/platform.ts'
import { deliveryRow, NOW, seedDelivery, seedWebhook } from '../support/delivery-seeds.ts'
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
async function consume(queue: string, bodies: unknown[], DEAD_LETTER_QUEUE = 'deliveries-dead') {
  const enqueued: unknown[] = []
  const sendBatch = async (batch: unknown[]) => void enqueued.push(...batch)
  const messages = bodies.map((body, id) => ({
    id: String(id),
    timestamp: new Date(NOW),
    attempts: 1,
    body,
  }))
  const batch = createMessageBatch(queue, messages)
  const context = createExecutionContext()
  const own = { ...env, DEAD_LETTER_QUEUE, DELIVERIES: { sendBatch } }
  await delivery.queue(batch, own as never, context)
  const { explicitAcks, retryMessages } = await getQueueResult(batch, context)
  return { enqueued, acknowledged: explicitAcks.length, retried: retryMessages.length }
}

it.each([
  ['deliveries-dead', 'deliveries-dead', { releases: 0, look_at: 30_000 }],
  ['deliveries-dead-staging', 'deliveries-dead-staging', { releases: 0, look_at: 30_000 }],
  ['deliveries-staging', 'deliveries-dead-staging', { releases: 1 }],
  ['deliveries-dead', 'deliveries-dead-staging', { releases: 1 }],
])(
  'a message of %s, where the dead letters are in %s, is for the next sweep or a hint',
  async (queue, deadLetters, row) => {
    const id = await seedDelivery(await seedWebhook())
    const bodies = [{ v: 1, deliveryId: id }, 'nonsense']
    const { acknowledged, retried } = await consume(queue, bodies, deadLetters)
    expect(await deliveryRow(id)).toMatchObject({ status: 'pending', ...row })
    expect([acknowledged, retried]).toEqual([row.releases === 0 ? 2 : 0, 0])
  },
)

it('that ask for a sweep get one, however many there are in a batch', async () => {
  const id = await seedDelivery('system', { lookAt: NOW - 60_000 })
  const sweep = { v: 1, sweep: true }
  const { enqueued, retried } = await consume('deliveries', [sweep, sweep, 'nonsense'])
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
  expect(await consume('deliveries', [body])).toMatchObject({ enqueued: [], retried: 0 })
  expect(await deliveryRow(id)).toMatchObject({ status: 'pending', releases: 0 })
})
