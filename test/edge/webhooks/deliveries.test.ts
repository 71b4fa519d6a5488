import { describe, expect, it } from 'vitest'
import { env } from '../../support/env.ts'
import { openClient, tally, times, WEBHOOKS } from '../../support/webhook-client.ts'
import {
  NOW,
  readDeliveries,
  seedDelivery,
  seedQuote,
  seedWebhook,
} from '../../support/webhooks.ts'
import { changeRows, deleteRows } from '../../support/rows.ts'

const sendBatch = () => Promise.reject(new Error('Storage Limit Exceeded'))

describe('POST …/test', () => {
  it('queues a delivery that repeats the value in effect, a new one each time', async () => {
    await seedQuote('usd/blue', 1400, 1450)
    const client = await openClient()
    const { id } = await client.made()
    const queued = await client.call('POST', `${WEBHOOKS}/${id}/test`)

    expect(queued.status).toBe(202)
    const [delivery] = await readDeliveries()
    const { deliveryId } = delivery!
    expect(queued.body).toEqual({ id: delivery!.id, deliveryId, status: 'pending' })
    expect(delivery).toMatchObject({ type: 'manual', status: 'pending', subscriptionId: id })
    expect(JSON.parse(delivery!.body)).toMatchObject({
      event: 'manual.trigger',
      prevSell: 1450,
      changePct: 0,
      isManual: true,
    })
    expect(client.sent).toEqual([{ v: 1, deliveryId: delivery!.id }])
    expect(tally(await times(20, () => client.test(id)))).toEqual({ 202: 20 })
    expect(new Set((await readDeliveries()).map((row) => row.deliveryId)).size).toBe(21)
  })

  it.each(['manual', 'failure', 'capacity', 'inherited'] as const)(
    'works for a webhook in %s, though the queue refuses the hint',
    async (state) => {
      await seedQuote('usd/blue', 1400, 1450)
      const client = await openClient({ env: { DELIVERIES: { sendBatch } } })
      const id = await seedWebhook({ accountId: client.accountId, state })

      expect((await client.test(id)).status).toBe(202)
    },
  )
})

