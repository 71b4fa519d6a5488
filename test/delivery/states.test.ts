/** Which rows are sent, and the state of a row and its webhook after each outcome. */
import { describe, expect, it } from 'vitest'
import { DAY_MS } from '../../shared/argentine-time.ts'
import { refuse } from '../../shared/result.ts'
import {
  type Egress,
  EgressFailure,
  hostEgress,
  platformEgress,
} from '../../workers/delivery/attempt/egress.ts'
import { loseConnection, withBatch } from '../support/faulty-database.ts'
import { createFixture, hang } from '../support/delivery-fixture.ts'
import { env } from '../support/env.ts'
import { changeRows, countRows } from '../support/rows.ts'
import {
  insertDelivery,
  NOW,
  readDeliveries,
  readDelivery,
  readOutstanding,
  readTallies,
  readWebhook,
  seedWebhook,
} from '../support/webhooks.ts'

const notices = () => countRows('notices')

const resolverDown = { resolve: async () => refuse('resolver' as const) }

async function rowAfter(egress: Egress, attempts = 0) {
  const webhook = await seedWebhook()
  const id = await insertDelivery(webhook, { status: attempts ? 'failed' : 'pending', attempts })
  await createFixture(() => 204, { egress, deadlineMs: 50 }).hint(id)

  const { status, attempts: counted, code, errorType: error, ...row } = await readDelivery(id)
  const seconds = (row.nextAttemptAt - NOW) / 1000
  const failures = (await readWebhook(webhook)).consecutiveFailures
  return { status, attempts: counted, code, error, seconds, failures }
}

const answers =
  (code: number, retryAfter: string | null = null): Egress =>
  async () => ({ code, retryAfter })

const fails: Egress = () => Promise.reject(new EgressFailure('destination'))

describe('a failed attempt counts and is retried after the first wait:', () => {
  it.each<[string, Egress, object]>([
    ['a redirect', answers(308), { code: 308, error: 'redirect' }],
    ['410, which stops nothing', answers(410), { code: 410, error: 'http' }],
    ['a host that may not be reached', fails, { code: null, error: 'destination' }],
    ['nothing before the deadline', (_, signal) => hang(signal), { code: null, error: 'timeout' }],
    ['a way out that never answers', () => new Promise(() => {}), { code: null, error: 'timeout' }],
  ])('%s', async (_, egress, expected) => {
    const failed = { status: 'failed', attempts: 1, seconds: 30, failures: 1 }
    expect(await rowAfter(egress)).toEqual({ ...failed, ...expected })
  })

  it('a host that the static rules refuse, without a DNS query', async () => {
    const id = await insertDelivery(await seedWebhook({ url: 'https://169.254.169.254/latest' }))
    await createFixture(() => 204, resolverDown).hint(id)
    expect(await readDelivery(id)).toMatchObject({ status: 'failed', errorType: 'destination' })
  })
})

it('Retry-After at most doubles a wait, never shortens it, and adds no fifth attempt', async () => {
  const rows: [attempts: number, retryAfter: string, seconds: number][] = [
    [0, '5', 30],
    [0, '45', 45],
    [0, '1000000000', 60],
    [2, '1000000000', 3600],
  ]
  for (const [attempts, retryAfter, seconds] of rows)
    expect(await rowAfter(answers(429, retryAfter), attempts), retryAfter).toMatchObject({
      status: 'failed',
      seconds,
    })
  expect(await rowAfter(answers(429, '5'), 3)).toMatchObject({ status: 'dead', attempts: 4 })
})

