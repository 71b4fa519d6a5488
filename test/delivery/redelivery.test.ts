/** Finished deliveries that their owner has go out again. */
import { BODY } from '../../tools/prove/harness/delivery-body.ts'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { RETENTION_MS } from '../../shared/db/deliveries/open.ts'
import { deliveryChecks } from '../../tools/operate/admin/audit/deliveries.ts'
import { pruneChunk } from '../../workers/delivery/db/prune.ts'
import type { SubscriptionContext } from '../../shared/subscriptions/context.ts'
import { editSubscription } from '../../shared/subscriptions/edit.ts'
import {
  OPEN_REDELIVERIES,
  redeliver,
  redeliverSince,
} from '../../shared/subscriptions/redeliver.ts'
import { removeSubscription } from '../../shared/subscriptions/remove.ts'
import { rotateSecret } from '../../shared/subscriptions/rotate.ts'
import { webhooks } from '../../shared/subscriptions/webhooks.ts'
import { aroundBatch } from '../support/batched-db.ts'
import {
  deliveryRow,
  keyring,
  NOW,
  outstanding,
  seedDelivery,
  seedWebhook,
  webhookRow,
} from '../support/delivery-seeds.ts'
import { createFixture } from '../support/delivery-fixture.ts'
import { env } from '../support/env.ts'
import { random } from '../support/random.ts'
import { changeRows, readRows } from '../support/rows.ts'

const accountId = 'account'
const MINUTE = 60_000

function context(change: Partial<SubscriptionContext> = {}): SubscriptionContext {
  const ways = { ownHosts: [], sendsMail: true, reachesAddresses: true }
  const fixed = { db: env.DB, keyring: keyring(), ...ways, admitted: true, capacity: 1000 }
  return { ...fixed, now: NOW, random, ...change }
}

/** A delivery that four attempts failed to deliver. */
const seedDead = (webhook: string, seed: Parameters<typeof seedDelivery>[1] = {}) =>
  seedDelivery(webhook, { status: 'dead', attempts: 4, ...seed })

async function again(id: number, change: Partial<SubscriptionContext> = {}) {
  const { delivery_id: deliveryId } = (await deliveryRow(id)) ?? { delivery_id: GONE }
  return redeliver(context(change), 'webhook', { accountId, deliveryId: deliveryId as string })
}

const GONE = '019cae55-2c00-7000-8000-000000000000'

function since(webhook: string, at = 0, change: Partial<SubscriptionContext> = {}) {
  return redeliverSince(context(change), 'webhook', { accountId, id: webhook, since: at })
}

function edit(id: string, changes: object, version = 1) {
  return editSubscription(context(), webhooks, { accountId, id }, { version, ...changes })
}

/** A database in which something happens just before what is written. */
const inBetween = (act: () => Promise<unknown>) =>
  aroundBatch(async (run) => {
    await act()
    return run()
  })

async function statuses(...ids: number[]) {
  return Promise.all(ids.map(async (id) => (await deliveryRow(id))?.['status']))
}

it('a receiver that was down gets what it missed, in order, once it is asked for', async () => {
  const webhook = await seedWebhook()
  const missed = [await seedDelivery(webhook), await seedDelivery(webhook)]
  const sync = await seedDelivery(webhook, { type: 'sync' })
  let isDown = true
  const fixture = createFixture(() => (isDown ? 503 : 204))
  await fixture.hint(...missed, sync)
  while (fixture.toNextMessage()) await fixture.drain()
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
    expect(await deliveryRow(id)).toMatchObject({ status: 'delivered', attempts: 1, code: 204 })
  expect(await outstanding()).toBe(0)
})

