import { TALLIES } from '../../shared/db/deliveries/counts.ts'
import { describe, expect, it } from 'vitest'
import { refuse } from '../../shared/result.ts'
import {
  NOW,
  deliveryRow,
  insertDelivery,
  readOutstanding,
  seedWebhook,
  webhookRow,
} from '../support/webhooks.ts'
import { createFixture } from '../support/delivery-fixture.ts'
import { env } from '../support/env.ts'
import { changeRows, countRows } from '../support/rows.ts'

const notices = () => countRows('notices')

async function deliveredTally(): Promise<number> {
  const row = await env.DB.prepare(
    `select coalesce(sum(delivered), 0) as n from ${TALLIES}`,
  ).first<{ n: number }>()
  return row!.n
}

describe('the tenth consecutive failure of automatic deliveries', () => {
  it('pauses, cancels what waits of that webhook, and prepares one notice', async () => {
    const webhook = await seedWebhook({ consecutiveFailures: 9, needsSync: true })
    const other = await seedWebhook()
    const tenth = await insertDelivery(webhook)
    const waiting = await insertDelivery(webhook, { type: 'sync' })
    const test = await insertDelivery(webhook, { type: 'manual', nextAttemptAt: NOW + 1 })
    const foreign = await insertDelivery(other, { nextAttemptAt: NOW + 1 })
    const fixture = createFixture(() => 500)

    await fixture.hint(tenth)

    expect(await webhookRow(webhook)).toMatchObject({
      state: 'failure',
      enabled: 0,
      consecutive_failures: 10,
      version: 2,
      needs_sync: 0,
    })
    expect(await deliveryRow(tenth)).toMatchObject({ status: 'cancelled', resolved_at: NOW })
    expect(await deliveryRow(waiting)).toMatchObject({ status: 'cancelled' })
    expect(await deliveryRow(test)).toMatchObject({ status: 'pending' })
    expect(await deliveryRow(foreign)).toMatchObject({ status: 'pending' })
    expect(await notices()).toBe(1)
    expect(await readOutstanding()).toBe(2)
  })
})

describe('the count of consecutive failures', () => {
  it.each([
    ['automatic', 500, 4, 'failed'],
    ['automatic', 204, 0, 'delivered'],
    ['manual', 500, 3, 'failed'],
    ['manual', 204, 3, 'delivered'],
    ['sync', 500, 3, 'failed'],
    ['sync', 204, 3, 'delivered'],
  ] as const)('after a %s delivery answered %s is %s', async (type, code, failures, status) => {
    const webhook = await seedWebhook({ consecutiveFailures: 3 })
    const id = await insertDelivery(webhook, { type })
    await createFixture(() => code).hint(id)

    expect(await webhookRow(webhook)).toMatchObject({ consecutive_failures: failures })
    expect(await deliveryRow(id)).toMatchObject({ status })
  })
})

const during = (sql: string) => async () => {
  await env.DB.prepare(sql).run()
  return 500
}

describe('what happens to the webhook during a send', () => {
  it.each([
    ['a pause', `update subscriptions set state = 'manual', revision = revision + 1`],
    ['an edit', `update subscriptions set revision = revision + 1`],
  ])('%s: a failure is not tried again', async (_, sql) => {
    const id = await insertDelivery(await seedWebhook())
    const fixture = createFixture(during(sql))
    await fixture.hint(id)

    await fixture.drainAll()

    expect(await deliveryRow(id)).toMatchObject({ status: 'cancelled', attempts: 1, code: 500 })
    expect(fixture.posts).toHaveLength(1)
    expect(await readOutstanding()).toBe(0)
  })

  it('a pause during the tenth failure stays the owner’s, without a notice', async () => {
    const webhook = await seedWebhook({ consecutiveFailures: 9 })
    await createFixture(
      during(`update subscriptions set state = 'manual', enabled = 0, revision = revision + 1`),
    ).hint(await insertDelivery(webhook))

    expect(await webhookRow(webhook)).toMatchObject({ state: 'manual', version: 1 })
    expect(await notices()).toBe(0)
  })
})

