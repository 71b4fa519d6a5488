import { alerts } from '../../../../shared/subscriptions/alerts.ts'
import { createSubscription } from '../../../../shared/subscriptions/create.ts'
import { editSubscription } from '../../../../shared/subscriptions/edit.ts'
import { fireStatements } from '../../../../shared/db/alerts/fire.ts'
import { claimMail, findDueMails, returnMail } from '../../../../workers/delivery/db/alert-mails.ts'
import { findOldFirings, pruneFirings } from '../../../../workers/delivery/db/prune-alerts.ts'
import {
  withdrawBasedStatements,
  withdrawStatements,
} from '../../../../shared/db/alerts/withdraw.ts'
import { findPairByKey } from '../../../../shared/market/catalog.ts'
import { aNewAlert } from '../../../support/alerts.ts'
import { type Calls, CAPACITY, NOW, type StatementFixture } from './fixture.ts'

const BLUE = findPairByKey('usd/blue')!

/** An alert of the fixture's account, made through its database. */
async function made({ context, accountId }: StatementFixture, channel: 'webhook' | 'email') {
  const url = channel === 'email' ? { url: undefined } : {}
  const created = await createSubscription(
    context,
    alerts,
    accountId,
    aNewAlert({ channel, ...url }),
  )
  if (!created.ok) throw new Error(JSON.stringify(created.refusal))
  return created.value.subscription.id
}

export const alertCalls: Calls = {
  'subscriptions/create.ts createSubscription': ({ context, accountId }) =>
    createSubscription(context, alerts, accountId, aNewAlert()),
  'subscriptions/edit.ts editSubscription': async (fixture) => {
    const own = { accountId: fixture.accountId, id: await made(fixture, 'webhook') }
    const edit = { version: 1, threshold: 1600, enabled: false }
    return editSubscription(fixture.context, alerts, own, edit)
  },
  'alerts/fire.ts fireStatements': ({ db }) =>
    db.batch(fireStatements(db, [BLUE], { at: NOW, capacity: CAPACITY })),
  'delivery/db/alert-mails.ts findDueMails': ({ db }) => findDueMails(db, NOW, 5).all(),
  'delivery/db/alert-mails.ts claimMail': ({ db, accountId }) => claimMail(db, accountId, NOW),
  'delivery/db/alert-mails.ts returnMail': ({ db }) =>
    returnMail(db, { claimedAt: NOW, alerts: [] }),
  'delivery/db/prune-alerts.ts findOldFirings': ({ db }) => findOldFirings(db, NOW).all(),
  'delivery/db/prune-alerts.ts pruneFirings': ({ db }) => pruneFirings(db, NOW),
  'subscriptions/alerts.ts test': async (fixture) => {
    const { context, accountId } = fixture
    for (const channel of ['webhook', 'email'] as const)
      await alerts.test(context, { accountId, id: await made(fixture, channel) })
  },
  'alerts/withdraw.ts withdrawStatements': ({ db }) =>
    db.batch(withdrawStatements(db, { pair: BLUE, pointAt: NOW, now: NOW })),
  'alerts/withdraw.ts withdrawBasedStatements': ({ db }) =>
    db.batch(withdrawBasedStatements(db, { pair: BLUE, from: NOW, now: NOW })),
}
