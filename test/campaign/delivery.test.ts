import { expect, it } from 'vitest'
import { deliveryRow, NOW, seedDelivery, seedWebhook } from '../support/delivery-seeds.ts'
import { runCampaign } from '../support/delivery-campaign.ts'
import { createFixture } from '../support/delivery-fixture.ts'

it('10,000 deliveries through every fault', async () => {
  await runCampaign(10_000, 200, 7)
}, 1_200_000)

it('the sweeper and the consumer race a thousand times', async () => {
  const webhook = await seedWebhook()
  for (let round = 0; round < 1000; round += 1) {
    const id = await seedDelivery(webhook, {
      status: 'sending',
      attempts: 4,
      leaseUntil: NOW,
      lookAt: NOW - 60_000,
    })
    const fixture = createFixture()
    await Promise.all([fixture.sweep(), fixture.hint(id), fixture.sweep()])
    expect(await deliveryRow(id)).toMatchObject({ status: 'dead', attempts: 4 })
    expect(fixture.posts).toEqual([])
  }
}, 300_000)
