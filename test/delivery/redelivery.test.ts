/** Redelivery of finished deliveries. */
import { MINUTE_MS } from '../../shared/argentine-time.ts'
import { OPEN_REDELIVERIES } from '../../shared/limits.ts'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { RETENTION_MS } from '../../shared/db/deliveries/claim.ts'
import type { SubscriptionContext } from '../../shared/subscriptions/context.ts'
import { editSubscription } from '../../shared/subscriptions/edit.ts'
import { redeliver, redeliverSince } from '../../shared/db/deliveries/redeliver.ts'
import { removeSubscription } from '../../shared/db/change-subscription.ts'
import { webhooks } from '../../shared/subscriptions/webhooks.ts'
import { aroundBatch } from '../support/faulty-database.ts'
import {
  BODY,
  insertDelivery,
  management,
  NOW,
  readDeliveries,
  readDelivery,
  readOutstanding,
  readWebhook,
  seedWebhook,
} from '../support/webhooks.ts'
import { createFixture } from '../support/delivery-fixture.ts'
import { expectSoundDeliveries } from '../support/sound.ts'
import { env } from '../support/env.ts'
import { changeRows, emptyTables, readRows } from '../support/rows.ts'

const accountId = 'account'

/** A delivery that is dead after four failed attempts. */
const seedDead = (webhook: string, seed: Parameters<typeof insertDelivery>[1] = {}) =>
  insertDelivery(webhook, { status: 'dead', attempts: 4, ...seed })

async function again(id: number, change: Partial<SubscriptionContext> = {}) {
  const { deliveryId } = await readDelivery(id)
  return redeliver(management(change), 'webhook', { accountId, deliveryId })
}

function since(webhook: string, at = 0, change: Partial<SubscriptionContext> = {}) {
  return redeliverSince(management(change), 'webhook', { accountId, id: webhook, since: at })
}

function edit(id: string, changes: object, version = 1, now = NOW) {
  return editSubscription(management({ now }), webhooks, { accountId, id }, { version, ...changes })
}

async function statuses(...ids: number[]) {
  return Promise.all(ids.map(async (id) => (await readDelivery(id))?.['status']))
}

async function prune() {
  const fixture = createFixture()
  fixture.set(NOW + RETENTION_MS)
  await fixture.sweep()
}

it('a receiver that was down gets the missed deliveries in order when its owner requests them', async () => {
  const webhook = await seedWebhook()
  const missed = [await insertDelivery(webhook), await insertDelivery(webhook)]
  const sync = await insertDelivery(webhook, { type: 'sync' })
  let isDown = true
  const fixture = createFixture(() => (isDown ? 503 : 204))
  await fixture.hint(...missed, sync)
  await fixture.drainAll()
  expect(await statuses(...missed, sync)).toEqual(['dead', 'dead', 'dead'])
  const before = fixture.posts.splice(0)

  isDown = false
  const asked = await since(webhook, NOW, { now: fixture.at() })
  expect(asked).toMatchObject({ ok: true, value: { redelivered: 3, remaining: 0 } })
  await fixture.hint(missed[0]!)

  expect(fixture.posts.map(({ deliveryId }) => deliveryId)).toEqual([
    ...new Set(before.map(({ deliveryId }) => deliveryId)),
  ])
  for (const { body } of fixture.posts) expect(body).toBe(BODY)
  expect(fixture.posts[2]!.headers['X-Service-Delivery-Type']).toBe('sync')
  for (const id of [...missed, sync])
    expect(await readDelivery(id)).toMatchObject({ status: 'delivered', attempts: 1, code: 204 })
  expect(await readOutstanding()).toBe(0)
})

