import { describe, expect, it } from 'vitest'
import { message } from '../../support/delivery-fixture.ts'
import { requeueDeadLetters } from '../../../workers/delivery/consume/consume.ts'
import {
  NOW,
  deliveryRow,
  outstanding,
  seedDelivery,
  seedNotice,
  seedQuote,
  seedWebhook,
  webhookRow,
} from '../../support/delivery-seeds.ts'
import { createFixture } from '../../support/delivery-fixture.ts'
import { env } from '../../support/env.ts'
import { STALE_AT_ONCE } from '../../../workers/delivery/sweep/reconcile.ts'
import { copyRows, fromNumbers, insertRows } from '../../../tools/prove/harness/rows.ts'
import { readRows } from '../../support/rows.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

const rowsOf = async (webhook: string) =>
  (await readRows('deliveries', { subscriptionId: webhook })).toSorted((a, b) => a.id - b.id)

describe('rows without a hint', () => {
  it('are enqueued: everything that the queue dropped in ten minutes is delivered', async () => {
    const ids: number[] = []
    for (let count = 0; count < 20; count += 1) {
      const webhook = await seedWebhook()
      ids.push(await seedDelivery(webhook, { lookAt: null }), await seedDelivery(webhook))
    }
    const fixture = createFixture()
    fixture.set(NOW + 10 * MINUTE)

    for (let minute = 0; minute < 3; minute += 1) {
      await fixture.sweep()
      await fixture.drain()
      fixture.set(fixture.at() + MINUTE)
    }

    for (const id of ids) expect(await deliveryRow(id)).toMatchObject({ status: 'delivered' })
    expect(fixture.posts).toHaveLength(40)
    expect(await outstanding()).toBe(0)
  })

  it('are not enqueued again while their hint is fresh', async () => {
    const id = await seedDelivery(await seedWebhook(), { lookAt: NOW - MINUTE })
    const fixture = createFixture()
    for (let second = 0; second < 25; second += 5) {
      fixture.set(NOW + second * 1000)
      await fixture.sweep()
    }
    expect(fixture.messages).toEqual([{ deliveryId: id, at: NOW }])
  })

  it('behind one in backoff are read once, then wait until it is tried again', async () => {
    const webhook = await seedWebhook()
    const nextAttemptAt = NOW + 30 * MINUTE
    await seedDelivery(webhook, {
      status: 'failed',
      attempts: 3,
      nextAttemptAt,
      lookAt: nextAttemptAt + 30_000,
    })
    for (let count = 0; count < 5; count += 1) await seedDelivery(webhook)
    const fixture = createFixture()
    fixture.set(NOW + MINUTE)
    await fixture.sweep()

    expect(fixture.messages).toEqual([])
    const looks = (await readRows('deliveries')).map(({ lookAt }) => lookAt)
    expect(new Set(looks)).toEqual(new Set([nextAttemptAt + 30_000]))
  })

  it('behind one whose attempt was interrupted just now wait for its retry, once they are many', async () => {
    const webhook = await seedWebhook()
    const head = await seedDelivery(webhook, {
      status: 'sending',
      attempts: 1,
      leaseUntil: NOW - MINUTE,
      createdAt: NOW - MINUTE,
      lookAt: null,
    })
    await env.DB.prepare(
      copyRows(
        'deliveries',
        {
          delivery_id: 'hex(randomblob(16))',
          status: `'pending'`,
          attempts: 0,
          created_at: '?2',
          next_attempt_at: '?2',
          lease_token: null,
          lease_until: null,
        },
        `${fromNumbers('?1')}, deliveries where id = ?3`,
      ),
    )
      .bind(2 * STALE_AT_ONCE, NOW - MINUTE, head)
      .run()
    await createFixture().sweep()

    const { next_attempt_at: retryAt } = (await deliveryRow(head))!
    const last = (await readRows('deliveries')).at(-1)
    expect(retryAt).toBeGreaterThan(NOW)
    expect(await deliveryRow(last!.id)).toMatchObject({
      status: 'pending',
      look_at: Number(retryAt) + 30_000,
    })
  })

  it('that are ineligible are cancelled, so that they block nothing', async () => {
    const webhook = await seedWebhook({ revision: 2 })
    const old = await seedDelivery(webhook, { lookAt: NOW - MINUTE })
    const current = await seedDelivery(webhook, { revision: 2 })
    const fixture = createFixture()
    await fixture.sweep()
    await fixture.hint(current)

    expect(await deliveryRow(old)).toMatchObject({ status: 'cancelled' })
    expect(await deliveryRow(current)).toMatchObject({ status: 'delivered' })
    expect(await outstanding()).toBe(0)
  })
})