describe('a hint is acknowledged without a POST for', () => {
  it.each([
    ['a paused webhook', { state: 'manual' }, {}],
    ['an old revision', { revision: 2 }, {}],
    ['a row in backoff', {}, { status: 'failed', attempts: 1, nextAttemptAt: NOW + 1 }],
    ['a row with four attempts', {}, { status: 'failed', attempts: 4 }],
    ['a row older than seven days', {}, { createdAt: NOW - 7 * DAY_MS }],
    ['a test of a deleted webhook', {}, { type: 'manual', subscriptionId: 'gone' }],
  ] as const)('%s', async (_, webhook, delivery) => {
    const fixture = createFixture()
    const id = await insertDelivery(await seedWebhook(webhook), delivery)
    const [message] = await fixture.hint(id, 999)
    expect(fixture.posts).toEqual([])
    expect(message).toMatchObject({ retried: undefined })
  })
})

it('a test is sent in any state of its webhook, at any revision, beside other tests', async () => {
  const webhook = await seedWebhook({ state: 'inherited', revision: 5 })
  await insertDelivery(webhook, { revision: 5, nextAttemptAt: NOW + 1 })
  const id = await insertDelivery(webhook, { type: 'manual' })
  await createFixture().hint(id)
  expect(await readDelivery(id)).toMatchObject({ status: 'delivered' })
})

it('a change does not wait for a test that waits for its retry', async () => {
  const webhook = await seedWebhook()
  await insertDelivery(webhook, { type: 'manual', nextAttemptAt: NOW + 1 })
  const id = await insertDelivery(webhook)
  await createFixture().hint(id)
  expect(await readDelivery(id)).toMatchObject({ status: 'delivered' })
})

it('the system destination gets no signature, no Authorization, and is never paused', async () => {
  const ids = []
  for (let count = 0; count < 12; count += 1) ids.push(await insertDelivery('system'))
  const fixture = createFixture(() => 500)
  await fixture.hint(ids[0]!)
  await fixture.drainAll()

  expect(Object.keys(fixture.posts[0]!.headers)).toEqual([
    'Content-Type',
    'User-Agent',
    'X-Service-Delivery-Id',
    'X-Service-Webhook-Id',
    'X-Service-Timestamp',
  ])
  expect(fixture.posts[0]).toMatchObject({ subscriptionId: 'system', host: 'system.example.com' })
  expect(fixture.posts).toHaveLength(48)
  expect(await notices()).toBe(0)
})