it.each([
  ['owed since the attempt began', false, { needsSync: true }],
  ['owed by another revision', true, { revision: 2 }],
])('a success leaves a sync that is %s', async (_, needsSync, changes) => {
  const webhook = await seedWebhook({ needsSync })
  const id = await insertDelivery(webhook)
  await createFixture(async () => {
    await changeRows('subscriptions', changes)
    return 204
  }).hint(id)

  expect(await deliveryRow(id)).toMatchObject({ status: 'delivered' })
  expect(await webhookRow(webhook)).toMatchObject({ needs_sync: 1 })
})

it('what an attempt answers after its lease was taken over changes nothing', async () => {
  const id = await insertDelivery(await seedWebhook())
  const fixture = createFixture(async () => {
    fixture.set(NOW + 60_000)
    await fixture.sweep()
    return 204
  })
  await fixture.hint(id)
  expect(await deliveryRow(id)).toMatchObject({ status: 'failed', error_type: 'interrupted' })
  expect(await readOutstanding()).toBe(1)
  expect(await deliveredTally()).toBe(0)
})

it('an interrupted attempt counts as one of the four, not towards the ten', async () => {
  const webhook = await seedWebhook({ consecutiveFailures: 9 })
  const id = await insertDelivery(webhook, {
    status: 'sending',
    attempts: 4,
    leaseUntil: NOW,
    lookAt: NOW,
  })
  await createFixture().sweep()

  expect(await deliveryRow(id)).toMatchObject({ status: 'dead', error_type: 'interrupted' })
  expect(await webhookRow(webhook)).toMatchObject({ state: 'active', consecutive_failures: 9 })
  expect(await readOutstanding()).toBe(0)
})

const WEEK = 7 * 24 * 60 * 60_000

/** Waits are 30 seconds after the first attempt. */
const YOUNG = NOW - WEEK + 30_001
const OLD = NOW - WEEK + 30_000

const EXPIRED = { status: 'dead', error_type: 'expired', resolved_at: NOW }

async function expectEnded(id: number, row: object) {
  expect(await deliveryRow(id)).toMatchObject({ ...EXPIRED, ...row })
  expect(await readOutstanding()).toBe(0)
  expect(await env.DB.prepare(`select sum(dead) as dead from ${TALLIES}`).first()).toEqual({
    dead: 1,
  })
}

it.each([
  ['failed', YOUNG, 'http'],
  ['dead', OLD, 'expired'],
])(
  'a failed attempt is %s, made %s, for a delivery lives seven days',
  async (status, createdAt, errorType) => {
    const webhook = await seedWebhook()
    const id = await insertDelivery(webhook, { createdAt })
    await createFixture(() => 500).hint(id)

    expect(await deliveryRow(id)).toMatchObject({ status, error_type: errorType, code: 500 })
    expect(await webhookRow(webhook)).toMatchObject({ consecutive_failures: 1 })
    if (status === 'dead') await expectEnded(id, { attempts: 1 })
  },
)

it('a fault of our own ends what is too old for another attempt', async () => {
  const id = await insertDelivery(await seedWebhook(), { createdAt: OLD })
  await createFixture(() => 204, { resolve: async () => refuse('resolver') }).hint(id)
  await expectEnded(id, { attempts: 0, releases: 1, last_attempt_at: null })
})

it('so does a lease that runs out', async () => {
  const lease = { status: 'sending', attempts: 1, leaseUntil: NOW, lookAt: NOW - 60_000 }
  const id = await insertDelivery(await seedWebhook(), { createdAt: OLD, ...lease })
  const fixture = createFixture()
  await fixture.sweep()
  await fixture.drainAll()
  await expectEnded(id, { attempts: 1 })
  expect(fixture.posts).toEqual([])
})
