/** A delivery that is not received within its seven days: it ends by age, and says so. */
import { TALLIES } from '../../../shared/db/deliveries/counts.ts'
import { expect, it } from 'vitest'
import { refuse } from '../../../shared/result.ts'
import {
  deliveryRow,
  NOW,
  outstanding,
  seedDelivery,
  seedWebhook,
  webhookRow,
} from '../../support/delivery-seeds.ts'
import { createFixture } from '../../support/delivery-fixture.ts'
import { env } from '../../support/env.ts'

const MINUTE = 60_000
const WEEK = 7 * 24 * 60 * MINUTE

/** Waits are 30 seconds after the first attempt. */
const YOUNG = NOW - WEEK + 30_001
const OLD = NOW - WEEK + 30_000

const EXPIRED = { status: 'dead', error_type: 'expired', resolved_at: NOW }

async function expectEnded(id: number, row: object) {
  expect(await deliveryRow(id)).toMatchObject({ ...EXPIRED, ...row })
  expect(await outstanding()).toBe(0)
  expect(await env.DB.prepare(`select sum(dead) as dead from ${TALLIES}`).first()).toEqual({
    dead: 1,
  })
}

it.each([
  ['failed', YOUNG, 'http'],
  ['dead', OLD, 'expired'],
])('a failed attempt is %s, made %s', async (status, createdAt, errorType) => {
  const webhook = await seedWebhook()
  const id = await seedDelivery(webhook, { createdAt })
  await createFixture(() => 500).hint(id)

  expect(await deliveryRow(id)).toMatchObject({ status, error_type: errorType, code: 500 })
  expect(await webhookRow(webhook)).toMatchObject({ consecutive_failures: 1 })
  if (status === 'dead') await expectEnded(id, { attempts: 1 })
})

it('a fault of our own ends it when there is no time for another attempt', async () => {
  const id = await seedDelivery(await seedWebhook(), { createdAt: OLD })
  await createFixture(() => 204, { resolve: async () => refuse('resolver') }).hint(id)
  await expectEnded(id, { attempts: 0, releases: 1, last_attempt_at: null })
})

it('a lease that runs out ends it when there is no time for another attempt', async () => {
  const lease = { status: 'sending', attempts: 1, leaseUntil: NOW, lookAt: NOW - MINUTE }
  const id = await seedDelivery(await seedWebhook(), { createdAt: OLD, ...lease })
  const fixture = createFixture()
  await fixture.sweep()
  while (fixture.toNextMessage()) await fixture.drain()
  await expectEnded(id, { attempts: 1 })
  expect(fixture.posts).toEqual([])
})