it('a lease that has not run out is left alone; one that has is an interrupted attempt', async () => {
  const webhook = await seedWebhook()
  const id = await seedDelivery(webhook, {
    status: 'sending',
    attempts: 1,
    leaseUntil: NOW + 1,
    lookAt: NOW - MINUTE,
  })
  const fixture = createFixture()
  await fixture.sweep()
  expect(await deliveryRow(id)).toMatchObject({ status: 'sending' })

  fixture.set(NOW + MINUTE)
  await fixture.sweep()
  expect(await deliveryRow(id)).toMatchObject({
    status: 'failed',
    attempts: 1,
    error_type: 'interrupted',
    next_attempt_at: NOW + MINUTE + 30_000,
  })
})

it('a dead letter makes its row stale: the next sweep enqueues it', async () => {
  const id = await seedDelivery(await seedWebhook())
  const fixture = createFixture()
  await fixture.sweep()
  expect(fixture.messages).toEqual([])

  const letters = [message({ v: 1, deliveryId: id }), message('nonsense')]
  await requeueDeadLetters(env.DB, letters)
  await fixture.sweep()
  expect(letters.every(({ acked }) => acked)).toBe(true)
  expect(fixture.messages).toMatchObject([{ deliveryId: id }])
})

describe('pruning', () => {
  it.each([true, false])('at seven days, with admission open: %s', async (isAdmissionOpen) => {
    const webhook = await seedWebhook()
    const createdAt = NOW - 7 * DAY
    for (const status of ['delivered', 'dead', 'pending', 'failed', 'cancelled'])
      await seedDelivery(webhook, { status, createdAt })
    const young = await seedDelivery(webhook, { createdAt: createdAt + 1 })
    await createFixture(() => 204, { isAdmissionOpen }).sweep()

    expect((await rowsOf(webhook)).map(({ id }) => id)).toEqual([young])
    expect(await outstanding()).toBe(1)
  })

  it('deletes a large backlog in pieces', async () => {
    await env.DB.prepare(
      insertRows(
        'deliveries',
        {
          subscription_id: `'w'`,
          status: `'dead'`,
          attempts: 4,
          created_at: '?1',
          next_attempt_at: '?1',
          resolved_at: '?1',
        },
        fromNumbers(2500),
      ),
    )
      .bind(NOW - 8 * DAY)
      .run()
    const fixture = createFixture()
    await fixture.sweep()
    expect(await rowsOf('w')).toHaveLength(500)
    await fixture.sweep()
    expect(await rowsOf('w')).toHaveLength(0)
  })
})

