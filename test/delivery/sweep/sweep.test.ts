/** The sweep's own work: rows without a hint, leases, capacity, owed syncs, and pruning. */
import { describe, expect, it } from 'vitest'
import { DAY_MS, MINUTE_MS } from '../../../shared/argentine-time.ts'
import type { EnqueueDeps } from '../../../shared/webhooks/enqueue.ts'
import { sweep } from '../../../workers/delivery/sweep/sweep.ts'
import { createFixture } from '../../support/delivery-fixture.ts'
import { env } from '../../support/env.ts'
import { measuredDatabase } from '../../support/measured-database.ts'
import { changeRows, countRows, deleteRows, readRows, seedRows } from '../../support/rows.ts'
import {
  insertDelivery,
  NOW,
  readOutstanding,
  seedQuote,
  seedWebhook,
  setOutstanding,
} from '../../support/webhooks.ts'

const rowsOf = async (webhook: string) =>
  (await readRows('deliveries', { subscriptionId: webhook })).toSorted((a, b) => a.id - b.id)

it('600 leases that expired together are handled by one sweep and the sweep that it requests', async () => {
  const lease = { status: `'sending'`, attempts: 1, lease_token: `'token ' || i`, lease_until: NOW }
  await seedWebhook({ id: 'a-webhook' })
  await seedRows('deliveries', 600, { ...lease, created_at: NOW, look_at: NOW })
  const { db, spent } = measuredDatabase()
  const fixture = createFixture(() => 204, { db })
  await sweep(fixture.deps)
  expect(spent().queries).toBeLessThan(1000)
  expect(fixture.messages).toHaveLength(500)
  await sweep(fixture.deps)
  const interrupted = { status: 'failed', attempts: 1, errorType: 'interrupted' } as const
  expect(await countRows('deliveries', interrupted)).toBe(600)
})

it.each([true, false])(
  'deletes deliveries after seven days, with admission open: %s',
  async (isAdmissionOpen) => {
    const webhook = await seedWebhook()
    const createdAt = NOW - 7 * DAY_MS
    for (const status of ['delivered', 'dead', 'pending', 'failed', 'cancelled'])
      await insertDelivery(webhook, { status, createdAt })
    const young = await insertDelivery(webhook, { createdAt: createdAt + 1 })
    await createFixture(() => 204, { isAdmissionOpen }).sweep()

    expect((await rowsOf(webhook)).map(({ id }) => id)).toEqual([young])
    expect(await readOutstanding()).toBe(1)
  },
)

/** Webhooks with a sealed URL that these tests never open, because they send nothing. */
function seedMany(count: number, state: 'active' | 'capacity', account = 'account') {
  return seedRows('subscriptions', count, {
    id: `'${account}-' || i`,
    account_id: `'${account}'`,
    state: `'${state}'`,
    sync: `'owed'`,
  })
}

/** The number of syncs of each account. */
async function syncsByAccount(): Promise<Record<string, number>> {
  const { results } = await env.DB.prepare(
    `select w.account_id as account, count(*) as syncs
     from deliveries d join subscriptions w on w.id = d.subscription_id where d.type = 'sync'
     group by w.account_id`,
  ).all<{ account: string; syncs: number }>()
  return Object.fromEntries(results.map(({ account, syncs }) => [account, syncs]))
}

it.each(['active', 'capacity'] as const)(
  '10,000 webhooks in state %s that are owed a sync get exactly one, from a sweep after admission opens and the sweeps that it requests',
  async (state) => {
    await seedQuote('usd/blue', 1410, 1430)
    await seedMany(10_000, state)
    await createFixture(() => 204, { capacity: 20_000, isAdmissionOpen: false }).sweep()
    expect(await syncsByAccount()).toEqual({})
    const fixture = createFixture(() => 204, { capacity: 20_000 })
    await Promise.all([fixture.sweep(), fixture.sweep()])

    expect(await syncsByAccount()).toEqual({ account: 10_000 })
    expect(await readOutstanding()).toBe(10_000)
    expect(fixture.messages).toHaveLength(10_000)
    expect(
      await env.DB.prepare('select distinct state, version, sync from subscriptions').all(),
    ).toMatchObject({
      results: [{ state: 'active', version: state === 'active' ? 1 : 2, sync: 'made' }],
    })
  },
  30_000,
)

it('without capacity for all syncs, every account gets one sync before any account gets two', async () => {
  await seedQuote('usd/blue', 1410, 1430)
  await seedMany(500, 'capacity', 'many')
  for (const account of ['a', 'b', 'c']) await seedMany(2, 'capacity', account)
  for (const [capacity, syncs] of [
    [4, { a: 1, b: 1, c: 1, many: 1 }],
    [8, { a: 2, b: 2, c: 2, many: 2 }],
    [20, { a: 2, b: 2, c: 2, many: 14 }],
  ] as const) {
    const fixture = createFixture(() => 204, { capacity })
    await Promise.all([fixture.sweep(), fixture.sweep()])
    expect(await syncsByAccount()).toEqual(syncs)
    expect(await readOutstanding()).toBe(capacity)
  }
})