it('a delivery has four attempts at the documented times and is then dead, and so has each redelivery', async () => {
  const webhook = await seedWebhook()
  const id = await insertDelivery(webhook)
  const fixture = createFixture(() => 503)
  const seen = { ids: new Set<string>(), bodies: new Set<string>(), signatures: new Set<string>() }
  for (let round = 0; round < 3; round += 1) {
    const startedAt = fixture.at()
    if (round > 0) {
      expect(await again(id, { now: startedAt })).toMatchObject({ ok: true, value: { id } })
      const opened = { status: 'pending', attempts: 0, code: null, resolvedAt: null }
      expect(await readDelivery(id)).toMatchObject(opened)
    }
    await fixture.hint(id)
    await fixture.drainAll()

    const posts = fixture.posts.splice(0)
    expect(posts).toHaveLength(4)
    // At the middle of each wait, each a second late at most: messages count whole seconds.
    for (const [index, seconds] of [0, 30, 330, 2130].entries())
      expect((posts[index]!.at - startedAt) / 1000 - seconds).toSatisfy(
        (late: number) => late >= 0 && late <= 6,
      )
    for (const { deliveryId, body, headers } of posts) {
      seen.ids.add(deliveryId)
      seen.bodies.add(body)
      seen.signatures.add(headers['X-Service-Signature']!)
    }
    const dead = { status: 'dead', attempts: 4, code: 503, errorType: 'http' }
    expect(await readDelivery(id)).toMatchObject(dead)
    fixture.set(fixture.at() + 1000)
  }
  expect([seen.ids.size, seen.bodies.size, seen.signatures.size]).toEqual([1, 1, 12])
  expect(await readOutstanding()).toBe(0)
  // Redeliveries do not count towards the ten failures in a row.
  const counted = { consecutiveFailures: 4, state: 'active' }
  expect(await readWebhook(webhook)).toMatchObject(counted)
})

it('redeliveries are sent one at a time, even if an older delivery is reopened meanwhile; tests do not wait for them', async () => {
  const webhook = await seedWebhook()
  const older = await seedDead(webhook, { createdAt: NOW - 60 * MINUTE_MS })
  const later = await seedDead(webhook)
  const test = await seedDead(webhook, { type: 'manual' })
  await again(test)
  await since(webhook, NOW - MINUTE_MS)
  const fixture = createFixture(async () => {
    if (fixture.posts.length > 1) return 204
    expect(await since(webhook)).toMatchObject({ ok: true, value: { redelivered: 1 } })
    await fixture.hint(older, test)
    expect(await statuses(older, later, test)).toEqual(['pending', 'sending', 'delivered'])
    return 204
  })
  await fixture.hint(later)
  expect(await statuses(older, later)).toEqual(['delivered', 'delivered'])
})

it('a redelivery goes to the current destination of its webhook', async () => {
  const webhook = await seedWebhook()
  const id = await insertDelivery(webhook, { status: 'delivered', attempts: 1 })
  await edit(webhook, { url: 'https://nuevo.example.com/ruta' })
  await again(id)
  const fixture = createFixture()
  await fixture.hint(id)
  expect(fixture.posts).toMatchObject([{ host: 'nuevo.example.com' }])
  const destination = 'https://nuevo.example.com/***'
  expect(await readDelivery(id)).toMatchObject({ status: 'delivered', attempts: 1, destination })
})

it('a delivered redelivery changes neither the failures in a row nor an owed sync', async () => {
  const webhook = await seedWebhook({ consecutiveFailures: 8, sync: 'made' })
  const [old, own] = [await seedDead(webhook), await insertDelivery(webhook, { type: 'sync' })]
  await again(old)
  await createFixture().hint(old)
  expect(await readWebhook(webhook)).toMatchObject({ consecutiveFailures: 8, sync: 'made' })

  // The count also stays when a delivery that resets the webhook is settled in the same batch.
  await again(old)
  await createFixture().hint(old, own)
  expect(await readWebhook(webhook)).toMatchObject({ consecutiveFailures: 8, sync: null })
})

