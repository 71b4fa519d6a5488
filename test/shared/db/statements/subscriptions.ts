import { openKeyring } from '../../../../shared/crypto/keyring.ts'
import {
  createSubscription,
  createWebhook,
} from '../../../../workers/site/db/subscriptions/create.ts'
import { editWebhook, writeEdit } from '../../../../workers/site/db/subscriptions/edit.ts'
import {
  importInheritedWebhooks,
  type InheritedWebhook,
} from '../../../../shared/db/subscriptions/inherited.ts'
import {
  findByOperation,
  findSubscription,
  listSubscriptions,
  selectByOperation,
  selectOne,
} from '../../../../workers/site/db/subscriptions/read.ts'
import { redeliver, redeliverSince } from '../../../../workers/site/db/subscriptions/redeliver.ts'
import { removeSubscription } from '../../../../workers/site/db/subscriptions/remove.ts'
import { resealSubscriptions } from '../../../../shared/db/subscriptions/reseal.ts'
import { rotateSecret } from '../../../../workers/site/db/subscriptions/rotate.ts'
import {
  type Rows,
  type StoredSubscription,
  webhookRows,
} from '../../../../shared/db/subscriptions/row.ts'
import { alertRows } from '../../../../workers/site/db/alerts/row.ts'
import { PAIRS } from '../../../../shared/market/catalog.ts'
import { planEdit } from '../../../../shared/webhooks/webhook.ts'
import { testWebhook } from '../../../../workers/site/db/subscriptions/test-webhook.ts'
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
  'site/db/subscriptions/redeliver.ts redeliver': ({ context, accountId }) =>
    redeliver(context, 'webhook', {
      accountId,
      deliveryId: '019cae55-2c00-7000-8000-000000000000',
    }),
  'site/db/subscriptions/redeliver.ts redeliverSince': ({ context, accountId, subscriptionId }) =>
    redeliverSince(context, 'alert', { accountId, id: subscriptionId, since: 0 }),
  'site/db/subscriptions/create.ts createWebhook': ({ context, accountId }) =>
    createWebhook(context, accountId, {
      operationId: crypto.randomUUID(),
      url: 'https://receptor.example.com/y',
      currency: 'USD',
      origin: 'BLUE',
      enabled: true,
    }),
  'site/db/subscriptions/create.ts createSubscription': ({ context, accountId }) =>
    createSubscription(context, alertRows, accountId, {
      operationId: crypto.randomUUID(),
      pair: PAIRS[0]!,
      url: null,
      enabled: true,
    }),
  'site/db/subscriptions/edit.ts editWebhook': ({ context, accountId, subscriptionId }) =>
    editWebhook(context, accountId, subscriptionId, { version: 1, origin: 'OFICIAL' }),
  'site/db/subscriptions/edit.ts writeEdit': ({ context, accountId, subscriptionId: id }) => {
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
  'site/db/subscriptions/read.ts listSubscriptions': ({ db, accountId }) =>
    bothKinds((rows) => listSubscriptions(db, rows, accountId, NOW)),
  'site/db/subscriptions/read.ts findSubscription': ({ db, accountId, subscriptionId: id }) =>
    bothKinds((rows) => findSubscription(db, rows, { accountId, id }, NOW)),
  'site/db/subscriptions/read.ts findByOperation': ({ db, accountId, operationId }) =>
    bothKinds((rows) => findByOperation(db, rows, { accountId, operationId }, NOW)),
  'site/db/subscriptions/read.ts selectOne': ({ db, accountId, subscriptionId: id }) =>
    bothKinds((rows) => selectOne(db, rows, { accountId, id }, NOW).all()),
  'site/db/subscriptions/read.ts selectByOperation': ({ db, accountId, operationId }) =>
    bothKinds((rows) => selectByOperation(db, rows, { accountId, operationId }, NOW).all()),
  'site/db/subscriptions/remove.ts removeSubscription': ({ db, accountId, subscriptionId: id }) =>
    removeSubscription(db, { id, accountId, version: 1 }, 'webhook'),
  'subscriptions/reseal.ts resealSubscriptions': ({ db }) => resealSubscriptions(db, LATER),
  'site/db/subscriptions/rotate.ts rotateSecret': ({ context, accountId, subscriptionId: id }) =>
    rotateSecret(context, webhookRows, { id, accountId, version: 1 }),
  'site/db/subscriptions/test-webhook.ts testWebhook': ({ context, accountId, subscriptionId }) =>
    testWebhook(context, accountId, subscriptionId),
}
