/** Syncs that are owed, and webhooks that wait for capacity: as many as there is capacity for. */
import { expect, it } from 'vitest'
import { aroundBatch } from '../../support/batched-db.ts'
import {
  readOutstanding,
  seedQuote,
  seedWebhook,
  setOutstanding,
  webhookRow,
} from '../../support/webhooks.ts'
import { createFixture } from '../../support/delivery-fixture.ts'
import { env } from '../../support/env.ts'
import { changeRows, deleteRows, seedRows } from '../../support/rows.ts'

/** Webhooks with a sealed URL that nobody opens here: these tests send nothing. */
function seedMany(count: number, state: 'active' | 'capacity', account = 'account') {
  return seedRows('subscriptions', count, {
    id: `'${account}-' || i`,
    account_id: `'${account}'`,
    state: `'${state}'`,
    needs_sync: 1,
  })
}

/** How many syncs each account has. */
async function syncsByAccount(): Promise<Record<string, number>> {
  const { results } = await env.DB.prepare(
    `select account_id as account, count(*) as syncs from deliveries where type = 'sync'
     group by account_id`,
  ).all<{ account: string; syncs: number }>()
  return Object.fromEntries(results.map(({ account, syncs }) => [account, syncs]))
}

it.each(['active', 'capacity'] as const)(
  '10,000 that are %s and owed a sync get it by one sweep and those that it asks for, once',
  async (state) => {
    await seedQuote('usd/blue', 1410, 1430)
    await seedMany(10_000, state)
    const fixture = createFixture(() => 204, { capacity: 20_000 })
    await Promise.all([fixture.sweep(), fixture.sweep()])

    const counted = 'count(*) as syncs, count(distinct subscription_id) as webhooks'
    expect(
      await env.DB.prepare(`select ${counted} from deliveries where type = 'sync'`).first(),
    ).toEqual({ syncs: 10_000, webhooks: 10_000 })
    expect(await readOutstanding()).toBe(10_000)
    expect(fixture.messages).toHaveLength(10_000)
    expect(
      await env.DB.prepare(
        'select distinct state, version, needs_sync, synced_revision = revision as made from subscriptions',
      ).all(),
    ).toMatchObject({
      results: [{ state: 'active', version: state === 'active' ? 1 : 2, needs_sync: 1, made: 1 }],
    })
  },
  30_000,
)

it('none while admission is closed; all of them by the first sweep after it opens', async () => {
  await seedQuote('usd/blue', 1410, 1430)
  await seedMany(600, 'active', 'one')
  await seedMany(600, 'capacity', 'two')
  const change = { capacity: 20_000 }
  await createFixture(() => 204, { ...change, isAdmissionOpen: false }).sweep()
  expect(await syncsByAccount()).toEqual({})

  await createFixture(() => 204, change).sweep()
  expect(await syncsByAccount()).toEqual({ one: 600, two: 600 })
})

it('where there is not capacity for all, every account gets one before any gets two', async () => {
  await seedQuote('usd/blue', 1410, 1430)
  await seedMany(500, 'capacity', 'many')
  for (const account of ['a', 'b', 'c']) await seedMany(2, 'capacity', account)
  for (const [capacity, syncs] of [
    [4, { a: 1, b: 1, c: 1, many: 1 }],
    [8, { a: 2, b: 2, c: 2, many: 2 }],
    [20, { a: 2, b: 2, c: 2, many: 14 }],
  ] as const) {
    await createFixture(() => 204, { capacity }).sweep()
    expect(await syncsByAccount()).toEqual(syncs)
    expect(await readOutstanding()).toBe(capacity)
  }
})

it('where capacity stays scarce, no account is always the last', async () => {
  await seedQuote('usd/blue', 1410, 1430)
  for (let index = 0; index < 20; index += 1) await seedMany(1, 'capacity', `account-${index}`)
  const first = new Set<string>()
  for (let round = 0; round < 12; round += 1) {
    await createFixture(() => 204, { capacity: 1 }).sweep()
    Object.keys(await syncsByAccount()).forEach((account) => first.add(account))
    await deleteRows('deliveries')
    await setOutstanding(0)
    await changeRows('subscriptions', { state: 'capacity', syncedRevision: 0 })
  }
  expect(first.size).toBeGreaterThan(3)
})

it('one that is paused after it was found stays as its owner left it', async () => {
  await seedQuote('usd/blue', 1410, 1430)
  const paused = await seedWebhook({ state: 'capacity' })
  let batches = 0
  const db = aroundBatch(async (run) => {
    if (++batches === 2)
      await changeRows(
        'subscriptions',
        { state: 'manual', enabled: false, needsSync: false },
        { id: paused },
      )
    return run()
  })
  await createFixture(() => 204, { db }).sweep()
  expect(batches).toBe(2)
  expect(await webhookRow(paused)).toMatchObject({ state: 'manual', needs_sync: 0 })
})