it('has four more attempts at the usual waits, then is dead, and may go out again', async () => {
  const id = await seedDead(await seedWebhook())
  const fixture = createFixture(() => 500)
  for (let round = 0; round < 2; round += 1) {
    const startedAt = fixture.at()
    expect(await again(id, { now: startedAt })).toMatchObject({ ok: true, value: { id } })
    expect(await deliveryRow(id)).toMatchObject({
      status: 'pending',
      attempts: 0,
      code: null,
      resolved_at: null,
    })
    await fixture.hint(id)
    while (fixture.toNextMessage()) await fixture.drain()

    const offsets = fixture.posts.splice(0).map(({ at }) => (at - startedAt) / 1000)
    for (const [index, seconds] of [0, 30, 330, 2130].entries())
      expect(offsets[index]! - seconds).toSatisfy((late: number) => late >= 0 && late <= 6)
    expect(await deliveryRow(id)).toMatchObject({ status: 'dead', attempts: 4 })
  }
  expect(await outstanding()).toBe(0)
})

it.each(['delivered', 'dead', 'cancelled'])('a %s delivery goes out again', async (status) => {
  const id = await seedDelivery(await seedWebhook(), { status, attempts: 1 })
  await again(id)
  await createFixture().hint(id)
  expect(await deliveryRow(id)).toMatchObject({ status: 'delivered', attempts: 1 })
})

describe('the order', () => {
  it('of those since an instant is kept while the first waits for its retry', async () => {
    const webhook = await seedWebhook()
    const [first, second] = [await seedDead(webhook), await seedDead(webhook)]
    await since(webhook)
    const fixture = createFixture(() => (fixture.posts.length === 1 ? 500 : 204))
    await fixture.hint(second, first)
    expect(await statuses(first, second)).toEqual(['failed', 'pending'])

    while (fixture.toNextMessage()) await fixture.drain()
    expect(await statuses(first, second)).toEqual(['delivered', 'delivered'])
    const sent = fixture.posts.map(({ deliveryId }) => deliveryId)
    expect(sent).toEqual([sent[0], sent[0], sent[2]])
  })

  it('holds up neither what is new nor what is redelivered alone, and is held up by neither', async () => {
    const webhook = await seedWebhook()
    const [first, alone] = [await seedDead(webhook), await seedDead(webhook)]
    await again(alone)
    await since(webhook)
    const later = await seedDelivery(webhook, { status: 'failed', attempts: 1 })
    await createFixture(() => 500).hint(first, alone, later)
    expect(await statuses(first, alone, later)).toEqual(['failed', 'failed', 'failed'])
  })

  it('of what is new is that of before, whatever older ones are open again', async () => {
    const webhook = await seedWebhook()
    const old = await seedDead(webhook)
    const first = await seedDelivery(webhook, { status: 'failed', nextAttemptAt: NOW + 1 })
    const second = await seedDelivery(webhook)
    await again(old)
    await createFixture().hint(old, second)
    expect(await statuses(old, first, second)).toEqual(['delivered', 'failed', 'pending'])
  })

  it('never has two at once, though an older one is opened while a later one is sent', async () => {
    const webhook = await seedWebhook()
    const older = await seedDead(webhook, { createdAt: NOW - 60 * MINUTE })
    const later = await seedDead(webhook)
    await since(webhook, NOW - MINUTE)
    const fixture = createFixture(async () => {
      if (fixture.posts.length > 1) return 204
      expect(await since(webhook)).toMatchObject({ ok: true, value: { redelivered: 1 } })
      await fixture.hint(older)
      expect(await statuses(older, later)).toEqual(['pending', 'sending'])
      return 204
    })
    await fixture.hint(later)
    expect(await statuses(older, later)).toEqual(['delivered', 'delivered'])
  })

  it('lets a sweep put off what is behind one that waits for its retry', async () => {
    const webhook = await seedWebhook()
    const [first, second] = [await seedDead(webhook), await seedDead(webhook)]
    await since(webhook)
    const fixture = createFixture(() => 500)
    await fixture.hint(first)
    fixture.set(fixture.at() + 29_000)
    fixture.messages.splice(0)
    await changeRows('deliveries', { lookAt: fixture.at() })
    await fixture.sweep()
    expect(fixture.messages.filter(({ deliveryId }) => deliveryId === second)).toEqual([])
    expect(await deliveryRow(second)).toMatchObject({ look_at: NOW + 60_000 })
  })

  it('goes on after a hint was lost, and after an invocation was cut off', async () => {
    const webhook = await seedWebhook()
    const ids = [await seedDead(webhook), await seedDead(webhook), await seedDead(webhook)]
    await since(webhook)
    const fixture = createFixture()
    fixture.set(NOW + MINUTE)
    await changeRows(
      'deliveries',
      {
        status: 'sending',
        attempts: 1,
        leaseToken: 'of an isolate that is gone',
        leaseUntil: NOW,
        lastAttemptAt: NOW,
      },
      { id: ids[0]! },
    )
    await fixture.sweep()
    expect(await deliveryRow(ids[0]!)).toMatchObject({
      status: 'failed',
      error_type: 'interrupted',
    })
    while (fixture.toNextMessage()) await fixture.drain()

    expect(await statuses(...ids)).toEqual(['delivered', 'delivered', 'delivered'])
    expect(fixture.posts.map(({ deliveryId }) => deliveryId)).toEqual(
      (await Promise.all(ids.map(deliveryRow))).map((row) => row!['delivery_id']),
    )
  })
})

