/** What the statements of the store decide by themselves: the race, the fence, the cap. */
import { describe, expect, it } from 'vitest'
import {
  removeSubscription,
  editStatements,
  replaceSecret,
} from '../../../shared/db/change-subscription.ts'
import { type Claim, claimsOf, claimStatement } from '../../../shared/db/deliveries/claim.ts'
import {
  findOwedSyncs,
  makeAlertTest,
  makeWebhookTest,
  resumeWebhooks,
} from '../../../shared/db/deliveries/insert.ts'
import { reopenOne, reopenSince } from '../../../shared/db/deliveries/redeliver.ts'
import {
  cancelIneligible,
  deliveredStatements,
  undeliveredStatements,
} from '../../../shared/db/deliveries/settle.ts'
import { makeMailTest } from '../../../shared/db/alerts.ts'
import { namedBatch } from '../../../shared/db/named-batch.ts'
import { insertSubscription } from '../../../shared/db/subscriptions.ts'
import { ok, refuse } from '../../../shared/result.ts'
import {
  claimAlertMail,
  type Notice,
  claimNotice,
  findDueMails,
  findNotices,
  returnAlertMail,
  returnNotice,
} from '../../../workers/delivery/db/mails.ts'
import { insertAccount, seedAccount } from '../../support/accounts.ts'
import { change, createAlertAt } from '../../support/alerts.ts'
import { env } from '../../support/env.ts'
import { changeRows, countRows, insertRow } from '../../support/rows.ts'
import {
  deliveryRow,
  insertDelivery,
  NOW,
  readDeliveries,
  readOutstanding,
  readTallies,
  readWebhook,
  seedNotice,
  seedQuote,
  seedWebhook,
} from '../../support/webhooks.ts'

const { DB } = env

const all = <Value>(count: number, ask: (n: number) => Promise<Value>) =>
  Promise.all(Array.from({ length: count }, (_, n) => ask(n)))

const claim = async (ids: number[], token = 'token', now = NOW): Promise<Claim[]> =>
  claimsOf(await claimStatement(DB, ids, token, now).all())

const order = { accountId: 'account', kind: 'webhook', admitted: true, now: NOW } as const

/** A revision that a webhook of this test has read. */
async function editOf(id: string, enabled: boolean) {
  const { destination, pair, version } = await readWebhook(id)
  const sealed = { url: 'v1', authorization: null, secret: 'v1' }
  const row = { id, accountId: 'account', version, kind: 'webhook', limit: 5, pair } as const
  const plan = { enabled, needsSync: enabled, startsRevision: true, activates: enabled, now: NOW }
  return { ...row, destination, sealed, ...plan, state: enabled ? 'active' : 'manual' } as const
}

describe('a claim', () => {
  it('one of twenty concurrent claims succeeds, and takes the first of the order', async () => {
    const webhook = await seedWebhook()
    const ids = [await insertDelivery(webhook), await insertDelivery(webhook)]
    const claims = await all(20, (n) => claim(ids, `token ${n}`))
    expect(claims.flat().map(({ id }) => id)).toEqual([ids[0]])
  })

  it('settles nothing with a stale token, and once with its own', async () => {
    const webhook = await seedWebhook({ consecutiveFailures: 9 })
    const id = await insertDelivery(webhook)
    const [own] = await claim([id])
    const end = { isSent: true, code: 500, errorType: 'http', nextAttemptAt: null } as const
    const settle = (token: string) => undeliveredStatements(DB, { ...own!, token }, end, NOW)
    const deliver = deliveredStatements(
      DB,
      [{ claim: { ...own!, token: 'stale' }, code: 204 }],
      NOW,
    )
    await DB.batch([...deliver, ...settle('stale')])
    expect(await deliveryRow(id)).toMatchObject({ status: 'sending', attempts: 1 })
    expect(await readWebhook(webhook)).toMatchObject({ consecutiveFailures: 9, state: 'active' })

    await DB.batch([...settle('token'), ...settle('token')])
    expect(await deliveryRow(id)).toMatchObject({ status: 'dead', error_type: 'http' })
    expect(await readWebhook(webhook)).toMatchObject({ consecutiveFailures: 10, state: 'failure' })
    expect(await countRows('notices', { code: 500, errorType: 'http' })).toBe(1)
  })
})