it('while capacity stays scarce, the account that gets the first sync varies', async () => {
  await seedQuote('usd/blue', 1410, 1430)
  for (let index = 0; index < 20; index += 1) await seedMany(1, 'capacity', `account-${index}`)
  const first = new Set<string>()
  for (let round = 0; round < 12; round += 1) {
    await createFixture(() => 204, { capacity: 1 }).sweep()
    Object.keys(await syncsByAccount()).forEach((account) => first.add(account))
    await deleteRows('deliveries')
    await setOutstanding(0)
    await changeRows('subscriptions', { state: 'capacity', sync: 'owed' })
  }
  expect(first.size).toBeGreaterThan(3)
})

const COUNT = 10_000
const ALL = Array.from({ length: COUNT }, (_, index) => index + 1)

/** Due deliveries of the system destination, in no order, made `NOW`. */
async function seedWithoutHint(): Promise<void> {
  await seedRows('deliveries', COUNT, {
    subscription_id: `'system'`,
    revision: 0,
    type: `'manual'`,
    created_at: NOW,
    next_attempt_at: NOW,
  })
  await setOutstanding(COUNT)
}

/** A queue that refuses certain calls, and the ids that it took. */
function createFragileQueue(refuses: (call: number) => boolean, backlog?: number) {
  const taken: number[] = []
  const seen = { calls: 0, taken, sorted: () => taken.toSorted((a, b) => a - b) }
  const sendBatch: EnqueueDeps['queue']['sendBatch'] = async (batch) => {
    if (refuses((seen.calls += 1))) throw new Error('Queue sendBatch failed: Too Many Requests')
    const ids = [...batch].map(({ body }) => body.deliveryId)
    if (ids.length > 100) throw new Error('more than 100 messages')
    taken.push(...ids)
    const metrics = { backlogCount: backlog ?? taken.length, backlogBytes: 0 }
    return { metadata: { metrics } }
  }
  return Object.assign(seen, { queue: { sendBatch } })
}

describe(`${COUNT} deliveries without a hint`, () => {
  it('are enqueued by one sweep and the sweeps that it requests, in batches of 100, with each row read once', async () => {
    await seedWithoutHint()
    const fragile = createFragileQueue(() => false)
    const { db, spent } = measuredDatabase()
    const fixture = createFixture(() => 204, { db, queue: fragile.queue, capacity: 20_000 })
    fixture.set(NOW + MINUTE_MS)
    await fixture.sweep()

    expect(fragile.sorted()).toEqual(ALL)
    expect(fragile.calls).toBe(COUNT / 100)
    // Two index entries, the row and its mark per delivery. Reading all twice would double this.
    expect(spent().rowsRead / COUNT).toBeLessThan(10)
    expect(spent().queries).toBeLessThan(400)
  })

  it.each<[string, (minute: number, call: number) => boolean, minutes: number]>([
    ['refused everything for ten minutes', (minute) => minute < 10, 11],
    ['refuses half of the calls', (_, call) => [0, 1, 3, 6].includes(call % 8), 3],
  ])('are enqueued within two minutes when the queue %s', async (_, refuses, minutes) => {
    await seedWithoutHint()
    let minute = 1
    const fragile = createFragileQueue((call) => refuses(minute, call))
    const fixture = createFixture(() => 204, { queue: fragile.queue, capacity: 20_000 })
    for (; minute <= minutes; minute += 1) {
      fixture.set(NOW + minute * MINUTE_MS)
      await fixture.sweep()
      // Deliveries whose hints the queue took are sent.
      await env.DB.prepare(
        `update deliveries set resolved_at = 1 where id in (select value from json_each(?1))`,
      )
        .bind(JSON.stringify(fragile.taken))
        .run()
      // A queue that is down does not get all hints every minute.
      if (fragile.taken.length === 0) expect(fragile.calls).toBeLessThanOrEqual(minute * 20)
    }
    expect(fragile.sorted()).toEqual(ALL)
  })

  it('are not enqueued when the queue may already hold a hint for each', async () => {
    await seedWithoutHint()
    const { queue, taken } = createFragileQueue(() => false, 20_000)
    const fixture = createFixture(() => 204, { queue, capacity: 20_000 })
    fixture.set(NOW + MINUTE_MS)
    await fixture.sweep()
    expect(taken).toHaveLength(500)
  })
})