describe('the count of failures', () => {
  it.each([
    [500, { state: 'active', consecutive_failures: 9, needs_sync: 1 }],
    [204, { state: 'active', consecutive_failures: 9, needs_sync: 1 }],
  ])(
    'is left alone by a redelivery that is answered %s, and so is an owed sync',
    async (code, left) => {
      const webhook = await seedWebhook({ failures: 9, needsSync: true })
      await again(await seedDead(webhook))
      const fixture = createFixture(() => code)
      await fixture.hint(1)
      expect(fixture.posts).toHaveLength(1)
      expect(await webhookRow(webhook)).toMatchObject(left)
    },
  )

  it('is left alone by one that is written together with an attempt that clears the webhook', async () => {
    const webhook = await seedWebhook({ failures: 9, needsSync: true })
    const old = await seedDead(webhook)
    const sync = await seedDelivery(webhook, { type: 'sync' })
    await again(old)
    await createFixture().hint(old, sync)
    expect(await statuses(old, sync)).toEqual(['delivered', 'delivered'])
    expect(await webhookRow(webhook)).toMatchObject({ consecutive_failures: 9, needs_sync: 0 })
  })
})

describe('what is refused', () => {
  it.each([
    ['an open one', 'delivery_open', { status: 'failed', attempts: 1 }, {}],
    ['one that is sent now', 'delivery_open', { status: 'sending', attempts: 1 }, {}],
    ['one past its seven days', 'delivery_not_found', { createdAt: NOW - RETENTION_MS }, {}],
    ['any while there is no capacity', 'capacity_exhausted', {}, { capacity: 0 }],
    ['any while admission is closed', 'admission_closed', {}, { admitted: false }],
  ])('%s', async (_, refusal, seed, change) => {
    const id = await seedDead(await seedWebhook(), seed)
    const open = await outstanding()
    expect(await again(id, change)).toEqual({ ok: false, refusal })
    expect(await outstanding()).toBe(open)
  })

  it('one of another account, of the other kind, and of nobody', async () => {
    const webhook = await seedWebhook()
    const { delivery_id: deliveryId } = (await deliveryRow(await seedDead(webhook)))! as {
      delivery_id: string
    }
    const refused = { ok: false, refusal: 'delivery_not_found' }
    const own = { accountId, deliveryId }
    const foreign = { ...own, accountId: 'another' }
    expect(await redeliver(context(), 'webhook', foreign)).toEqual(refused)
    expect(await redeliver(context(), 'alert', own)).toEqual(refused)
    expect(await redeliver(context(), 'webhook', { ...own, deliveryId: GONE })).toEqual(refused)
    expect(await redeliver(context(), 'webhook', { ...own, deliveryId: 'x' })).toEqual(refused)
    const ofOther = { accountId: 'another', id: webhook, since: 0 }
    expect(await redeliverSince(context(), 'webhook', ofOther)).toEqual({
      ok: false,
      refusal: 'not_found',
    })
    expect(await outstanding()).toBe(0)
  })

  it.each(['manual', 'failure', 'inherited'] as const)(
    'all of a webhook whose state is %s, tests too',
    async (state) => {
      const webhook = await seedWebhook({ state })
      expect(await again(await seedDead(webhook))).toEqual({ ok: false, refusal: 'paused' })
      expect(await since(webhook)).toEqual({ ok: false, refusal: 'paused' })
      const test = await seedDead(webhook, { type: 'manual' })
      expect(await again(test)).toEqual({ ok: false, refusal: 'paused' })
      expect(await outstanding()).toBe(0)
    },
  )
})

