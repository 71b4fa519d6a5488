import { describe, expect, it } from 'vitest'
import {
  NOW,
  deliveryRow,
  insertDelivery,
  readOutstanding,
  seedQuote,
  seedWebhook,
  webhookRow,
} from '../../support/webhooks.ts'
import { createFixture } from '../../support/delivery-fixture.ts'
import { readRows } from '../../support/rows.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

const rowsOf = async (webhook: string) =>
  (await readRows('deliveries', { subscriptionId: webhook })).toSorted((a, b) => a.id - b.id)

describe('rows without a hint', () => {
  it('are not enqueued again while their hint is fresh', async () => {
    const id = await insertDelivery(await seedWebhook(), { lookAt: NOW - MINUTE })
    const fixture = createFixture()
    for (let second = 0; second < 25; second += 5) {
      fixture.set(NOW + second * 1000)
      await fixture.sweep()
    }
    expect(fixture.messages).toEqual([{ deliveryId: id, at: NOW }])
  })

  it.each([null, 'in order'] as const)(
    'behind one in backoff are read once, then wait until it is tried again (redelivery: %s)',
    async (redelivery) => {
      const webhook = await seedWebhook()
      const nextAttemptAt = NOW + 30 * MINUTE
      const lookAt = nextAttemptAt + 30_000
      const retry = { status: 'failed', attempts: 3, nextAttemptAt, lookAt }
      await insertDelivery(webhook, { ...retry, redelivery })
      for (let count = 0; count < 5; count += 1) await insertDelivery(webhook, { redelivery })
      const fixture = createFixture()
      fixture.set(NOW + MINUTE)
      await fixture.sweep()

      expect(fixture.messages).toEqual([])
      expect(new Set((await rowsOf(webhook)).map((row) => row.lookAt))).toEqual(new Set([lookAt]))
    },
  )

  it('that are ineligible are cancelled, so that they block nothing', async () => {
    const webhook = await seedWebhook({ revision: 2 })
    const old = await insertDelivery(webhook, { lookAt: NOW - MINUTE })
    const current = await insertDelivery(webhook, { revision: 2 })
    const fixture = createFixture()
    await fixture.sweep()
    await fixture.hint(current)

    expect(await deliveryRow(old)).toMatchObject({ status: 'cancelled' })
    expect(await deliveryRow(current)).toMatchObject({ status: 'delivered' })
    expect(await readOutstanding()).toBe(0)
  })
})

it('a lease that has not run out is left alone; one that has is an interrupted attempt', async () => {
  const lease = { status: 'sending', attempts: 1, leaseUntil: NOW + 1, lookAt: NOW - MINUTE }
  const id = await insertDelivery(await seedWebhook(), lease)
  const fixture = createFixture()
  await fixture.sweep()
  expect(await deliveryRow(id)).toMatchObject({ status: 'sending' })

  fixture.set(NOW + MINUTE)
  await fixture.sweep()
  expect(await deliveryRow(id)).toMatchObject({
    status: 'failed',
    attempts: 1,
    error_type: 'interrupted',
    next_attempt_at: NOW + MINUTE + 30_000,
  })
})

it.each([true, false])('prunes at seven days, with admission open: %s', async (isAdmissionOpen) => {
  const webhook = await seedWebhook()
  const createdAt = NOW - 7 * DAY
  for (const status of ['delivered', 'dead', 'pending', 'failed', 'cancelled'])
    await insertDelivery(webhook, { status, createdAt })
  const young = await insertDelivery(webhook, { createdAt: createdAt + 1 })
  await createFixture(() => 204, { isAdmissionOpen }).sweep()

  expect((await rowsOf(webhook)).map(({ id }) => id)).toEqual([young])
  expect(await readOutstanding()).toBe(1)
})

it('owed syncs that die stay owed and are not made again by themselves', async () => {
  await seedQuote('usd/blue', 1410, 1430)
  const webhook = await seedWebhook({ needsSync: true, syncedRevision: 0 })
  const fixture = createFixture(() => 500)
  await fixture.sweep()
  await fixture.drainAll()
  fixture.set(fixture.at() + 8 * DAY)
  await fixture.sweep()
  await fixture.sweep()

  expect(await rowsOf(webhook)).toEqual([])
  expect(await webhookRow(webhook)).toMatchObject({ needs_sync: 1, consecutive_failures: 0 })
})

it('capacity returns: one sync each, once the earlier queue is empty', async () => {
  await seedQuote('usd/blue', 1410, 1430)
  const [busy, free] = [
    await seedWebhook({ state: 'capacity' }),
    await seedWebhook({ state: 'capacity' }),
  ]
  const earlier = await insertDelivery(busy)
  const fixture = createFixture()

  await fixture.sweep()
  expect(await webhookRow(free)).toMatchObject({ state: 'active', version: 2, needs_sync: 1 })
  expect(await webhookRow(busy)).toMatchObject({ state: 'capacity' })

  await fixture.hint(earlier)
  await fixture.sweep()
  await fixture.drain()
  expect(await rowsOf(busy)).toMatchObject([
    { type: 'automatic', status: 'delivered' },
    { type: 'sync', status: 'delivered' },
  ])
  expect(await rowsOf(free)).toMatchObject([{ type: 'sync', status: 'delivered' }])
  expect(await webhookRow(busy)).toMatchObject({ state: 'active', needs_sync: 0 })
})
