/** The decisions of each subscription statement alone: races, fences, limits. */
import { describe, expect, it } from 'vitest'
import {
  editStatements,
  removeSubscription,
  replaceSecret,
} from '../../../shared/db/change-subscription.ts'
import { claimStatement } from '../../../shared/db/deliveries/claim.ts'
import { namedBatch } from '../../../shared/db/named-batch.ts'
import { findOperation, insertSubscription } from '../../../shared/db/subscriptions.ts'
import { ok, refuse } from '../../../shared/result.ts'
import { insertAccount, seedAccount } from '../../support/accounts.ts'
import { createAlertAt, readAlert } from '../../support/alerts.ts'
import { env } from '../../support/env.ts'
import { changeRows, countRows, insertRow, readRows } from '../../support/rows.ts'
import {
  insertDelivery,
  NOW,
  readDelivery,
  readWebhook,
  seedWebhook,
} from '../../support/webhooks.ts'

const { DB } = env

const all = <Value>(count: number, ask: (n: number) => Promise<Value>) =>
  Promise.all(Array.from({ length: count }, (_, n) => ask(n)))

/** An edit based on the revision that the test has read. */
async function editOf(id: string, enabled: boolean) {
  const { destination, pair, version } = await readWebhook(id)
  const sealed = { url: 'v1', authorization: null, secret: 'v1' }
  const row = { id, accountId: 'account', version, kind: 'webhook', limit: 5, pair } as const
  const plan = { enabled, needsSync: enabled, startsRevision: true, activates: enabled, now: NOW }
  return { ...row, destination, sealed, ...plan, state: enabled ? 'active' : 'manual' } as const
}

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

  it('a secret is replaced only for the version that was read, and not while an attempt is in flight', async () => {
    const id = await seedWebhook()
    const sealed = { url: 'v1', authorization: null, secret: 'v2' }
    const replace = (version: number, now = NOW) =>
      replaceSecret(DB, { id, accountId: 'account', version, sealed, now }).first()
    await claimStatement(DB, [await insertDelivery(id)], 'token', NOW).run()
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

it('an operation id is taken by either kind, in its account alone', async () => {
  const operationId = crypto.randomUUID()
  await seedWebhook({ kind: 'alert', operationId })
  const find = (account: string) => findOperation(DB, account, operationId).first()
  expect([await find('account'), await find('another')]).toEqual([{ 1: 1 }, null])
})

it.each([
  ['its version', 0, { threshold: 15_500_000, phase: null, mailDueAt: NOW }, 'cancelled', 1],
  ['an earlier version', 1, { threshold: 15_000_000, phase: 'armed' }, 'pending', 2],
] as const)(
  'an edit of an alert at %s writes the rule, cancels and drops all or nothing',
  async (_, behind, alert, status, unreported) => {
    const { accountId } = await seedAccount()
    const id = await createAlertAt(NOW, accountId)
    await changeRows('alerts', { phase: 'armed', mailDueAt: NOW }, { id })
    const delivery = await insertDelivery(id)
    for (const kind of ['triggered', 'test'] as const)
      await insertRow('alertFirings', { at: NOW, alertId: id, kind, body: '{}' })
    const rule = (await readAlert(accountId, id, NOW))!
    const edit = { ...(await editOf(id, false)), accountId, kind: 'alert' } as const
    const changed = { rule: { ...rule, threshold: 15_500_000 }, restarts: true }
    await namedBatch(DB, editStatements(DB, { ...edit, version: 1 - behind }, changed))
    expect(await readRows('alerts')).toMatchObject([alert])
    expect(await readDelivery(delivery)).toMatchObject({ status })
    expect((await readRows('alertFirings')).filter((row) => row.notifiedAt === null)).toHaveLength(
      unreported,
    )
  },
)