describe('GET …/deliveries', () => {
  it('tells what became of each, newest first, without body, URL or lease', async () => {
    const client = await openClient()
    const webhookId = (await client.made()).id
    const own = { subscriptionId: webhookId, accountId: client.accountId }
    const first = await seedDelivery({ ...own, body: '{"secret":"body"}' })
    const ended = { status: 'dead', attempts: 4, code: 500, errorType: 'http' } as const
    const times = { lastAttemptAt: NOW, resolvedAt: NOW + 1, leaseToken: 'a-token' }
    const second = await seedDelivery({ ...own, type: 'sync', ...ended, ...times })
    await seedDelivery({ accountId: 'another' })
    await seedDelivery({ subscriptionId: 'system', accountId: 'system' })

    const page = await client.deliveries()
    expect(page.body).toEqual({
      deliveries: [
        {
          id: second,
          deliveryId: expect.any(String),
          webhookId,
          currency: 'USD',
          origin: 'BLUE',
          destination: `https://${webhookId}.example.com/***`,
          type: 'sync',
          ...ended,
          createdAt: '2026-03-02T15:00:00.000Z',
          lastAttemptAt: '2026-03-02T15:00:00.000Z',
          resolvedAt: '2026-03-02T15:00:00.001Z',
        },
        expect.objectContaining({ id: first, code: null, errorType: null, resolvedAt: null }),
      ],
      nextCursor: null,
    })
  })

  it('filters by webhook, delivery and status, and finds nothing of others', async () => {
    const client = await openClient()
    const { accountId } = client
    const [one, two, foreign] = [1, 2, 3].map(() => crypto.randomUUID()) as [string, string, string]
    await seedDelivery({ subscriptionId: one, accountId })
    await seedDelivery({ subscriptionId: one, accountId, status: 'delivered' })
    const { deliveryId } = (await readDeliveries()).at(-1)!
    await seedDelivery({ subscriptionId: two, accountId, status: 'delivered' })
    await seedDelivery({ subscriptionId: foreign, deliveryId: 'foreign', accountId: 'another' })

    for (const [query, count] of [
      [`?webhookId=${one}`, 2],
      [`?webhookId=${one}&status=delivered`, 1],
      [`?status=delivered`, 2],
      [`?deliveryId=${deliveryId}`, 1],
      [`?deliveryId=${deliveryId}&webhookId=${two}`, 0],
      [`?webhookId=${foreign}`, 0],
      [`?deliveryId=foreign`, 0],
      [`?deliveryId=nothing`, 0],
    ] as const)
      expect([query, (await client.deliveries(query)).body.deliveries.length]).toEqual([
        query,
        count,
      ])
  })

  it('pages through all, once each, while rows are added and pruned', async () => {
    const client = await openClient()
    const { accountId } = client
    for (let index = 0; index < 23; index++) await seedDelivery({ accountId })
    const before = (await readDeliveries()).map(({ id }) => id)

    const seen: number[] = []
    let cursor = ''
    for (;;) {
      const { body } = await client.deliveries(`?limit=5${cursor}`)
      seen.push(...body.deliveries.map(({ id }: { id: number }) => id))
      if (body.nextCursor === null) break

      expect(body.nextCursor).toMatch(/^v1:\d+$/)
      cursor = `&cursor=${body.nextCursor}`
      await seedDelivery({ accountId })
      await env.DB.prepare(
        'delete from deliveries where id = (select min(id) from deliveries)',
      ).run()
    }
    // Three were pruned before the last page was asked for.
    expect(seen).toEqual(before.slice(3).toReversed())
  })

  it('gives 50 by default and says when there are no more', async () => {
    const client = await openClient()
    const { accountId } = client
    for (let index = 0; index < 50; index++) await seedDelivery({ accountId })
    expect((await client.deliveries()).body).toMatchObject({ nextCursor: null })

    await seedDelivery({ accountId })
    const { body } = await client.deliveries()
    expect(body.deliveries).toHaveLength(50)
    expect((await client.deliveries(`?cursor=${body.nextCursor}`)).body).toMatchObject({
      deliveries: [{}],
      nextCursor: null,
    })
  })

  it('refuses the cursor of another, of an alert, and of a row that is gone', async () => {
    const client = await openClient()
    const { accountId } = client
    const foreign = await seedDelivery({ accountId: 'another' })
    const pruned = await seedDelivery({ accountId })
    await deleteRows('deliveries', { id: pruned })
    const ofWebhook = await seedDelivery({ accountId })
    const subscriptionId = crypto.randomUUID()
    const ofAlert = await seedDelivery({ subscriptionId, accountId })
    await changeRows('subscriptions', { kind: 'alert' }, { id: subscriptionId })

    expect((await client.deliveries(`?cursor=v1:${ofWebhook}`)).status).toBe(200)
    for (const id of [foreign, ofAlert, pruned, 999_999, 0, '9007199254740993', '9'.repeat(30)])
      expect((await client.deliveries(`?cursor=v1:${id}`)).status).toBe(404)
  })

  it.each([
    'limit=0',
    'limit=51',
    'limit=1.5',
    'limit=',
    'limit=5&limit=6',
    'cursor=5',
    'cursor=v2:5',
    'cursor=v1:5x',
    'status=lost',
    'webhookId=AAAAAAAA-0000-4000-8000-00000000000A',
    'deliveryId=',
    `deliveryId=${'x'.repeat(201)}`,
    'page=2',
    '__proto__=x',
  ])('refuses ?%s', async (query) => {
    const { status, body } = await (await openClient()).deliveries(`?${query}`)
    expect([status, body]).toEqual([400, { error: expect.any(String) }])
  })
})