describe('owed syncs', () => {
  it('are made once, with previous equal to current and the true time of the data', async () => {
    await seedQuote()
    const webhook = await seedWebhook({ needsSync: true, syncedRevision: 0 })
    const fixture = createFixture()
    fixture.set(NOW + MINUTE)
    await Promise.all([fixture.sweep(), fixture.sweep(), fixture.sweep()])

    const rows = await rowsOf(webhook)
    expect(rows).toMatchObject([{ type: 'sync', status: 'pending' }])
    expect(JSON.parse(rows[0]!.body)).toMatchObject({
      event: 'rate.updated',
      sell: 1430,
      prevSell: 1430,
      changePct: 0,
      updatedAt: new Date(NOW).toISOString(),
      timestamp: new Date(NOW + MINUTE).toISOString(),
    })
    expect(await outstanding()).toBe(1)

    await fixture.drain()
    expect(fixture.posts[0]!.headers['X-Service-Delivery-Type']).toBe('sync')
    expect(await webhookRow(webhook)).toMatchObject({ needs_sync: 0 })
  })

  it('that die stay owed and are not made again by themselves', async () => {
    await seedQuote()
    const webhook = await seedWebhook({ needsSync: true, syncedRevision: 0 })
    const fixture = createFixture(() => 500)
    await fixture.sweep()
    while (fixture.toNextMessage()) await fixture.drain()
    fixture.set(fixture.at() + 8 * DAY)
    await fixture.sweep()
    await fixture.sweep()

    expect(await rowsOf(webhook)).toEqual([])
    expect(await webhookRow(webhook)).toMatchObject({ needs_sync: 1, consecutive_failures: 0 })
  })

  it.each([
    ['admission is closed', { isAdmissionOpen: false }],
    ['there is no capacity', { capacity: 0 }],
  ])('wait while %s', async (_, change) => {
    await seedQuote()
    const webhook = await seedWebhook({ needsSync: true, syncedRevision: 0 })
    await createFixture(() => 204, change).sweep()
    expect(await rowsOf(webhook)).toEqual([])
    expect(await outstanding()).toBe(0)
  })
})

describe('capacity', () => {
  it('returns: one sync each, once the earlier queue is empty', async () => {
    await seedQuote()
    const [busy, free] = [
      await seedWebhook({ state: 'capacity' }),
      await seedWebhook({ state: 'capacity' }),
    ]
    const earlier = await seedDelivery(busy)
    const fixture = createFixture()

    await fixture.sweep()
    expect(await webhookRow(free)).toMatchObject({ state: 'active', version: 2, needs_sync: 1 })
    expect(await webhookRow(busy)).toMatchObject({ state: 'capacity' })

    await fixture.hint(earlier)
    await fixture.sweep()
    await fixture.drain()
    expect(await rowsOf(busy)).toMatchObject([
      { type: 'automatic', status: 'delivered' },
      { type: 'sync', status: 'delivered' },
    ])
    expect(await rowsOf(free)).toMatchObject([{ type: 'sync', status: 'delivered' }])
    expect(await webhookRow(busy)).toMatchObject({ state: 'active', needs_sync: 0 })
  })

  it('is waited for', async () => {
    await seedQuote()
    const webhook = await seedWebhook({ state: 'capacity' })
    await seedDelivery('system', { nextAttemptAt: NOW + DAY, lookAt: NOW + DAY })
    await createFixture(() => 204, { capacity: 1 }).sweep()
    expect(await webhookRow(webhook)).toMatchObject({ state: 'capacity', version: 1 })
  })
})

describe('a failure notice', () => {
  it('is sent once, in Spanish, with the masked destination, by any number of sweeps', async () => {
    const webhook = await seedNotice()
    const mails: { to: string; subject: string; text: string }[] = []
    const fixture = createFixture(() => 204, { sendMail: async (mail) => void mails.push(mail) })
    await Promise.all(Array.from({ length: 5 }, () => fixture.sweep()))
    await fixture.sweep()

    expect(mails).toHaveLength(1)
    expect(mails[0]).toMatchObject({
      to: 'ana@example.com',
      subject: expect.stringContaining('Dólar Blue'),
    })
    expect(mails[0]!.text).toContain(`https://${webhook}.example.com/***`)
    expect(mails[0]!.text).not.toContain('hidden')
  })

  it('that could not be sent is tried again', async () => {
    await seedNotice()
    let tries = 0
    const sendMail = async () => {
      tries += 1
      if (tries === 1) throw new Error('not taken')
    }
    const fixture = createFixture(() => 204, { sendMail })
    for (let count = 0; count < 3; count += 1) {
      await fixture.sweep()
      fixture.set(fixture.at() + 5 * MINUTE)
    }
    expect(tries).toBe(2)
  })

  it('stays unsent where no e-mail can be sent', async () => {
    await seedNotice()
    await createFixture().sweep()
    expect(await readRows('notices')).toMatchObject([{ sentAt: null }])
  })
})
