import { describe, expect, it } from 'vitest'
import { MINUTE_MS } from '../../../shared/argentine-time.ts'
import { LEASE_MS } from '../../../shared/db/deliveries/claim.ts'
import { env } from '../../support/env.ts'
import { also, KINDS, openWithOne, OTHER } from '../../support/account-client.ts'
import { aDeliveryId, insertDelivery, NOW, readDeliveries } from '../../support/webhooks.ts'
import { deleteRows } from '../../support/rows.ts'

describe.each(KINDS)('deliveries (%s)', (kind) => {
  it('are listed newest first with their outcome, without body, URL or lease', async () => {
    const { id, ...client } = await openWithOne({ kind })
    const lease = { leaseToken: 'a-token', leaseUntil: NOW + LEASE_MS - 5 }
    const first = await insertDelivery(id, {
      body: '{"secret":"body"}',
      status: 'sending',
      ...lease,
    })
    const ended = {
      type: 'sync',
      status: 'dead',
      attempts: 4,
      code: 500,
      errorType: 'http',
    } as const
    const times = { lastAttemptAt: NOW, resolvedAt: NOW + 1 }
    const second = await insertDelivery(id, { ...ended, ...times })
    await insertDelivery('system')

    expect((await client.deliveries()).body).toEqual({
      deliveries: [
        {
          id: second,
          deliveryId: expect.any(String),
          [`${kind}Id`]: id,
          currency: 'USD',
          origin: 'BLUE',
          destination: `https://${id}.example.com/***`,
          ...ended,
          createdAt: '2026-03-02T15:00:00.000Z',
          lastAttemptAt: '2026-03-02T15:00:00.000Z',
          resolvedAt: '2026-03-02T15:00:00.001Z',
        },
        // The attempt in flight began five milliseconds earlier.
        expect.objectContaining({
          id: first,
          code: null,
          errorType: null,
          lastAttemptAt: '2026-03-02T14:59:59.995Z',
          resolvedAt: null,
        }),
      ],
      nextCursor: null,
    })
  })

  it('are filtered by subscription, delivery and status; a delivery of another account or kind is not listed and is no cursor', async () => {
    const { id: one, ...client } = await openWithOne({ kind })
    const two = (await client.made()).id
    const foreign = (await openWithOne({ kind, email: 'eva@x.test' })).id
    const ofOtherKind = (await (await also(client, { kind: OTHER[kind] })).made()).id
    const [deliveryId, ofForeign] = [aDeliveryId(NOW), aDeliveryId(NOW)]
    const others = [
      await insertDelivery(foreign, { deliveryId: ofForeign }),
      await insertDelivery(ofOtherKind),
    ]
    await insertDelivery(one)
    const own = await insertDelivery(one, { status: 'delivered', deliveryId })
    await insertDelivery(two, { status: 'delivered' })
    const pruned = await insertDelivery(two)
    await deleteRows('deliveries', { id: pruned })

    const counts = [
      ['?limit=50', 3],
      [`?${kind}Id=${one}`, 2],
      [`?${kind}Id=${one}&status=delivered`, 1],
      [`?status=delivered`, 2],
      [`?deliveryId=${deliveryId}`, 1],
      [`?deliveryId=${deliveryId}&${kind}Id=${two}`, 0],
      [`?${kind}Id=${foreign}`, 0],
      [`?deliveryId=${ofForeign}`, 0],
      [`?deliveryId=nothing`, 0],
      [`?cursor=v1:${own}`, 1],
    ] as const
    for (const [query, count] of counts)
      expect((await client.deliveries(query)).body.deliveries, query).toHaveLength(count)
    for (const id of [...others, pruned, 999_999, 0, '9007199254740993', '9'.repeat(30)])
      expect((await client.deliveries(`?cursor=v1:${id}`)).status).toBe(404)
  })

  it('appear once each in the pages while rows are added and pruned, even with wrong clocks', async () => {
    const { id, ...client } = await openWithOne({ kind })
    const of = [id, (await client.made()).id]
    /** Instants out of order, so that the newest id is not the newest delivery. */
    const seed = (index: number, createdAt = NOW - ((index * 7) % 23) * MINUTE_MS) =>
      insertDelivery(of[index % 2]!, { createdAt })
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
})

it('a page has 50 deliveries by default, and says when there are no more', async () => {
  const { id, ...client } = await openWithOne()
  for (let index = 0; index < 50; index++) await insertDelivery(id)
  expect((await client.deliveries()).body).toMatchObject({ nextCursor: null })

  await insertDelivery(id)
  const { body } = await client.deliveries()
  expect(body.deliveries).toHaveLength(50)
  expect(body.nextCursor).toMatch(/^v1:/)
})
