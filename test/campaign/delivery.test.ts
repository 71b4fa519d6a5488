import { it } from 'vitest'
import { runCampaign } from '../support/delivery-campaign.ts'

it('10,000 deliveries through every fault', async () => {
  await runCampaign(10_000, 200, 7)
}, 1_200_000)
