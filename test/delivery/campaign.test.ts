import { expect, it } from 'vitest'
import {
  NOW,
  deliveryRow,
  insertDelivery,
  readOutstanding,
  seedWebhook,
} from '../support/webhooks.ts'
import { runCampaign } from '../support/delivery-campaign.ts'
import { createFixture } from '../support/delivery-fixture.ts'

/** The long run is `npm run test:campaign`. */
it('300 deliveries through every fault: all end, and the receivers saw what was counted', async () => {
  await runCampaign(300, 12, 1)
})

it('the sweeper and the consumer race for expired leases: one attempt is counted once', async () => {
  const ids: number[] = []
  for (let count = 0; count < 50; count += 1)
    ids.push(
      await insertDelivery(await seedWebhook(), {
        status: 'sending',
        attempts: 1,
        leaseUntil: NOW + 1000,
        lookAt: NOW - 60_000,
      }),
    )
  const fixture = createFixture()
  fixture.set(NOW + 2000)
  await Promise.all([
    fixture.sweep(),
    ...ids.map((id) => fixture.hint(id)),
    fixture.sweep(),
    fixture.sweep(),
  ])

  for (const id of ids)
    expect(await deliveryRow(id)).toMatchObject({ status: 'failed', attempts: 1 })
  await fixture.drainAll()
  expect(fixture.posts).toHaveLength(50)
  expect(await readOutstanding()).toBe(0)
})

it('the clock going back an hour between claim and settle delays, and breaks nothing', async () => {
  const webhook = await seedWebhook()
  const [first, second] = [await insertDelivery(webhook), await insertDelivery(webhook)]
  const fixture = createFixture(() => {
    if (fixture.posts.length === 1) fixture.set(NOW - 3_600_000)
    return fixture.posts.length === 1 ? 500 : 204
  })
  await fixture.hint(first)
  for (let minute = 0; minute < 70; minute += 1) {
    fixture.set(fixture.at() + 60_000)
    await fixture.sweep()
    await fixture.drain()
  }

  expect(await deliveryRow(first)).toMatchObject({ status: 'delivered', attempts: 2 })
  expect(await deliveryRow(second)).toMatchObject({ status: 'delivered', attempts: 1 })
})
