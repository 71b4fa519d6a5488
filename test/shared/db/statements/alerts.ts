import { createAlert, setFirstPhase } from '../../../../shared/subscriptions/create-alert.ts'
import { editAlert } from '../../../../shared/subscriptions/edit-alert.ts'
import { fireStatements } from '../../../../shared/db/alerts/fire.ts'
import { claimMail, findDueMails, returnMail } from '../../../../workers/delivery/db/alert-mails.ts'
import { findOldFirings, pruneFirings } from '../../../../workers/delivery/db/prune-alerts.ts'
import { testAlert } from '../../../../shared/subscriptions/test-alert.ts'
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
  const created = await createAlert(context, accountId, aNewAlert({ channel, ...url }))
  if (!created.ok) throw new Error(JSON.stringify(created.refusal))
  return created.value.subscription.id
}

export const alertCalls: Calls = {
  'subscriptions/create-alert.ts createAlert': ({ context, accountId }) =>
    createAlert(context, accountId, aNewAlert()),
  'subscriptions/create-alert.ts setFirstPhase': ({ db }) =>
    setFirstPhase(db, { id: 'x', at: NOW }).all(),
  'subscriptions/edit-alert.ts editAlert': async (fixture) => {
    const edit = { version: 1, threshold: 1600, enabled: false }
    return editAlert(fixture.context, fixture.accountId, await made(fixture, 'webhook'), edit)
  },
  'alerts/fire.ts fireStatements': ({ db }) =>
    db.batch(fireStatements(db, [BLUE], { at: NOW, capacity: CAPACITY })),
  'delivery/db/alert-mails.ts findDueMails': ({ db }) => findDueMails(db, NOW, 5).all(),
  'delivery/db/alert-mails.ts claimMail': ({ db, accountId }) => claimMail(db, accountId, NOW),
  'delivery/db/alert-mails.ts returnMail': ({ db }) =>
    returnMail(db, { claimedAt: NOW, alerts: [] }),
  'delivery/db/prune-alerts.ts findOldFirings': ({ db }) => findOldFirings(db, NOW).all(),
  'delivery/db/prune-alerts.ts pruneFirings': ({ db }) => pruneFirings(db, NOW),
  'subscriptions/test-alert.ts testAlert': async (fixture) => [
    await testAlert(fixture.context, fixture.accountId, await made(fixture, 'webhook')),
    await testAlert(fixture.context, fixture.accountId, await made(fixture, 'email')),
  ],
  'alerts/withdraw.ts withdrawStatements': ({ db }) =>
    db.batch(withdrawStatements(db, { pair: BLUE, pointAt: NOW, now: NOW })),
  'alerts/withdraw.ts withdrawBasedStatements': ({ db }) =>
    db.batch(withdrawBasedStatements(db, { pair: BLUE, from: NOW, now: NOW })),
}
