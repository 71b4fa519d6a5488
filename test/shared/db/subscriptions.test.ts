/** What the requests in test/edge/subscriptions cannot show of a statement. */
import { expect, it } from 'vitest'
import { editStatements } from '../../../shared/db/change-subscription.ts'
import { namedBatch } from '../../../shared/db/named-batch.ts'
import { insertSubscription } from '../../../shared/db/subscriptions.ts'
import { seedAccount } from '../../support/accounts.ts'
import { createAlertAt, readAlert } from '../../support/alerts.ts'
import { env } from '../../support/env.ts'
import { changeRows, insertRow, readRows } from '../../support/rows.ts'
import { insertDelivery, NOW, readDelivery } from '../../support/webhooks.ts'

const { DB } = env
const row = {
  kind: 'alert',
  limit: 20,
  pair: 3,
  destination: 'https://a.example',
  sealed: { url: 'v1', authorization: null, secret: 'v1' },
  now: NOW,
} as const

it('no subscription is inserted for an account that was deleted', async () => {
  const made = { ...row, id: 'id', accountId: 'gone', operationId: 'operation', enabled: true }
  expect(await insertSubscription(DB, made).first()).toBeNull()
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
    const plan = {
      state: 'manual',
      startsRevision: true,
    } as const
    const edit = { ...row, ...plan, id, accountId, activates: false, version: 1 - behind }
    const changed = { rule: { ...rule, threshold: 15_500_000 }, restarts: true }
    await namedBatch(DB, editStatements(DB, edit, changed))
    expect(await readRows('alerts')).toMatchObject([alert])
    expect(await readDelivery(delivery)).toMatchObject({ status })
    expect(await readRows('alertFirings')).toHaveLength(unreported)
  },
)
