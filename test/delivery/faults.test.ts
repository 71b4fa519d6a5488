/** What becomes of a delivery's row, for each way in which an attempt can end, and whose fault it is. */
import { describe, expect, it } from 'vitest'
import { refuse } from '../../shared/result.ts'
import { LEASE_MS } from '../../shared/db/deliveries/open.ts'
import { DEADLINE_MS } from '../../workers/delivery/attempt/attempt.ts'
import {
  type Egress,
  EgressFailure,
  type ResponseHead,
  hostEgress,
  platformEgress,
} from '../../workers/delivery/attempt/egress.ts'
import { loseConnection, withBatch } from '../support/batched-db.ts'
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

const resolverDown = { resolve: async () => refuse('resolver' as const) }

describe('a fault of our own', () => {
  it('is not charged: four releases on the same waits, then dead', async () => {
    const webhook = await seedWebhook()
    const id = await insertDelivery(webhook)
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
    expect(await readOutstanding()).toBe(0)
  })

  it('that passes costs nothing: the attempts that are left are still there', async () => {
    const id = await insertDelivery(await seedWebhook())
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
    await later.drainAll()
    expect(later.posts).toHaveLength(3)
  })

  it.each(['url_sealed', 'secret_sealed'])('a damaged %s is configuration', async (column) => {
    const id = await insertDelivery(await seedWebhook())
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
    const id = await insertDelivery('system')
    await createFixture(() => 204, { systemUrl: undefined }).hint(id)
    expect(await deliveryRow(id)).toMatchObject({ error_type: 'configuration', releases: 1 })
  })
})

async function rowAfter(egress: Egress, attempts = 0) {
  const webhook = await seedWebhook()
  const id = await insertDelivery(webhook, { status: attempts ? 'failed' : 'pending', attempts })
  await createFixture(() => 204, { egress, deadlineMs: 50 }).hint(id)

  const { status, attempts: counted, code, error_type: error, ...row } = (await deliveryRow(id))!
  const seconds = (Number(row['next_attempt_at']) - NOW) / 1000
  const failures = (await webhookRow(webhook))!['consecutive_failures']
  return { status, attempts: counted, code, error, seconds, failures }
}

const rejecting = (error: Error) => platformEgress(() => Promise.reject(error))

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
    expect(await rowAfter(rejecting(error))).toMatchObject(ours)
  })

  it.each(THEIRS)(
    '“$message” is the receiver’s, but ours on the way to the host’s client',
    async (error) => {
      const theirs = { attempts: 1, error: 'network', code: null, failures: 1 }
      expect(await rowAfter(rejecting(error))).toMatchObject(theirs)
      const host = { fetch: () => Promise.reject(error) } as unknown as Fetcher
      expect(await rowAfter(hostEgress(host))).toMatchObject(ours)
    },
  )

  it('of a header that cannot be written is configuration', async () => {
    const invalid = rejecting(new TypeError('Invalid header value.'))
    expect(await rowAfter(invalid)).toMatchObject({ attempts: 0, error: 'configuration' })
  })
})

it('a name that the static rules refuse asks no resolver', async () => {
  let asked = 0
  const id = await insertDelivery(await seedWebhook({ url: 'https://169.254.169.254/latest' }))
  const resolve = async () => {
    asked += 1
    return refuse('network' as const)
  }
  await createFixture(() => 204, { resolve }).hint(id)

  expect(await deliveryRow(id)).toMatchObject({ error_type: 'destination' })
  expect(asked).toBe(0)
})

it('where D1 fails at the claim the hint comes again', async () => {
  const db = withBatch(1, { before: loseConnection })
  const fixture = createFixture(() => 204, { db })
  const [message] = await fixture.hint(await insertDelivery(await seedWebhook()))
  expect(message).toMatchObject({ retried: { delaySeconds: 10 } })
})

const answers = (code: number, retryAfter: string | null = null): Egress => {
  const head: ResponseHead = { code, retryAfter }
  return async () => head
}
const fails = (errorType: 'network' | 'destination'): Egress => {
  return async () => {
    throw new EgressFailure(errorType)
  }
}
/** Answers nothing, and keeps on when it is told to stop. */
const hangs: Egress = (_, signal) =>
  new Promise((_resolve, reject) =>
    signal.addEventListener('abort', () => reject(signal.reason as Error)),
  )

it.each<[string, Egress, object]>([
  ['a redirect', answers(308), { code: 308, error: 'redirect' }],
  ['410, which stops nothing', answers(410), { code: 410, error: 'http' }],
  ['no response', fails('network'), { code: null, error: 'network' }],
  ['a host that may not be reached', fails('destination'), { code: null, error: 'destination' }],
  ['nothing before the deadline', hangs, { code: null, error: 'timeout' }],
])('%s fails, counts, and is tried again after the first wait', async (_, egress, expected) => {
  const failed = { status: 'failed', attempts: 1, seconds: 30, failures: 1 }
  expect(await rowAfter(egress)).toEqual({ ...failed, ...expected })
})

it('Retry-After lengthens a wait up to twice, never shortens it, and makes no fifth attempt', async () => {
  const rows: [attempts: number, retryAfter: string, seconds: number][] = [
    [0, '0', 30],
    [0, '5', 30],
    [0, '45', 45],
    [0, '60', 60],
    [0, '1000000000', 60],
    [0, 'soon', 30],
    [0, new Date(NOW + 50_000).toUTCString(), 50],
    [1, '45', 300],
    [1, '1000000000', 600],
    [2, '1000000000', 3600],
  ]
  for (const [attempts, retryAfter, seconds] of rows)
    expect(await rowAfter(answers(429, retryAfter), attempts), retryAfter).toMatchObject({
      status: 'failed',
      seconds,
    })
  expect(await rowAfter(answers(503, '60'))).toMatchObject({ status: 'failed', seconds: 60 })
  expect(await rowAfter(answers(429, '5'), 3)).toMatchObject({ status: 'dead', attempts: 4 })
})

it('a lease outlives the deadline of its attempt, with the time to write how it ended', () => {
  // The pauses between four tries to write it are 4.2 seconds together.
  expect(LEASE_MS).toBeGreaterThanOrEqual(DEADLINE_MS + 4200 + 5000)
})
