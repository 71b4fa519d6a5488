import { expect, it } from 'vitest'
import { runCampaign } from '../support/delivery-campaign.ts'
import { createFixture } from '../support/delivery-fixture.ts'
import { insertDelivery, NOW, readDelivery, seedWebhook } from '../support/webhooks.ts'

/** `npm run test:campaign` runs the long version. */
it('300 deliveries end despite faults of every kind, and receivers get exactly the counted attempts', async () => {
  await runCampaign(300, 12, 1)
})

it('a clock that goes back an hour between claim and settle only delays deliveries', async () => {
  const webhook = await seedWebhook()
  const [first, second] = [await insertDelivery(webhook), await insertDelivery(webhook)]
  const fixture = createFixture(() => {
    if (fixture.posts.length > 1) return 204
    fixture.set(NOW - 3_600_000)
    return 500
  })
  await fixture.hint(first)
  await fixture.drainAll()
  fixture.set(NOW + 60_000)
  await fixture.sweep()
  await fixture.drainAll()

  expect(await readDelivery(first)).toMatchObject({ status: 'delivered', attempts: 2 })
  expect(await readDelivery(second)).toMatchObject({ status: 'delivered', attempts: 1 })
})
