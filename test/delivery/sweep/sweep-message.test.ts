/** The message by which an unfinished sweep asks for another at once. */
import { expect, it } from 'vitest'
import type { DeliveryEnv } from '../../../workers/delivery/config.ts'
import { createDelivery } from '../../../workers/delivery/delivery.ts'
import { isSweepMessage } from '../../../shared/webhooks/delivery.ts'
import { NOW, seedDelivery } from '../../support/delivery-seeds.ts'
import { message } from '../../support/delivery-fixture.ts'
import { env } from '../../support/env.ts'

const SWEEP = { v: 1, sweep: true }

const unneeded = () => Promise.reject(new Error('not needed'))

/** The consumer, and what it enqueues. */
async function consume(...bodies: unknown[]) {
  const enqueued: unknown[] = []
  const detached: Promise<unknown>[] = []
  const delivery = createDelivery({
    now: () => NOW,
    random: () => 0.5,
    newToken: () => crypto.randomUUID(),
    sleep: async () => {},
    fetch: unneeded,
  })
  const sendBatch = async (batch: { body: unknown }[]) => void enqueued.push(...batch)
  const messages = bodies.map((body) => message(body))
  await delivery.queue(
    { queue: 'deliveries', messages } as unknown as MessageBatch,
    { ...env, DELIVERIES: { sendBatch } } as unknown as DeliveryEnv,
    { waitUntil: (work: Promise<unknown>) => void detached.push(work) } as ExecutionContext,
  )
  await Promise.all(detached)
  return { enqueued, messages }
}

it('runs one sweep, however many there are in a batch', async () => {
  const id = await seedDelivery('system', { lookAt: NOW - 60_000 })
  const { enqueued, messages } = await consume(SWEEP, SWEEP, 'nonsense')

  expect(enqueued).toMatchObject([{ body: { v: 1, deliveryId: id } }])
  for (const { retried } of messages) expect(retried).toBeUndefined()
})

it.each([null, {}, 'sweep', { v: 1, deliveryId: 7 }, { v: 2, sweep: true }, { v: 1, sweep: 1 }])(
  '%j is none',
  async (body) => {
    await seedDelivery('system', { lookAt: NOW - 60_000, nextAttemptAt: NOW + 60_000 })
    expect(isSweepMessage(body)).toBe(false)
    expect((await consume(body)).enqueued).toEqual([])
  },
)
