import { createAlert, setFirstPhase } from '../../../../shared/db/alerts/create.ts'
import { editAlert } from '../../../../shared/db/alerts/edit.ts'
import { fireStatements } from '../../../../shared/db/alerts/fire.ts'
import { claimMail, findDueMails, returnMail } from '../../../../shared/db/alerts/mails.ts'
import { findOldFirings, pruneFirings } from '../../../../shared/db/alerts/prune.ts'
import { testAlert } from '../../../../shared/db/alerts/test-alert.ts'
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
  return created.value.receiver.id
}

export const alertCalls: Calls = {
  'alerts/create.ts createAlert': ({ context, accountId }) =>
    createAlert(context, accountId, aNewAlert()),
  'alerts/create.ts setFirstPhase': ({ db }) => setFirstPhase(db, { id: 'x', at: NOW }).all(),
  'alerts/edit.ts editAlert': async (fixture) => {
    const edit = { version: 1, threshold: 1600, enabled: false }
    return editAlert(fixture.context, fixture.accountId, await made(fixture, 'webhook'), edit)
  },
  'alerts/fire.ts fireStatements': ({ db }) =>
    db.batch(fireStatements(db, [BLUE], { at: NOW, capacity: CAPACITY })),
  'alerts/mails.ts findDueMails': ({ db }) => findDueMails(db, NOW, 5).all(),
  'alerts/mails.ts claimMail': ({ db, accountId }) => claimMail(db, accountId, NOW),
  'alerts/mails.ts returnMail': ({ db }) => returnMail(db, { claimedAt: NOW, alerts: [] }),
  'alerts/prune.ts findOldFirings': ({ db }) => findOldFirings(db, NOW).all(),
  'alerts/prune.ts pruneFirings': ({ db }) => pruneFirings(db, NOW),
  'alerts/test-alert.ts testAlert': async (fixture) => [
    await testAlert(fixture.context, fixture.accountId, await made(fixture, 'webhook')),
    await testAlert(fixture.context, fixture.accountId, await made(fixture, 'email')),
  ],
  'alerts/withdraw.ts withdrawStatements': ({ db }) =>
    db.batch(withdrawStatements(db, { pair: BLUE, pointAt: NOW, now: NOW })),
  'alerts/withdraw.ts withdrawBasedStatements': ({ db }) =>
    db.batch(withdrawBasedStatements(db, { pair: BLUE, from: NOW, now: NOW })),
}