describe('a fault of the service', () => {
  it('does not count as an attempt: the row is released four times with the waits of a retry, then dead', async () => {
    const webhook = await seedWebhook()
    const id = await insertDelivery(webhook)
    await createFixture(() => 500).hint(id)
    const fixture = createFixture(() => 204, resolverDown)
    const startedAt = NOW + 60_000
    const dueAt: number[] = []
    fixture.set(startedAt)
    await fixture.hint(id)
    while (fixture.toNextMessage()) {
      dueAt.push((await readDelivery(id)).nextAttemptAt - startedAt)
      await fixture.drain()
    }

    expect(dueAt.map((at) => Math.round(at / 10_000))).toEqual([3, 33, 213, 393])
    const ended = { status: 'dead', releases: 5, errorType: 'interrupted' }
    const before = { attempts: 1, code: 500, lastAttemptAt: NOW }
    expect(await readDelivery(id)).toMatchObject({ ...ended, ...before })
    expect(fixture.posts).toEqual([])
    expect(await readWebhook(webhook)).toMatchObject({ consecutiveFailures: 1 })
    expect(await readOutstanding()).toBe(0)
  })

  it.each([
    ['a damaged URL', { urlSealed: 'v1.test.AAAA.AAAA' }],
    ['a damaged secret', { secretSealed: 'v1.test.AAAA.AAAA' }],
    ['a system destination that is not configured any more', null],
  ])('has the error type configuration: %s', async (_, damage) => {
    const id = await insertDelivery(damage ? await seedWebhook(damage) : 'system')
    const fixture = createFixture(() => 204, damage ? {} : { systemUrl: undefined })
    await fixture.hint(id)
    const released = { status: 'pending', attempts: 0, releases: 1, errorType: 'configuration' }
    expect(await readDelivery(id)).toMatchObject(released)
    expect(fixture.posts).toEqual([])
  })

  it('is recognized by the runtime’s error message: a request that may have been sent counts as an attempt, not as one of the ten failures', async () => {
    const unsent = { attempts: 0, error: 'interrupted', failures: 0 }
    const cut = { attempts: 1, error: 'interrupted', code: null, failures: 0 }
    const theirs = { attempts: 1, error: 'network', code: null, failures: 1 }
    for (const [message, expected] of [
      ['Too many subrequests.', unsent],
      ['what nobody has foreseen', cut],
      ['Network connection lost.', theirs],
      ['internal error; reference = abc', theirs],
      ['proxy request failed, cannot connect to the specified address', theirs],
    ] as const) {
      const reject = () => Promise.reject(new Error(message))
      expect(await rowAfter(platformEgress(reject)), message).toMatchObject(expected)
    }
    // Our own host answers every request, unless its process ends.
    const host = { fetch: () => Promise.reject(new Error('ended')) } as unknown as Fetcher
    expect(await rowAfter(hostEgress(host))).toMatchObject(cut)
    const invalid = platformEgress(() => Promise.reject(new TypeError('Invalid header value.')))
    expect(await rowAfter(invalid)).toMatchObject({ attempts: 0, error: 'configuration' })
  })

  it.each([
    [1, 204, 'delivered', 2],
    [3, 500, 'dead', 4],
    [9, 500, 'dead', 4],
  ])(
    'interrupts the first %i POSTs, then the receiver answers %i: the delivery is %s after %i attempts',
    async (cut, code, status, count) => {
      const webhook = await seedWebhook({ consecutiveFailures: 5 })
      const id = await insertDelivery(webhook)
      const fixture = createFixture(() => {
        if (fixture.posts.length <= cut) throw new EgressFailure('interrupted')
        return code
      })
      await fixture.hint(id)
      await fixture.drainAll()
      expect(fixture.posts).toHaveLength(count)
      expect(await readDelivery(id)).toMatchObject({ status, attempts: count, releases: 0 })
      const failures = code === 204 ? 0 : 5 + Math.max(0, count - cut)
      expect(await readWebhook(webhook)).toMatchObject({ consecutiveFailures: failures })
    },
  )

  it('during the claim makes the queue send the hint again', async () => {
    const db = withBatch(1, { before: loseConnection })
    const id = await insertDelivery(await seedWebhook())
    const [message] = await createFixture(() => 204, { db }).hint(id)
    expect(message).toMatchObject({ retried: { delaySeconds: 10 } })
  })
})

it.each(['webhook', 'alert'] as const)(
  'the tenth failure in a row pauses a %s, cancels its waiting deliveries, and creates one notice',
  async (kind) => {
    const webhook = await seedWebhook({ kind, consecutiveFailures: 9, sync: 'owed' })
    const tenth = await insertDelivery(webhook)
    await insertDelivery(webhook, { type: 'sync' })
    await insertDelivery(webhook, { type: 'manual', nextAttemptAt: NOW + 1 })
    await insertDelivery(await seedWebhook(), { nextAttemptAt: NOW + 1 })
    await createFixture(() => 500).hint(tenth)

    expect(await readWebhook(webhook)).toMatchObject({
      state: 'failure',
      consecutiveFailures: 10,
      version: 2,
      sync: null,
    })
    const statuses = (await readDeliveries()).map(({ status }) => status)
    expect(statuses).toEqual(['cancelled', 'cancelled', 'pending', 'pending'])
    expect(await readDelivery(tenth)).toMatchObject({ resolvedAt: NOW })
    expect(await notices()).toBe(1)
    expect(await readOutstanding()).toBe(2)
  },
)

