/** How the Worker handles the messages of its queue. */
import {
  createExecutionContext,
  createMessageBatch,
  createScheduledController,
  getQueueResult,
} from 'cloudflare:test'
import { expect, it } from 'vitest'
import type { DeliveryEnv } from '../../workers/delivery/config.ts'
import { createDelivery, platform } from '../../workers/delivery/delivery.ts'
import { hang } from '../support/delivery-fixture.ts'
import { insertDelivery, NOW, readDelivery, seedNotice } from '../support/webhooks.ts'
import { withBindings } from '../support/env.ts'
import { queueInto } from '../support/account-client.ts'

/** The Worker with a resolver that answers with `fetch`, and a batch of messages. */
function openQueue(bodies: unknown[], fetch: typeof globalThis.fetch) {
  const enqueued: unknown[] = []
  const delivery = createDelivery({ ...platform, now: () => NOW, fetch })
  const messages = bodies.map((body, id) => ({
    id: String(id),
    timestamp: new Date(NOW),
    attempts: 1,
    body,
  }))
  const SYSTEM_WEBHOOK_URL = 'https://system.example.com/hook'
  const own = withBindings<DeliveryEnv>({ SYSTEM_WEBHOOK_URL, DELIVERIES: queueInto(enqueued) })
  const batch = createMessageBatch('deliveries', messages)
  const context = createExecutionContext()
  return {
    enqueued,
    handled: delivery.queue(batch, own, context),
    /** The result, once all background work of the handler has ended. */
    result: () => getQueueResult(batch, context),
  }
}

async function consume(bodies: unknown[]) {
  const { enqueued, handled, result } = openQueue(bodies, async () => {
    throw new TypeError('no network')
  })
  await handled
  return { enqueued, retried: (await result()).retryMessages.length }
}

it('messages are acknowledged once their rows are claimed, so a receiver that hangs delays no other batch', async () => {
  const id = await insertDelivery('system')
  const { handled, result } = openQueue([{ v: 1, deliveryId: id }], (_, init) =>
    hang(init!.signal!),
  )
  await handled
  expect(await readDelivery(id)).toMatchObject({ status: 'sending' })
  await result()
  expect(await readDelivery(id)).toMatchObject({ status: 'failed', errorType: 'network' })
})

it('any number of sweep messages in a batch causes one sweep', async () => {
  const id = await insertDelivery('system', { lookAt: NOW - 60_000 })
  const sweep = { v: 1, sweep: true }
  const { enqueued, retried } = await consume([sweep, sweep, 'nonsense'])
  expect(enqueued).toEqual([{ v: 1, deliveryId: id }])
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
])('the body %j is neither a hint nor a sweep, and is not retried', async (body) => {
  const id = await insertDelivery('system', { lookAt: NOW - 60_000 })
  expect(await consume([body])).toMatchObject({ enqueued: [], retried: 0 })
  expect(await readDelivery(id)).toMatchObject({ status: 'pending', releases: 0 })
})

it('e-mails of a sweep are marked as auto-generated', async () => {
  await seedNotice()
  const sent: unknown[] = []
  const send = async (mail: unknown) => ({ messageId: String(sent.push(mail)) })
  const delivery = createDelivery({ ...platform, now: () => NOW })
  const own = withBindings<DeliveryEnv>({ MAIL_FROM: 'avisos@cotizaciones.test', EMAIL: { send } })
  await delivery.scheduled(createScheduledController(), own)
  expect(sent).toMatchObject([
    { to: 'ana@example.com', headers: { 'Auto-Submitted': 'auto-generated' } },
  ])
})
