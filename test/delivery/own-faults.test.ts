import { describe, expect, it } from 'vitest'
import { refuse } from '../../shared/result.ts'
import { hostEgress, platformEgress } from '../../workers/delivery/attempt/egress.ts'
import { loseConnection, withBatch } from '../support/batched-db.ts'
import {
  deliveryRow,
  NOW,
  outstanding,
  seedDelivery,
  seedWebhook,
  webhookRow,
} from '../support/delivery-seeds.ts'
import { createFixture } from '../support/delivery-fixture.ts'
import { env } from '../support/env.ts'

const resolverDown = { resolve: async () => refuse('resolver' as const) }

describe('a fault of our own', () => {
  it('is not charged: four releases on the same waits, then dead', async () => {
    const webhook = await seedWebhook()
    const id = await seedDelivery(webhook)
    const fixture = createFixture(() => 204, resolverDown)
    const dueAt: number[] = []

    await fixture.hint(id)
    while (fixture.toNextMessage()) {
      dueAt.push(Number((await deliveryRow(id))!.next_attempt_at) - NOW)
      await fixture.drain()
    }

    expect(dueAt.map((at) => Math.round(at / 10_000))).toEqual([3, 33, 213, 393])
    expect(await deliveryRow(id)).toMatchObject({
      status: 'dead',
      attempts: 0,
      releases: 5,
      error_type: 'interrupted',
      last_attempt_at: null,
    })
    expect(fixture.posts).toEqual([])
    expect(await webhookRow(webhook)).toMatchObject({ consecutive_failures: 0 })
    expect(await outstanding()).toBe(0)
  })

  it('that passes costs nothing: the attempts that are left are still there', async () => {
    const id = await seedDelivery(await seedWebhook())
    await createFixture(() => 500).hint(id)
    const fixture = createFixture(() => 500, resolverDown)
    fixture.set(NOW + 60_000)
    await fixture.hint(id)
    // The instant of the last attempt that was sent, too.
    const given = { status: 'failed', attempts: 1, releases: 1, last_attempt_at: NOW }
    expect(await deliveryRow(id)).toMatchObject(given)

    const later = createFixture(() => 500)
    later.set(NOW + 120_000)
    await later.hint(id)
    while (later.toNextMessage()) await later.drain()
    expect(later.posts).toHaveLength(3)
  })

  it.each(['url_sealed', 'secret_sealed'])('a damaged %s is configuration', async (column) => {
    const id = await seedDelivery(await seedWebhook())
    await env.DB.prepare(`update subscriptions set ${column} = 'v1.test.AAAA.AAAA'`).run()
    const fixture = createFixture()
    await fixture.hint(id)

    expect(await deliveryRow(id)).toMatchObject({
      status: 'pending',
      attempts: 0,
      error_type: 'configuration',
    })
    expect(fixture.posts).toEqual([])
  })

  it('a system destination that is not configured any more is configuration', async () => {
    const id = await seedDelivery('system')
    await createFixture(() => 204, { systemUrl: undefined }).hint(id)
    expect(await deliveryRow(id)).toMatchObject({ error_type: 'configuration', releases: 1 })
  })
})

async function afterErrorOf(error: Error, egress = platformEgress(() => Promise.reject(error))) {
  const webhook = await seedWebhook()
  const id = await seedDelivery(webhook)
  await createFixture(() => 204, { egress }).hint(id)
  const row = (await deliveryRow(id))!
  const failures = (await webhookRow(webhook))!['consecutive_failures']
  return { attempts: row['attempts'], error: row['error_type'], code: row['code'], failures }
}

describe('an error of the platform', () => {
  const OURS = [
    new Error('Too many subrequests.'),
    new Error('Cannot perform I/O on behalf of a different request.'),
    new Error('what nobody has foreseen'),
  ]
  const THEIRS = [
    new Error('Network connection lost.'),
    new Error('internal error; reference = abc'),
    new Error('proxy request failed, cannot connect to the specified address'),
  ]

  const ours = { attempts: 0, error: 'interrupted', code: null, failures: 0 }

  it.each(OURS)('“$message” is ours, and not counted', async (error) => {
    expect(await afterErrorOf(error)).toEqual(ours)
  })

  it.each(THEIRS)('“$message” is the receiver’s', async (error) => {
    const expected = { attempts: 1, error: 'network', code: null, failures: 1 }
    expect(await afterErrorOf(error)).toEqual(expected)
  })

  it.each(THEIRS)('“$message” on the way to the host’s client is ours', async (error) => {
    const host = { fetch: () => Promise.reject(error) } as unknown as Fetcher
    expect(await afterErrorOf(error, hostEgress(host))).toEqual(ours)
  })

  it('of a header that cannot be written is configuration', async () => {
    const id = await seedDelivery(await seedWebhook())
    const egress = platformEgress(() => Promise.reject(new TypeError('Invalid header value.')))
    await createFixture(() => 204, { egress }).hint(id)
    expect(await deliveryRow(id)).toMatchObject({ attempts: 0, error_type: 'configuration' })
  })
})

it('a name that the static rules refuse asks no resolver', async () => {
  let asked = 0
  const id = await seedDelivery(await seedWebhook({ url: 'https://169.254.169.254/latest' }))
  const resolve = async () => {
    asked += 1
    return refuse('network' as const)
  }
  await createFixture(() => 204, { resolve }).hint(id)

  expect(await deliveryRow(id)).toMatchObject({ error_type: 'destination' })
  expect(asked).toBe(0)
})

describe('D1 failing', () => {
  it.each([false, true])('at the claim (applied: %s): the hint comes again', async (isApplied) => {
    const id = await seedDelivery(await seedWebhook())
    const db = withBatch(1, { [isApplied ? 'after' : 'before']: loseConnection })
    const fixture = createFixture(() => 204, { db })
    const [message] = await fixture.hint(id)

    expect(message).toMatchObject({ retried: { delaySeconds: 10 } })
    fixture.set(NOW + 60_000)
    await fixture.sweep()
    fixture.set(NOW + 120_000)
    await fixture.drain()
    expect(fixture.posts).toHaveLength(1)
    expect(await deliveryRow(id)).toMatchObject({ status: 'delivered' })
  })
})