describe('those since an instant', () => {
  it('are the dead and cancelled ones that are not older, tests aside', async () => {
    const webhook = await seedWebhook()
    const at = { createdAt: NOW + MINUTE }
    const [before, dead, cancelled] = [
      await seedDead(webhook, { createdAt: NOW - 1 }),
      await seedDead(webhook, { createdAt: NOW }),
      await seedDelivery(webhook, { status: 'cancelled', ...at }),
    ]
    const others = [
      await seedDelivery(webhook, { status: 'delivered', attempts: 1, ...at }),
      await seedDead(webhook, { type: 'manual', ...at }),
      await seedDead(await seedWebhook(), at),
    ]
    const asked = await since(webhook, NOW, { now: NOW + 2 * MINUTE })
    expect(asked).toEqual({
      ok: true,
      value: {
        first: [{ id: dead, deliveryId: (await deliveryRow(dead))!['delivery_id'] }],
        redelivered: 2,
        remaining: 0,
      },
    })
    expect(await statuses(dead, cancelled)).toEqual(['pending', 'pending'])
    expect(await statuses(before, ...others)).toEqual(['dead', 'delivered', 'dead', 'dead'])
    expect(await outstanding()).toBe(2)
  })

  it('are a hundred of an account at the most, the oldest first, and say how many are left', async () => {
    const [webhook, other] = [await seedWebhook(), await seedWebhook()]
    for (let i = 0; i < OPEN_REDELIVERIES + 2; i++) await seedDead(webhook)
    const first = await since(webhook)
    expect(first).toMatchObject({ ok: true, value: { redelivered: 100, remaining: 2 } })
    const dead = await readRows('deliveries', { status: 'dead' })
    expect(dead.map(({ id }) => id)).toEqual([101, 102])

    expect(await since(webhook)).toEqual({ ok: false, refusal: 'capacity_exhausted' })
    expect(await again(101)).toEqual({ ok: false, refusal: 'capacity_exhausted' })
    const ofOther = await seedDead(other)
    expect(await since(other)).toEqual({ ok: false, refusal: 'capacity_exhausted' })
    expect(await again(ofOther)).toEqual({ ok: false, refusal: 'capacity_exhausted' })
    await changeRows('subscriptions', { accountId: 'another' }, { id: other })
    const another = { accountId: 'another', id: other, since: 0 }
    expect(await redeliverSince(context(), 'webhook', another)).toMatchObject({ ok: true })
    const fixture = createFixture()
    await fixture.hint(1, ofOther)
    await fixture.drain()
    expect(await outstanding()).toBe(0)
    const rest = await since(webhook, 0, { capacity: 1 })
    expect(rest).toMatchObject({ ok: true, value: { redelivered: 1, remaining: 1 } })
  })
})