it.each([
  ['of the current revision', { revision: 1 }, false],
  ['of an earlier revision', { revision: 2 }, true],
  ['of a value corrected meanwhile', { syncedRevision: -1 }, true],
  ['of a webhook suspended meanwhile', { state: 'capacity' }, true],
] as const)(
  'a delivery %s clears the failures, and pays a sync of the current revision alone',
  async (_, now, needsSync) => {
    const id = await seedWebhook({ needsSync: true, consecutiveFailures: 3 })
    const claims = await claim([await insertDelivery(id)])
    await changeRows('subscriptions', now, { id })
    const delivered = claims.map((one) => ({ claim: one, code: 204 }))
    await DB.batch(deliveredStatements(DB, delivered, NOW))
    expect(await readWebhook(id)).toMatchObject({ needsSync, consecutiveFailures: 0 })
  },
)

describe('an e-mail', () => {
  it('of a pause is claimed once, again after its wait, and never after an activation', async () => {
    const id = await seedNotice()
    const find = async (now: number) => (await findNotices(DB, now).all<Notice>()).results
    const [notice] = await find(NOW)
    const claims = await all(8, () => claimNotice(DB, notice!, NOW))
    expect(claims.filter(Boolean)).toHaveLength(1)
    await returnNotice(DB, notice!, NOW)
    const WAIT = 5 * 60_000
    expect([await find(NOW + WAIT - 1), await find(NOW + WAIT)]).toMatchObject([
      [],
      [{ email: 'ana@example.com' }],
    ])
    await changeRows('subscriptions', { state: 'active' }, { id })
    expect(await claimNotice(DB, notice!, NOW)).toBe(false)
  })

  it('of alerts has at most 50 tests, is claimed once, and ten an hour', async () => {
    const { accountId } = await seedAccount()
    await change({ 'USD/BLUE': 1430 }, NOW)
    const id = await createAlertAt(NOW, accountId, { channel: 'email', url: undefined })
    const made = await all(60, (n) => makeMailTest(DB, { id, accountId }, '{}', NOW + n))
    expect(made.filter(Boolean)).toHaveLength(50)
    const due = async (now: number) => (await findDueMails(DB, now).all()).results
    const mails = await all(8, () => claimAlertMail(DB, accountId, NOW + 100))
    const [mail, ...others] = mails.filter(({ alerts }) => alerts.length > 0)
    expect([mail!.alerts[0]!.bodies.length, others, await due(NOW + 100)]).toEqual([50, [], []])
    await returnAlertMail(DB, mail!)
    expect(await countRows('alertMails')).toBe(0)
    expect(await due(NOW + 300_099)).toEqual([])
    expect(await due(NOW + 300_100)).toMatchObject([{ accountId, alerts: 1 }])

    for (let sent = 1; sent <= 10; sent += 1)
      await insertRow('alertMails', { accountId, claimedAt: NOW + sent })
    const claimAt = (now: number) => claimAlertMail(DB, accountId, now)
    expect(await claimAt(NOW + 3_600_000)).toMatchObject({ id: null, alerts: [] })
    expect(await due(NOW + 3_600_000)).toEqual([])
    expect((await claimAt(NOW + 3_600_001)).alerts).toHaveLength(1)
  })
})

const counted = async () => [await readOutstanding(), await readTallies()]

it('triggers count what is open and what ended, whoever writes it', async () => {
  const webhook = await seedWebhook()
  const ids = await all(3, () => insertDelivery(webhook))
  const other = await insertDelivery(webhook, { revision: 7 })
  expect(await counted()).toEqual([4, { delivered: 0, dead: 0 }])
  const [first] = await claim(ids)
  await DB.batch(deliveredStatements(DB, [{ claim: first!, code: 204 }], NOW))
  const [second] = await claim(ids, 'next', NOW + 1)
  await cancelIneligible(DB, [other, second!.id], NOW).run()
  const end = { isSent: true, code: null, errorType: 'network', nextAttemptAt: null } as const
  await DB.batch(undeliveredStatements(DB, second!, end, NOW + 400_000))
  expect(await counted()).toEqual([1, { delivered: 1, dead: 1 }])
  await reopenSince(DB, { ...order, id: webhook, since: 0, capacity: 10 })
  expect(await counted()).toEqual([3, { delivered: 1, dead: 1 }])
  await removeSubscription(DB, { id: webhook, accountId: 'account', version: 1 }, 'webhook')
  expect(await counted()).toEqual([0, { delivered: 1, dead: 1 }])
})

