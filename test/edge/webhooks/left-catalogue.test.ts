import { describe, expect, it } from 'vitest'
import { env } from '../../support/env.ts'
import { openClient } from '../../support/webhook-client.ts'
import { NOW, seedDelivery, seedWebhook } from '../../support/webhooks.ts'
import { insertRows } from '../../../tools/prove/harness/rows.ts'

/** An id that no pair has any more. */
const GONE = 999

/** An account whose second of three webhooks and deliveries are of a pair that left. */
async function seedMixed(accountId: string) {
  const ids: string[] = []
  for (const pair of [3, GONE, 3]) {
    const id = await seedWebhook({ accountId, pair })
    ids.push(id)
    await seedDelivery({ accountId, subscriptionId: id, pair, status: 'delivered' })
  }
  return ids
}

describe('what is stored of a pair that left the catalogue', () => {
  it('is left out of the lists, without a gap between pages', async () => {
    const client = await openClient()
    const [first, gone, last] = await seedMixed(client.accountId)

    const listed: { id: string }[] = (await client.list()).body.webhooks
    expect(new Set(listed.map(({ id }) => id))).toEqual(new Set([first, last]))

    const seen: string[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const page = await client.deliveries(`?limit=1${cursor && `&cursor=${cursor}`}`)
      expect(page.body.deliveries).toHaveLength(1)
      seen.push(page.body.deliveries[0].webhookId)
      cursor = page.body.nextCursor
    }
    expect(seen).toEqual([last, first])
    expect((await client.deliveries(`?webhookId=${gone}`)).body.deliveries).toEqual([])
  })

  it('is not found by itself', async () => {
    const client = await openClient()
    const [, gone] = await seedMixed(client.accountId)
    await env.DB.prepare(insertRows('current_quotes', { pair: '?1', updated_at: '?2' }))
      .bind(GONE, NOW)
      .run()

    for (const answer of [
      await client.read(gone!),
      await client.edit(gone!, { version: 1, enabled: false }),
      await client.rotate(gone!, 1),
      await client.test(gone!),
    ])
      expect(answer.status).toBe(404)
  })

  it('does not count towards the five, which its owner could not free', async () => {
    const client = await openClient()
    for (let i = 0; i < 5; i++) await seedWebhook({ accountId: client.accountId, pair: GONE })
    expect((await client.create()).status).toBe(201)
  })
})
