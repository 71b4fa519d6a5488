import { describe, expect, it } from 'vitest'
import { MINUTE_MS } from '../../../shared/argentine-time.ts'
import { env } from '../../support/env.ts'
import { KINDS, openClient } from '../../support/account-client.ts'
import { NOW, readDeliveries, seedDelivery } from '../../support/webhooks.ts'
import { deleteRows } from '../../support/rows.ts'

describe.each(KINDS)('deliveries (%s)', (kind) => {
  it('are listed newest first with their outcome, without body, URL or lease', async () => {
    const client = await openClient({ kind })
    const { id } = await client.made()
    const own = { subscriptionId: id, accountId: client.accountId }
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
          [`${kind}Id`]: id,
          currency: 'USD',
          origin: 'BLUE',
          destination: `https://${id}.example.com/***`,
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

  it('are filtered by subscription, delivery and status, and never of another account', async () => {
    const client = await openClient({ kind })
    const { accountId } = client
    const [one, two] = [(await client.made()).id, (await client.made()).id]
    const foreign = (await (await openClient({ kind, email: 'eva@x.test' })).made()).id
    const other = await openClient({ kind: kind === 'alert' ? 'webhook' : 'alert', accountId })
    await seedDelivery({ subscriptionId: (await other.made()).id, accountId })
    await seedDelivery({ subscriptionId: one, accountId })
    await seedDelivery({ subscriptionId: one, accountId, status: 'delivered' })
    const { deliveryId } = (await readDeliveries()).at(-1)!
    await seedDelivery({ subscriptionId: two, accountId, status: 'delivered' })
    await seedDelivery({ subscriptionId: foreign, deliveryId: 'foreign', accountId: 'another' })

    for (const [query, count] of [
      ['?limit=50', 3],
      [`?${kind}Id=${one}`, 2],
      [`?${kind}Id=${one}&status=delivered`, 1],
      [`?status=delivered`, 2],
      [`?deliveryId=${deliveryId}`, 1],
      [`?deliveryId=${deliveryId}&${kind}Id=${two}`, 0],
      [`?${kind}Id=${foreign}`, 0],
      [`?deliveryId=foreign`, 0],
      [`?deliveryId=nothing`, 0],
    ] as const)
      expect([query, (await client.deliveries(query)).body.deliveries.length]).toEqual([
        query,
        count,
      ])
  })

  it('appear once each in the pages while rows are added and pruned, even with wrong clocks', async () => {
    const client = await openClient({ kind })
    const { accountId } = client
    const of = [(await client.made()).id, (await client.made()).id]
    /** Instants out of order, so that the newest id is not the newest delivery. */
    const seed = (index: number, createdAt = NOW - ((index * 7) % 23) * MINUTE_MS) =>
      seedDelivery({ subscriptionId: of[index % 2]!, accountId, createdAt })
    for (let index = 0; index < 23; index++) await seed(index)
    const before = (await readDeliveries()).toSorted((a, b) => b.createdAt - a.createdAt)

    const seen: number[] = []
    let cursor = ''
    for (;;) {
      const { body } = await client.deliveries(`?limit=5${cursor}`)
      seen.push(...body.deliveries.map(({ id }: { id: number }) => id))
      if (body.nextCursor === null) break

      expect(body.nextCursor).toMatch(/^v1:\d+$/)
      cursor = `&cursor=${body.nextCursor}`
      await seed(1, NOW + MINUTE_MS)
      await env.DB.prepare(
        'delete from deliveries where created_at = (select min(created_at) from deliveries)',
      ).run()
    }
    // Three rows were pruned before the request for the last page.
    expect(seen).toEqual(before.slice(0, -3).map(({ id }) => id))
  })

  it('are refused for a cursor of another account, of the other kind, or of a row that is gone', async () => {
    const client = await openClient({ kind })
    const { accountId } = client
    const other = await openClient({ kind: kind === 'alert' ? 'webhook' : 'alert', accountId })
    const subscriptionId = (await client.made()).id
    const foreign = await seedDelivery({ accountId: 'another' })
    const pruned = await seedDelivery({ subscriptionId, accountId })
    await deleteRows('deliveries', { id: pruned })
    const own = await seedDelivery({ subscriptionId, accountId })
    const ofOther = await seedDelivery({ subscriptionId: (await other.made()).id, accountId })

    expect((await client.deliveries(`?cursor=v1:${own}`)).status).toBe(200)
    for (const id of [foreign, ofOther, pruned, 999_999, 0, '9007199254740993', '9'.repeat(30)])
      expect((await client.deliveries(`?cursor=v1:${id}`)).status).toBe(404)
  })
})

it('a page has 50 deliveries by default, and says when there are no more', async () => {
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
])('a list of deliveries refuses ?%s', async (query) => {
  const { status, body } = await (await openClient()).deliveries(`?${query}`)
  expect([status, body]).toEqual([400, { error: expect.any(String) }])
})