it.each([
  ['one past its seven days', 'delivery_not_found', { createdAt: NOW - RETENTION_MS }, {}],
  ['any while there is no capacity', 'capacity_exhausted', {}, { capacity: 0 }],
  ['any while admission is closed', 'admission_closed', {}, { admitted: false }],
])('%s is refused', async (_, refusal, seed, change) => {
  const id = await seedDead(await seedWebhook(), seed)
  const open = await readOutstanding()
  expect(await again(id, change)).toEqual({ ok: false, refusal })
  expect(await readOutstanding()).toBe(open)
})

describe('redelivery since an instant', () => {
  it('opens dead and cancelled deliveries from the instant on, but no tests', async () => {
    const webhook = await seedWebhook()
    const at = { createdAt: NOW + MINUTE_MS }
    const rows = [
      [{ status: 'dead', createdAt: NOW - 1 }, 'dead'],
      [{ status: 'dead', createdAt: NOW }, 'pending'],
      [{ status: 'cancelled', ...at }, 'pending'],
      [{ status: 'delivered', ...at }, 'delivered'],
      [{ status: 'dead', type: 'manual', ...at }, 'dead'],
    ] as const
    for (const [row] of rows) await insertDelivery(webhook, row)
    await seedDead(await seedWebhook(), at)

    const asked = await since(webhook, NOW, { now: NOW + 2 * MINUTE_MS })
    const after = await readDeliveries()
    const { id, deliveryId } = after[1]!
    const value = { first: [{ id, deliveryId }], redelivered: 2, remaining: 0 }
    expect(asked).toEqual({ ok: true, value })
    const ended = [...rows.map(([, status]) => status), 'dead']
    expect(after.map(({ status }) => status)).toEqual(ended)
    expect(await readOutstanding()).toBe(2)
  })

  it('opens at most a hundred per account, the oldest first, and returns how many are left', async () => {
    const [webhook, other] = [await seedWebhook(), await seedWebhook()]
    for (let i = 0; i < OPEN_REDELIVERIES + 2; i++) await seedDead(webhook)
    const first = await since(webhook)
    expect(first).toMatchObject({ ok: true, value: { redelivered: 100, remaining: 2 } })
    const dead = await readRows('deliveries', { status: 'dead' })
    expect(dead.map(({ id }) => id)).toEqual([101, 102])

    const ofOther = await seedDead(other)
    for (const ask of [
      () => since(webhook),
      () => again(101),
      () => since(other),
      () => again(ofOther),
    ])
      expect(await ask()).toEqual({ ok: false, refusal: 'capacity_exhausted' })
    await changeRows('subscriptions', { accountId: 'another' }, { id: other })
    const another = { accountId: 'another', id: other, since: 0 }
    expect(await redeliverSince(management(), 'webhook', another)).toMatchObject({ ok: true })
    const fixture = createFixture()
    await fixture.hint(1, ofOther)
    await fixture.drain()
    const rest = await since(webhook, 0, { capacity: 1 })
    expect(rest).toMatchObject({ ok: true, value: { redelivered: 1, remaining: 1 } })
  })
})

describe('races:', () => {
  it.each([
    ['a pause', (webhook: string) => edit(webhook, { enabled: false }), 'paused'],
    [
      'a deletion',
      (id: string) => removeSubscription(env.DB, { id, accountId, version: 1 }, 'webhook'),
      'delivery_not_found',
    ],
    ['a prune', prune, 'delivery_not_found'],
  ])('%s meanwhile wins, and frees the capacity', async (_, act, refusal) => {
    const webhook = await seedWebhook()
    const id = await seedDead(webhook)
    const db = aroundBatch(async (run) => {
      await act(webhook)
      return run()
    })
    expect(await again(id, { db })).toEqual({ ok: false, refusal })
    expect(await readOutstanding()).toBe(0)
  })

  it('a pause cancels waiting redeliveries, and no further attempt is made', async () => {
    const webhook = await seedWebhook()
    const [sent, alone, waiting, test] = [
      await seedDead(webhook),
      await seedDead(webhook),
      await seedDead(webhook),
      await seedDead(webhook, { type: 'manual' }),
    ]
    for (const id of [alone, test]) await again(id)
    await since(webhook)
    const fixture = createFixture(async () => {
      expect((await edit(webhook, { enabled: false })).ok).toBe(true)
      return 500
    })
    await fixture.hint(sent)
    await fixture.drainAll()

    expect(await statuses(sent, alone, waiting, test)).toEqual(Array(4).fill('cancelled'))
    expect(fixture.posts).toHaveLength(1)
    expect(await readOutstanding()).toBe(0)
  })
})