it.each([
  ['automatic', 500, 4, 'failed'],
  ['automatic', 204, 0, 'delivered'],
  ['manual', 500, 3, 'failed'],
  ['manual', 204, 3, 'delivered'],
  ['sync', 500, 3, 'failed'],
  ['sync', 204, 3, 'delivered'],
] as const)(
  'a webhook with three failures in a row: after a %s delivery answered %s it has %s, and the delivery is %s',
  async (type, code, failures, status) => {
    const webhook = await seedWebhook({ consecutiveFailures: 3 })
    const id = await insertDelivery(webhook, { type })
    await createFixture(() => code).hint(id)

    expect(await readWebhook(webhook)).toMatchObject({ consecutiveFailures: failures })
    expect(await readDelivery(id)).toMatchObject({ status })
  },
)

const during = (sql: string) => async () => {
  await env.DB.prepare(sql).run()
  return 500
}

describe('while a delivery is sent', () => {
  it.each([
    ['a pause', `update subscriptions set state = 'manual', revision = revision + 1`],
    ['an edit', `update subscriptions set revision = revision + 1`],
  ])('%s: a failed attempt is not retried', async (_, sql) => {
    const id = await insertDelivery(await seedWebhook())
    const fixture = createFixture(during(sql))
    await fixture.hint(id)
    await fixture.drainAll()

    expect(await readDelivery(id)).toMatchObject({ status: 'cancelled', attempts: 1, code: 500 })
    expect(fixture.posts).toHaveLength(1)
    expect(await readOutstanding()).toBe(0)
  })

  it('the owner’s pause is kept when the attempt is the tenth failure, and no notice is created', async () => {
    const webhook = await seedWebhook({ consecutiveFailures: 9 })
    const pause = `update subscriptions set state = 'manual', revision = revision + 1`
    await createFixture(during(pause)).hint(await insertDelivery(webhook))

    expect(await readWebhook(webhook)).toMatchObject({ state: 'manual', version: 1 })
    expect(await notices()).toBe(0)
  })

  it.each([
    ['made since the attempt began', null, { sync: 'made' }],
    ['of another revision', 'made', { revision: 2 }],
    ['owed again', 'made', { sync: 'owed' }],
  ] as const)('a success does not clear a sync that is %s', async (_, sync, changes) => {
    const webhook = await seedWebhook({ sync })
    const id = await insertDelivery(webhook)
    await createFixture(async () => {
      await changeRows('subscriptions', changes)
      return 204
    }).hint(id)

    expect(await readDelivery(id)).toMatchObject({ status: 'delivered' })
    expect((await readWebhook(webhook)).sync).not.toBeNull()
  })
})

describe('a delivery that could be sent again only after seven days is dead:', () => {
  /** Waits are 30 seconds after the first attempt. */
  const OLD = NOW - 7 * DAY_MS + 30_000
  const lease = { status: 'sending', attempts: 1, leaseUntil: NOW, lookAt: NOW - 60_000 }

  it.each([
    ['a failed attempt', {}, {}, { attempts: 1, code: 500 }],
    ['a fault of the service', {}, resolverDown, { attempts: 0, releases: 1, lastAttemptAt: null }],
    ['a lease that ran out', lease, {}, { attempts: 1 }],
  ])('%s', async (_, seed, deps, row) => {
    const id = await insertDelivery(await seedWebhook(), { createdAt: OLD, ...seed })
    const fixture = createFixture(() => 500, deps)
    await fixture.sweep()
    await fixture.hint(id)
    await fixture.drainAll()

    const expired = { status: 'dead', errorType: 'expired', resolvedAt: NOW }
    expect(await readDelivery(id)).toMatchObject({ ...expired, ...row })
    expect(await readOutstanding()).toBe(0)
    expect(await readTallies()).toEqual({ delivered: 0, dead: 1 })
  })

  it('a delivery that can still be sent within seven days is retried', async () => {
    const id = await insertDelivery(await seedWebhook(), { createdAt: OLD + 1 })
    await createFixture(() => 500).hint(id)
    expect(await readDelivery(id)).toMatchObject({ status: 'failed', errorType: 'http' })
  })
})
