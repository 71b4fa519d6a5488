/** When a delivery may be sent, and what holds it back. */
import { describe, expect, it } from 'vitest'
import { BODY } from '../../tools/prove/harness/delivery-body.ts'
import { createFixture } from '../support/delivery-fixture.ts'
import { countRows } from '../support/rows.ts'
import {
  deliveryRow,
  insertDelivery,
  NOW,
  readOutstanding,
  seedWebhook,
  webhookRow,
} from '../support/webhooks.ts'

it('goes out once, and ends as delivered', async () => {
  const webhook = await seedWebhook({ needsSync: true })
  const id = await insertDelivery(webhook)
  const fixture = createFixture()
  await fixture.hint(id)

  const row = await deliveryRow(id)
  const deliveryId = row!.delivery_id
  expect(fixture.posts).toMatchObject([{ body: BODY, deliveryId, subscriptionId: webhook }])
  expect(fixture.posts[0]!.headers).not.toHaveProperty('X-Service-Delivery-Type')
  expect(row).toMatchObject({ status: 'delivered', attempts: 1, code: 204, resolved_at: NOW })
  expect(await readOutstanding()).toBe(0)
  expect(await webhookRow(webhook)).toMatchObject({ needs_sync: 0 })
})

it('holds back only the webhook in backoff, and never a test', async () => {
  const [slow, other] = [await seedWebhook(), await seedWebhook()]
  const backoff = { status: 'failed', attempts: 1, nextAttemptAt: NOW + 1e6 }
  const first = await insertDelivery(slow, backoff)
  const behind = await insertDelivery(slow)
  const test = await insertDelivery(slow, { type: 'manual' })
  const free = await insertDelivery(other)
  await createFixture().hint(first, behind, test, free)

  expect(await deliveryRow(behind)).toMatchObject({ status: 'pending', attempts: 0 })
  expect(await deliveryRow(test)).toMatchObject({ status: 'delivered' })
  expect(await deliveryRow(free)).toMatchObject({ status: 'delivered' })
})

describe('acknowledged without a POST:', () => {
  it.each([
    ['a paused webhook', { state: 'manual' }, {}],
    ['an old revision', { revision: 2 }, {}],
    ['a row that ended', {}, { status: 'delivered' }],
    ['a row in flight', {}, { status: 'sending', leaseUntil: NOW + 1 }],
    ['a row with four attempts', {}, { status: 'failed', attempts: 4 }],
    ['a row older than seven days', {}, { createdAt: NOW - 7 * 86_400_000 }],
  ] as const)('%s', async (_, webhook, delivery) => {
    const id = await insertDelivery(await seedWebhook(webhook), { revision: 1, ...delivery })
    const fixture = createFixture()
    const [message] = await fixture.hint(id)

    expect(fixture.posts).toEqual([])
    expect(message).toMatchObject({ retried: undefined })
  })

  it('a deleted webhook’s test, and a row that is not there', async () => {
    const fixture = createFixture()
    await fixture.hint(await insertDelivery('gone', { type: 'manual' }), 999)
    expect(fixture.posts).toEqual([])
  })
})

it('a test goes out whatever the state and the revision of its webhook', async () => {
  const webhook = await seedWebhook({ state: 'inherited', revision: 5 })
  const id = await insertDelivery(webhook, { type: 'manual' })
  await createFixture().hint(id)
  expect(await deliveryRow(id)).toMatchObject({ status: 'delivered' })
})

it('the system destination gets no signature, no Authorization, and is never paused', async () => {
  const ids = []
  for (let count = 0; count < 12; count += 1) ids.push(await insertDelivery('system'))
  const fixture = createFixture(() => 500)
  await fixture.hint(ids[0]!)
  await fixture.drainAll()

  expect(Object.keys(fixture.posts[0]!.headers)).toEqual([
    'Content-Type',
    'User-Agent',
    'X-Service-Delivery-Id',
    'X-Service-Webhook-Id',
    'X-Service-Timestamp',
  ])
  expect(fixture.posts[0]).toMatchObject({ subscriptionId: 'system', host: 'system.example.com' })
  expect(fixture.posts).toHaveLength(48)
  expect(await countRows('notices')).toBe(0)
})