const ACTS = ['one', 'since', 'pause', 'activate', 'edit', 'make', 'hint', 'sweep'] as const

it('after any concurrent events every row is sound and every POST is a counted attempt', async () => {
  const some = fc.array(fc.tuple(fc.constantFrom(...ACTS), fc.nat(20)), { maxLength: 3 })
  // Attempts before the last redelivery, which the row no longer counts.
  await env.DB.batch(
    [
      'create table rounds (delivery_id text, attempts integer)',
      `create trigger round_ended after update on deliveries
       when old.resolved_at is not null and new.resolved_at is null
       begin insert into rounds values (old.delivery_id, old.attempts); end`,
    ].map((sql) => env.DB.prepare(sql)),
  )
  const property = fc.asyncProperty(
    fc.array(fc.tuple(fc.nat(20), some), { maxLength: 8 }),
    async (story) => {
      await emptyTables('deliveries', 'subscriptions', 'currentQuotes', 'notices')
      const webhook = await seedWebhook()
      const ids: number[] = []
      for (let i = 0; i < 4; i++) ids.push(await insertDelivery(webhook))
      const underWay = new Set<string>()
      const twice: string[] = []
      const fixture = createFixture(async ({ deliveryId }) => {
        if (underWay.has(deliveryId)) twice.push(deliveryId)
        underWay.add(deliveryId)
        await new Promise((resolve) => setTimeout(resolve, 0))
        underWay.delete(deliveryId)
        return fixture.posts.length % 3 === 0 ? 204 : 500
      })
      const now = () => fixture.at()
      const version = async () => (await readWebhook(webhook))['version'] as number
      const change = async (changes: object) => edit(webhook, changes, await version(), now())
      const acts: Record<(typeof ACTS)[number], (n: number) => Promise<unknown>> = {
        one: (n) => again(ids[n % ids.length]!, { now: now() }),
        since: () => since(webhook, 0, { now: now() }),
        pause: () => change({ enabled: false }),
        activate: () => change({ enabled: true }),
        edit: (n) => change({ url: `https://h${n}.example.com/` }),
        make: async () => {
          const { revision } = (await readWebhook(webhook)) as { revision: number }
          ids.push(
            await insertDelivery(webhook, { revision, createdAt: now(), nextAttemptAt: now() }),
          )
        },
        hint: (n) => fixture.hint(ids[n % ids.length]!, ids[(n + 1) % ids.length]!),
        sweep: () => fixture.sweep(),
      }
      for (const [minutes, together] of story) {
        await Promise.all(together.map(([act, n]) => acts[act](n)))
        // Not during an attempt, which could otherwise lose its lease before it is sent.
        fixture.set(now() + minutes * MINUTE_MS)
        await expectSoundDeliveries(fixture.at())
      }
      for (let round = 0; round < 60 && (await readOutstanding()) > 0; round++) {
        fixture.set(now() + 2 * MINUTE_MS)
        await fixture.sweep()
        await fixture.drain()
      }
      expect(await readOutstanding()).toBe(0)
      await expectSoundDeliveries(fixture.at())
      expect(twice).toEqual([])
      const { results } = await env.DB.prepare(
        `select delivery_id as id, attempts + coalesce((select sum(r.attempts) from rounds r
           where r.delivery_id = deliveries.delivery_id), 0) as attempts from deliveries`,
      ).all<{ id: string; attempts: number }>()
      for (const { id, attempts } of results)
        expect(fixture.posts.filter(({ deliveryId }) => deliveryId === id)).toHaveLength(attempts)
    },
  )
  await fc.assert(property, { numRuns: 12 })
})