describe('at once:', () => {
  it('of twenty calls for a delivery one opens it, and it goes out once', async () => {
    const id = await seedDead(await seedWebhook())
    const answers = await Promise.all(Array.from({ length: 20 }, () => again(id)))
    expect(answers.filter(({ ok }) => ok)).toHaveLength(1)
    expect(answers).toContainEqual({ ok: false, refusal: 'delivery_open' })
    expect(await outstanding()).toBe(1)

    const fixture = createFixture()
    await Promise.all(Array.from({ length: 5 }, () => fixture.hint(id)))
    expect(fixture.posts).toHaveLength(1)
    expect(await outstanding()).toBe(0)
  })

  it('twenty calls for all since an instant open each once', async () => {
    const webhook = await seedWebhook()
    for (let i = 0; i < 7; i++) await seedDead(webhook)
    const answers = await Promise.all(Array.from({ length: 20 }, () => since(webhook)))
    const opened = answers.map((answer) => (answer.ok ? answer.value.redelivered : -1))
    expect(opened.toSorted()).toEqual([...Array.from({ length: 19 }, () => 0), 7])
    expect(await outstanding()).toBe(7)
  })

  it.each([
    ['a pause', (webhook: string) => edit(webhook, { enabled: false }), 'paused'],
    [
      'a deletion',
      (id: string) => removeSubscription(env.DB, { id, accountId, version: 1 }, 'webhook'),
      'delivery_not_found',
    ],
    ['a prune', () => pruneChunk(env.DB, NOW + RETENTION_MS), 'delivery_not_found'],
  ])('%s in between wins, and keeps no capacity', async (_, act, refusal) => {
    const webhook = await seedWebhook()
    const id = await seedDead(webhook)
    const { delivery_id: deliveryId } = (await deliveryRow(id))! as { delivery_id: string }
    const db = inBetween(() => act(webhook))
    const own = { accountId, deliveryId }
    expect(await redeliver(context({ db }), 'webhook', own)).toEqual({ ok: false, refusal })
    expect(await outstanding()).toBe(0)
  })

  it('a deletion and a prune take what waits to go out again, and its capacity', async () => {
    const [one, other] = [await seedWebhook(), await seedWebhook()]
    for (const webhook of [one, other]) {
      await seedDead(webhook)
      await since(webhook)
    }
    expect(await outstanding()).toBe(2)
    await removeSubscription(env.DB, { id: one, accountId, version: 1 }, 'webhook')
    expect(await outstanding()).toBe(1)
    await pruneChunk(env.DB, NOW + RETENTION_MS)
    expect(await outstanding()).toBe(0)
  })

  it('a pause cancels what waits to go out again, and no further attempt is made', async () => {
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

    expect(await statuses(sent, alone, waiting, test)).toEqual(Array(4).fill('cancelled'))
    expect(fixture.posts).toHaveLength(1)
    expect(fixture.messages).toEqual([])
    expect(await outstanding()).toBe(0)
  })

  it('the tenth failure cancels what waits to go out again', async () => {
    const webhook = await seedWebhook({ failures: 9 })
    const old = await seedDead(webhook)
    const tenth = await seedDelivery(webhook)
    await since(webhook)
    await createFixture(() => 500).hint(tenth)
    expect(await statuses(old, tenth)).toEqual(['cancelled', 'cancelled'])
    expect(await outstanding()).toBe(0)
  })

  it('an edit leaves it, and it goes to where the webhook is now', async () => {
    const webhook = await seedWebhook()
    const [old, open] = [await seedDead(webhook), await seedDead(webhook)]
    await again(open)
    await edit(webhook, { url: 'https://nuevo.example.com/ruta' })
    await again(old)
    const fixture = createFixture()
    await fixture.hint(old, open)

    expect(fixture.posts.map(({ host }) => host)).toEqual(Array(2).fill('nuevo.example.com'))
    for (const id of [old, open])
      expect(await deliveryRow(id)).toMatchObject({
        status: 'delivered',
        destination: 'https://nuevo.example.com/***',
      })
  })

  it('a rotation waits for the end of one that is sent', async () => {
    const webhook = await seedWebhook()
    const id = await seedDead(webhook)
    await again(id)
    const rotate = () => rotateSecret(context(), webhooks, { id: webhook, accountId, version: 1 })
    const fixture = createFixture(async () => {
      expect(await rotate()).toEqual({ ok: false, refusal: 'send_in_flight' })
      return 204
    })
    await fixture.hint(id)
    expect(fixture.posts).toHaveLength(1)
    expect(await rotate()).toMatchObject({ ok: true })
  })
})