describe('capacity is never exceeded, under concurrency too', () => {
  it('by tests', async () => {
    await seedQuote('usd/blue', 1400, 1450)
    const webhook = await seedWebhook()
    const alert = await seedWebhook({ kind: 'alert' })
    const asked = { accountId: 'account', capacity: 3, now: NOW }
    const made = await all(8, (n) =>
      n % 2
        ? makeWebhookTest(DB, { ...asked, id: webhook })
        : makeAlertTest(DB, { ...asked, id: alert }, '{}'),
    )
    expect(made.filter((test) => typeof test === 'object' && test !== null)).toHaveLength(3)
    expect(await readOutstanding()).toBe(3)
    expect(await makeWebhookTest(DB, { ...asked, id: webhook })).toBe('no_capacity')
    expect(await makeWebhookTest(DB, { ...asked, id: alert })).toBe('not_found')
  })

  it('by syncs, each made once', async () => {
    await seedQuote('usd/blue', 1400, 1450)
    const ids = await all(5, () =>
      seedWebhook({ state: 'capacity', needsSync: true, syncedRevision: 0 }),
    )
    expect((await findOwedSyncs(DB, 3, 500).all()).results).toHaveLength(3)
    const made = await all(4, () => resumeWebhooks(DB, ids, { capacity: 3, now: NOW }))
    expect(made.flat()).toHaveLength(3)
    expect(await countRows('subscriptions', { state: 'active', syncedRevision: 2 })).toBe(3)
    expect((await findOwedSyncs(DB, 3, 500).all()).results).toEqual([])
  })

  it('by redeliveries', async () => {
    const webhook = await seedWebhook()
    for (let made = 0; made < 5; made += 1)
      await insertDelivery(webhook, { status: 'dead', attempts: 4 })
    const asked = { ...order, id: webhook, since: 0, capacity: 3 }
    const opened = await all(4, () => reopenSince(DB, asked))
    expect(opened.flatMap((one) => one.opened)).toHaveLength(3)
    expect(opened[3]!.found).toMatchObject({ takes: 1, remaining: 2 })
    const [last] = (await readDeliveries()).filter(({ status }) => status === 'dead')
    const one = { ...order, deliveryId: last!.deliveryId }
    expect(await reopenOne(DB, { ...one, capacity: 3 })).toMatchObject({ found: { isOpen: 0 } })
    const twice = await all(2, () => reopenOne(DB, { ...one, capacity: 9 }))
    expect(twice.filter(({ opened: row }) => row)).toHaveLength(1)
  })
})

const insert = (accountId: string, operationId = crypto.randomUUID()) =>
  insertSubscription(DB, {
    accountId,
    operationId,
    id: crypto.randomUUID(),
    kind: 'webhook',
    limit: 5,
    pair: 3,
    destination: 'https://a.example',
    sealed: { url: 'v1', authorization: null, secret: 'v1' },
    enabled: true,
    now: NOW,
  }).all()

describe('of an account', () => {
  it('are five subscriptions of twenty inserted at once, one an operation, none after its end', async () => {
    await insertAccount('account', 'ana@example.com')
    const inserted = await all(20, (n) => insert('account', n < 2 ? 'twice' : undefined))
    expect(inserted.flatMap(({ results }) => results)).toHaveLength(5)
    expect(await countRows('subscriptions', { operationId: 'twice' })).toBeLessThan(2)
    expect((await insert('gone')).results).toEqual([])
  })

  it.each([
    [3, 3],
    [7, 5],
  ])('one of two edits of each of %i is written, and %i are on', async (count, on) => {
    const ids = await all(count, () => seedWebhook({ state: 'manual' }))
    await insertDelivery(ids[0]!, { type: 'sync' })
    const edits = await all(2 * count, async (n) => editOf(ids[n % count]!, true))
    const written = await Promise.all(
      edits.map((edit) => namedBatch(DB, editStatements(DB, edit, null))),
    )
    expect(written.flatMap((one) => one.written.results)).toHaveLength(on)
    expect(await countRows('subscriptions', { enabled: true, version: 2, revision: 2 })).toBe(on)
    expect(await countRows('deliveries', { status: 'cancelled' })).toBe(
      await countRows('subscriptions', { id: ids[0]!, enabled: true }),
    )
  })

  it('a secret is replaced of the version that was read, and not while a send is in flight', async () => {
    const id = await seedWebhook()
    const sealed = { url: 'v1', authorization: null, secret: 'v2' }
    const replace = (version: number, now = NOW) =>
      replaceSecret(DB, { id, accountId: 'account', version, sealed, now }).first()
    await claim([await insertDelivery(id)])
    expect([await replace(1), await replace(2, NOW + 20_000)]).toEqual([null, null])
    expect(await replace(1, NOW + 20_000)).toEqual({ id })

    await changeRows('subscriptions', { kind: 'alert' }, { id })
    const own = { id, accountId: 'account' }
    expect(await removeSubscription(DB, { ...own, version: 2 }, 'webhook')).toEqual(
      refuse('not_found'),
    )
    expect(await removeSubscription(DB, { ...own, version: 1 }, 'alert')).toEqual(
      refuse('version_changed'),
    )
    expect(await removeSubscription(DB, { ...own, version: 2 }, 'alert')).toEqual(ok(null))
  })
})
