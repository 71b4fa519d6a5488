import { openKeyring } from '../../../../shared/crypto/keyring.ts'
import { createSubscription, createWebhook } from '../../../../shared/subscriptions/create.ts'
import { editWebhook, writeEdit } from '../../../../shared/subscriptions/edit.ts'
import {
  importInheritedWebhooks,
  type InheritedWebhook,
} from '../../../../shared/subscriptions/inherited.ts'
import {
  findByOperation,
  findSubscription,
  listSubscriptions,
  selectByOperation,
  selectOne,
} from '../../../../shared/subscriptions/read.ts'
import { redeliver, redeliverSince } from '../../../../shared/subscriptions/redeliver.ts'
import { removeSubscription } from '../../../../shared/subscriptions/remove.ts'
import { resealSubscriptions } from '../../../../shared/subscriptions/reseal.ts'
import { rotateSecret } from '../../../../shared/subscriptions/rotate.ts'
import {
  type Rows,
  type StoredSubscription,
  webhookRows,
} from '../../../../shared/subscriptions/row.ts'
import { alertRows } from '../../../../shared/subscriptions/alert-row.ts'
import { PAIRS } from '../../../../shared/market/catalog.ts'
import { planEdit } from '../../../../shared/webhooks/webhook.ts'
import { testWebhook } from '../../../../shared/subscriptions/test-webhook.ts'
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

const bothKinds = (call: (rows: Rows<StoredSubscription>) => Promise<unknown>) =>
  Promise.all([webhookRows, alertRows].map(call))

export const subscriptionCalls: Calls = {
  'subscriptions/redeliver.ts redeliver': ({ context, accountId }) =>
    redeliver(context, 'webhook', {
      accountId,
      deliveryId: '019cae55-2c00-7000-8000-000000000000',
    }),
  'subscriptions/redeliver.ts redeliverSince': ({ context, accountId, subscriptionId }) =>
    redeliverSince(context, 'alert', { accountId, id: subscriptionId, since: 0 }),
  'subscriptions/create.ts createWebhook': ({ context, accountId }) =>
    createWebhook(context, accountId, {
      operationId: crypto.randomUUID(),
      url: 'https://receptor.example.com/y',
      currency: 'USD',
      origin: 'BLUE',
      enabled: true,
    }),
  'subscriptions/create.ts createSubscription': ({ context, accountId }) =>
    createSubscription(context, alertRows, accountId, {
      operationId: crypto.randomUUID(),
      pair: PAIRS[0]!,
      url: null,
      enabled: true,
    }),
  'subscriptions/edit.ts editWebhook': ({ context, accountId, subscriptionId }) =>
    editWebhook(context, accountId, subscriptionId, { version: 1, origin: 'OFICIAL' }),
  'subscriptions/edit.ts writeEdit': ({ context, accountId, subscriptionId: id }) => {
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
  'subscriptions/inherited.ts importInheritedWebhooks': (fixture) =>
    importInheritedWebhooks(fixture.db, [inheritedOf(fixture)], NOW),
  'subscriptions/read.ts listSubscriptions': ({ db, accountId }) =>
    bothKinds((rows) => listSubscriptions(db, rows, accountId, NOW)),
  'subscriptions/read.ts findSubscription': ({ db, accountId, subscriptionId: id }) =>
    bothKinds((rows) => findSubscription(db, rows, { accountId, id }, NOW)),
  'subscriptions/read.ts findByOperation': ({ db, accountId, operationId }) =>
    bothKinds((rows) => findByOperation(db, rows, { accountId, operationId }, NOW)),
  'subscriptions/read.ts selectOne': ({ db, accountId, subscriptionId: id }) =>
    bothKinds((rows) => selectOne(db, rows, { accountId, id }, NOW).all()),
  'subscriptions/read.ts selectByOperation': ({ db, accountId, operationId }) =>
    bothKinds((rows) => selectByOperation(db, rows, { accountId, operationId }, NOW).all()),
  'subscriptions/remove.ts removeSubscription': ({ db, accountId, subscriptionId: id }) =>
    removeSubscription(db, { id, accountId, version: 1 }, 'webhook'),
  'subscriptions/reseal.ts resealSubscriptions': ({ db }) => resealSubscriptions(db, LATER),
  'subscriptions/rotate.ts rotateSecret': ({ context, accountId, subscriptionId: id }) =>
    rotateSecret(context, webhookRows, { id, accountId, version: 1 }),
  'subscriptions/test-webhook.ts testWebhook': ({ context, accountId, subscriptionId }) =>
    testWebhook(context, accountId, subscriptionId),
}
