import { expect, it } from 'vitest'
import { env } from '../../support/env.ts'
import { openClient } from '../../support/webhook-client.ts'
import { NOW, seedDelivery, seedWebhook } from '../../support/webhooks.ts'
import { insertRows } from '../../../tools/prove/harness/rows.ts'

/** An id that no pair has any more. */
const GONE = 999

it('what is stored of a pair that left the catalogue is in no list, found by nobody, and counts for nothing', async () => {
  const client = await openClient()
  const { accountId } = client
  await env.DB.prepare(insertRows('current_quotes', { pair: '?1', updated_at: '?2' }))
    .bind(GONE, NOW)
    .run()
  const ids: string[] = []
  for (const pair of [3, GONE, GONE, GONE, GONE, 3]) {
    const id = await seedWebhook({ accountId, pair })
    ids.push(id)
    await seedDelivery({ accountId, subscriptionId: id, pair, status: 'delivered' })
  }
  const [first, gone, last] = [ids[0]!, ids[1]!, ids.at(-1)!]

  const listed: { id: string }[] = (await client.list()).body.webhooks
  expect(new Set(listed.map(({ id }) => id))).toEqual(new Set([first, last]))
  // No page has a gap.
  const page = await client.deliveries('?limit=1')
  expect(page.body.deliveries).toMatchObject([{ webhookId: last }])
  expect((await client.deliveries(`?limit=1&cursor=${page.body.nextCursor}`)).body).toMatchObject({
    deliveries: [{ webhookId: first }],
    nextCursor: null,
  })
  expect((await client.deliveries(`?webhookId=${gone}`)).body.deliveries).toEqual([])
  for (const answer of [
    await client.read(gone),
    await client.edit(gone, { version: 1, enabled: false }),
    await client.rotate(gone, 1),
    await client.test(gone),
  ])
    expect(answer.status).toBe(404)
  // Its owner could not free their places.
  for (let made = 0; made < 3; made++) await client.made()
  expect((await client.create()).status).toBe(409)
})