const ACTS = ['one', 'since', 'pause', 'activate', 'edit', 'make', 'hint', 'sweep'] as const

it('whatever happens together, every row is sound, and each POST is a counted attempt', async () => {
  const some = fc.array(fc.tuple(fc.constantFrom(...ACTS), fc.nat(20)), { maxLength: 3 })
  // The rounds before the last redelivery of a row, which it no more counts.
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
      await env.DB.batch(
        ['deliveries', 'subscriptions', 'open_deliveries', 'current_quotes', 'notices'].map(
          (table) => env.DB.prepare(`delete from ${table}`),
        ),
      )
      const webhook = await seedWebhook()
      const ids: number[] = []
      for (let i = 0; i < 4; i++) ids.push(await seedDelivery(webhook))
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
      const version = async () => (await webhookRow(webhook))!['version'] as number
      const change = async (changes: object) =>
        editSubscription(
          context({ now: now() }),
          webhooks,
          { accountId, id: webhook },
          {
            version: await version(),
            ...changes,
          },
        )
      const acts: Record<(typeof ACTS)[number], (n: number) => Promise<unknown>> = {
        one: (n) => again(ids[n % ids.length]!, { now: now() }),
        since: () => since(webhook, 0, { now: now() }),
        pause: () => change({ enabled: false }),
        activate: () => change({ enabled: true }),
        edit: (n) => change({ url: `https://h${n}.example.com/` }),
        make: async () => {
          const { revision } = (await webhookRow(webhook))! as { revision: number }
          ids.push(
            await seedDelivery(webhook, { revision, createdAt: now(), nextAttemptAt: now() }),
          )
        },
        hint: (n) => fixture.hint(ids[n % ids.length]!, ids[(n + 1) % ids.length]!),
        sweep: () => fixture.sweep(),
      }
      for (const [minutes, together] of story) {
        await Promise.all(together.map(([act, n]) => acts[act](n)))
        // Not during an attempt: it could lose its lease before it is sent.
        fixture.set(now() + minutes * MINUTE)
        await expectSound(fixture.at())
      }
      for (let round = 0; round < 60 && (await outstanding()) > 0; round++) {
        fixture.set(now() + 2 * MINUTE)
        await fixture.sweep()
        await fixture.drain()
      }
      expect(await outstanding()).toBe(0)
      await expectSound(fixture.at())
      expect(twice).toEqual([])
      const { results } = await env.DB.prepare(
        `select delivery_id as id, attempts + coalesce((select sum(r.attempts) from rounds r
           where r.delivery_id = deliveries.delivery_id), 0) as attempts from deliveries`,
      ).all<{ id: string; attempts: number }>()
      for (const { id, attempts } of results)
        expect(fixture.posts.filter(({ deliveryId }) => deliveryId === id)).toHaveLength(attempts)
    },
  )
  try {
    await fc.assert(property, { numRuns: 12 })
  } finally {
    await env.DB.batch(
      ['drop trigger round_ended', 'drop table rounds'].map((sql) => env.DB.prepare(sql)),
    )
  }
})

/** What the audit knows to be true of every delivery, but how soon it is sent: the story says when. */
async function expectSound(now: number): Promise<void> {
  const scope = { db: env.DB, kv: env.BOARD, now, since: 0, keyring: null }
  for (const check of deliveryChecks)
    expect(
      await check.run({ ...scope, asOf: 0, pages: [JSON.stringify([accountId])] }),
      check.name,
    ).toMatchObject({ broken: 0 })
}
