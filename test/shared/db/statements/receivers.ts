import { openKeyring } from '../../../../shared/crypto/keyring.ts'
import { createReceiver, createWebhook } from '../../../../workers/site/db/receivers/create.ts'
import { editWebhook, writeEdit } from '../../../../workers/site/db/receivers/edit.ts'
import {
  importInheritedWebhooks,
  type InheritedWebhook,
} from '../../../../shared/db/receivers/inherited.ts'
import {
  findByOperation,
  findReceiver,
  listReceivers,
  selectByOperation,
  selectOne,
} from '../../../../workers/site/db/receivers/read.ts'
import { redeliver, redeliverSince } from '../../../../workers/site/db/receivers/redeliver.ts'
import { removeReceiver } from '../../../../workers/site/db/receivers/remove.ts'
import { resealReceivers } from '../../../../shared/db/receivers/reseal.ts'
import { rotateSecret } from '../../../../workers/site/db/receivers/rotate.ts'
import { type Rows, type StoredReceiver, webhookRows } from '../../../../shared/db/receivers/row.ts'
import { alertRows } from '../../../../workers/site/db/alerts/row.ts'
import { PAIRS } from '../../../../shared/market/catalog.ts'
import { planEdit } from '../../../../shared/webhooks/webhook.ts'
import { testWebhook } from '../../../../workers/site/db/receivers/test-webhook.ts'
import { env } from '../../../support/env.ts'
import { type Calls, NOW, type StatementFixture } from './fixture.ts'

/** Of a later secret than the one that sealed the webhook. */
const LATER = openKeyring(
  `later:${btoa('a later secret of thirty-two byte')},${env.KEY_ENCRYPTION_KEYS}`,
)

function inheritedOf({ accountId }: StatementFixture): InheritedWebhook {
  return {
    id: crypto.randomUUID(),
    accountId,
    operationId: crypto.randomUUID(),
    pair: 3,
    destination: 'https://receptor.example/***',
    sealed: { url: '-', authorization: null, secret: '-' },
    createdAt: NOW,
    reference: crypto.randomUUID(),
  }
}

const bothKinds = (call: (rows: Rows<StoredReceiver>) => Promise<unknown>) =>
  Promise.all([webhookRows, alertRows].map(call))

export const receiverCalls: Calls = {
  'site/db/receivers/redeliver.ts redeliver': ({ context, accountId }) =>
    redeliver(context, 'webhook', {
      accountId,
      deliveryId: '019cae55-2c00-7000-8000-000000000000',
    }),
  'site/db/receivers/redeliver.ts redeliverSince': ({ context, accountId, receiverId }) =>
    redeliverSince(context, 'alert', { accountId, id: receiverId, since: 0 }),
  'site/db/receivers/create.ts createWebhook': ({ context, accountId }) =>
    createWebhook(context, accountId, {
      operationId: crypto.randomUUID(),
      url: 'https://receptor.example.com/y',
      currency: 'USD',
      origin: 'BLUE',
      enabled: true,
    }),
  'site/db/receivers/create.ts createReceiver': ({ context, accountId }) =>
    createReceiver(context, alertRows, accountId, {
      operationId: crypto.randomUUID(),
      pair: PAIRS[0]!,
      url: null,
      enabled: true,
    }),
  'site/db/receivers/edit.ts editWebhook': ({ context, accountId, receiverId }) =>
    editWebhook(context, accountId, receiverId, { version: 1, origin: 'OFICIAL' }),
  'site/db/receivers/edit.ts writeEdit': ({ context, accountId, receiverId: id }) => {
    const { sealed } = inheritedOf({ accountId } as StatementFixture)
    const plan = planEdit({ state: 'active', enabled: true }, { changes: true, enabled: false })
    const target = { destination: 'https://otro.example', sealed }
    return writeEdit(
      context,
      webhookRows,
      { ...target, id, accountId, version: 1, plan, pair: 3 },
      {},
    )
  },
  'receivers/inherited.ts importInheritedWebhooks': (fixture) =>
    importInheritedWebhooks(fixture.db, [inheritedOf(fixture)], NOW),
  'site/db/receivers/read.ts listReceivers': ({ db, accountId }) =>
    bothKinds((rows) => listReceivers(db, rows, accountId, NOW)),
  'site/db/receivers/read.ts findReceiver': ({ db, accountId, receiverId: id }) =>
    bothKinds((rows) => findReceiver(db, rows, { accountId, id }, NOW)),
  'site/db/receivers/read.ts findByOperation': ({ db, accountId, operationId }) =>
    bothKinds((rows) => findByOperation(db, rows, { accountId, operationId }, NOW)),
  'site/db/receivers/read.ts selectOne': ({ db, accountId, receiverId: id }) =>
    bothKinds((rows) => selectOne(db, rows, { accountId, id }, NOW).all()),
  'site/db/receivers/read.ts selectByOperation': ({ db, accountId, operationId }) =>
    bothKinds((rows) => selectByOperation(db, rows, { accountId, operationId }, NOW).all()),
  'site/db/receivers/remove.ts removeReceiver': ({ db, accountId, receiverId: id }) =>
    removeReceiver(db, { id, accountId, version: 1 }, 'webhook'),
  'receivers/reseal.ts resealReceivers': ({ db }) => resealReceivers(db, LATER),
  'site/db/receivers/rotate.ts rotateSecret': ({ context, accountId, receiverId: id }) =>
    rotateSecret(context, webhookRows, { id, accountId, version: 1 }),
  'site/db/receivers/test-webhook.ts testWebhook': ({ context, accountId, receiverId }) =>
    testWebhook(context, accountId, receiverId),
}
