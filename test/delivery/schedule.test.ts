import { BODY } from '../../tools/prove/harness/delivery-body.ts'
import { describe, expect, it } from 'vitest'
import {
  NOW,
  deliveryRow,
  insertDelivery,
  readOutstanding,
  seedWebhook,
  webhookRow,
} from '../support/webhooks.ts'
import { createFixture } from '../support/delivery-fixture.ts'
import { env } from '../support/env.ts'

describe('a delivery', () => {
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

  it('has four attempts at the decided times, with one id and body, then is dead', async () => {
    const webhook = await seedWebhook()
    const id = await insertDelivery(webhook)
    const fixture = createFixture(() => 503)

    await fixture.hint(id)
    await fixture.drainAll()

    const offsets = fixture.posts.map(({ at }) => Math.round((at - NOW) / 1000))
    expect(offsets).toHaveLength(4)
    // The middle of each wait, each a second late at most: messages count in whole seconds.
    for (const [index, seconds] of [0, 30, 330, 2130].entries())
      expect(offsets[index]! - seconds).toSatisfy((late: number) => late >= 0 && late <= 6)
    expect(new Set(fixture.posts.map(({ deliveryId }) => deliveryId)).size).toBe(1)
    expect(new Set(fixture.posts.map(({ body }) => body)).size).toBe(1)
    expect(new Set(fixture.posts.map((post) => post.headers['X-Service-Signature'])).size).toBe(4)
    expect(await deliveryRow(id)).toMatchObject({
      status: 'dead',
      attempts: 4,
      code: 503,
      error_type: 'http',
    })
    expect(await readOutstanding()).toBe(0)
    expect(await webhookRow(webhook)).toMatchObject({ consecutive_failures: 4, state: 'active' })
  })
})

it('holds back only the webhook in backoff, and never a test', async () => {
  const [slow, other] = [await seedWebhook(), await seedWebhook()]
  const first = await insertDelivery(slow, {
    status: 'failed',
    attempts: 1,
    nextAttemptAt: NOW + 1e6,
  })
  const behind = await insertDelivery(slow)
  const test = await insertDelivery(slow, { type: 'manual' })
  const free = await insertDelivery(other)
  const fixture = createFixture()

  await fixture.hint(first, behind, test, free)

  expect(await deliveryRow(behind)).toMatchObject({ status: 'pending', attempts: 0 })
  expect(await deliveryRow(test)).toMatchObject({ status: 'delivered' })
  expect(await deliveryRow(free)).toMatchObject({ status: 'delivered' })
})

describe('what may not be sent', () => {
  it.each([
    ['a paused webhook', { state: 'manual' }, {}],
    ['an old revision', { revision: 2 }, {}],
    ['a row that ended', {}, { status: 'delivered' }],
    ['a row in flight', {}, { status: 'sending', leaseUntil: NOW + 1 }],
    ['a row with four attempts', {}, { status: 'failed', attempts: 4 }],
    ['a row older than seven days', {}, { createdAt: NOW - 7 * 86_400_000 }],
  ] as const)('%s: acknowledged without a POST', async (_, webhook, delivery) => {
    const id = await insertDelivery(await seedWebhook(webhook), { revision: 1, ...delivery })
    const fixture = createFixture()
    const [message] = await fixture.hint(id)

    expect(fixture.posts).toEqual([])
    expect(message).toMatchObject({ retried: undefined })
  })

  it('a deleted webhook’s test, and a row that is not there', async () => {
    const id = await insertDelivery('gone', { type: 'manual' })
    const fixture = createFixture()
    await fixture.hint(id, 999)
    expect(fixture.posts).toEqual([])
  })
})

it('a test goes out whatever the state and the revision of its webhook', async () => {
  const webhook = await seedWebhook({ state: 'inherited', revision: 5 })
  const id = await insertDelivery(webhook, { type: 'manual' })
  await createFixture().hint(id)
  expect(await deliveryRow(id)).toMatchObject({ status: 'delivered' })
})

it('one POST for one row, hinted twenty times at once', async () => {
  const id = await insertDelivery(await seedWebhook())
  const fixture = createFixture()
  await Promise.all(Array.from({ length: 20 }, () => fixture.hint(id)))
  expect(fixture.posts).toHaveLength(1)
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
  const { results } = await env.DB.prepare('select * from notices').all()
  expect(results).toEqual([])
})
