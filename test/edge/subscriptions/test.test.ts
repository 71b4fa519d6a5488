import { describe, expect, it, vi } from 'vitest'
import {
  also,
  CLOSED,
  KINDS,
  openClient,
  openWithOne,
  tally,
  times,
} from '../../support/account-client.ts'
import {
  readDeliveries,
  readOutstanding,
  seedQuote,
  seedWebhook,
  setOutstanding,
} from '../../support/webhooks.ts'
import { changeRows } from '../../support/rows.ts'

describe.each(KINDS)('a test (%s)', (kind) => {
  it('queues a delivery of the value in effect, a new one each time, and changes nothing else', async () => {
    await seedQuote('usd/blue', 1400, 1450)
    const { id, ...client } = await openWithOne({ kind })
    const before = await client.read(id)
    const queued = await client.test(id)

    expect(queued.status).toBe(202)
    const [delivery] = await readDeliveries()
    const { deliveryId } = delivery!
    expect(queued.body).toEqual({ id: delivery!.id, deliveryId, status: 'pending' })
    expect(delivery).toMatchObject({ type: 'manual', status: 'pending', subscriptionId: id })
    expect(JSON.parse(delivery!.body)).toMatchObject(
      kind === 'webhook'
        ? { event: 'manual.trigger', prevSell: 1450, changePct: 0, isManual: true }
        : { event: 'alert.test', alertId: id, value: 1450, isManual: true },
    )
    expect(client.sent).toEqual([{ v: 1, deliveryId: delivery!.id }])
    expect((await client.read(id)).body).toEqual(before.body)
    expect(tally(await times(20, () => client.test(id)))).toEqual({ 202: 20 })
    expect(new Set((await readDeliveries()).map((row) => row.deliveryId)).size).toBe(21)
  })

  it('answers 503 without capacity, and never passes the limit', async () => {
    await seedQuote('usd/blue', 1400, 1450)
    const { id, ...client } = await openWithOne({ kind, env: { DELIVERY_CAPACITY: '8' } })
    await setOutstanding(3)

    expect(tally(await times(20, () => client.test(id)))).toEqual({ 202: 5, 503: 15 })
    expect(await readOutstanding()).toBe(8)
    expect(await readDeliveries()).toHaveLength(5)
  })

  it('answers 503 while fifty of the account wait, so one account leaves room for others', async () => {
    await seedQuote('usd/blue', 1400, 1450)
    const { id, ...client } = await openWithOne({ kind })
    expect(tally(await times(70, () => client.test(id)))).toEqual({ 202: 50, 503: 20 })
    expect((await client.test((await client.made()).id)).status).toBe(503)
    const other = await openWithOne({ kind, email: 'otra@example.com' })
    expect((await other.test(other.id)).status).toBe(202)
    await changeRows('deliveries', { status: 'delivered', resolvedAt: 1 }, { id: 7 })
    expect(tally(await times(2, () => client.test(id)))).toEqual({ 202: 1, 503: 1 })
  })

  it('answers 503 while admission is closed', async () => {
    await seedQuote('usd/blue', 1400, 1450)
    const { id, ...open } = await openWithOne({ kind })
    const client = await also(open, CLOSED)
    expect((await client.test(id)).status).toBe(503)
    expect(await readDeliveries()).toEqual([])
  })
})

it.each([
  ['refuses', 'capacity', () => Promise.reject(new Error('Storage Limit Exceeded'))],
  ['never answers', 'inherited', () => new Promise<never>(() => {})],
] as const)(
  'though the queue %s the hint, a test of a webhook in %s succeeds with an empty body',
  async (_, state, answer) => {
    await seedQuote('usd/blue', 1400, 1450)
    const sendBatch = vi.fn(answer)
    const client = await openClient({ env: { DELIVERIES: { sendBatch } } })
    const id = await seedWebhook({ accountId: client.accountId, state })

    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const test = client.send('POST', `/api/v2/webhooks/${id}/test`)
    await vi.waitFor(() => expect(sendBatch).toHaveBeenCalled())
    await vi.advanceTimersByTimeAsync(5000)
    vi.useRealTimers()
    expect((await test).status).toBe(202)
  },
)
