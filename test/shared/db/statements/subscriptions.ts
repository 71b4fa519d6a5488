import { openKeyring } from '../../../../shared/crypto/keyring.ts'
import { editSubscription } from '../../../../shared/subscriptions/edit.ts'
import {
  importInheritedWebhooks,
  type InheritedWebhook,
} from '../../../../shared/subscriptions/inherited.ts'
import {
  findSubscription,
  listSubscriptions,
  selectByOperation,
  selectOne,
} from '../../../../shared/subscriptions/read.ts'
import { redeliver, redeliverSince } from '../../../../shared/subscriptions/redeliver.ts'
import { removeSubscription } from '../../../../shared/subscriptions/remove.ts'
import { resealSubscriptions } from '../../../../shared/subscriptions/reseal.ts'
import { rotateSecret } from '../../../../shared/subscriptions/rotate.ts'
import { alerts } from '../../../../shared/subscriptions/alerts.ts'
import type { Kind } from '../../../../shared/subscriptions/kind.ts'
import { webhooks } from '../../../../shared/subscriptions/webhooks.ts'
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

const bothKinds = (call: (kind: Kind) => Promise<unknown>) =>
  Promise.all([webhooks, alerts].map(call))

export const subscriptionCalls: Calls = {
  'subscriptions/redeliver.ts redeliver': ({ context, accountId }) =>
    redeliver(context, 'webhook', {
      accountId,
      deliveryId: '019cae55-2c00-7000-8000-000000000000',
    }),
  'subscriptions/redeliver.ts redeliverSince': ({ context, accountId, subscriptionId }) =>
    redeliverSince(context, 'alert', { accountId, id: subscriptionId, since: 0 }),
  'subscriptions/edit.ts editSubscription of a webhook': (fixture) => {
    const own = { accountId: fixture.accountId, id: fixture.subscriptionId }
    return editSubscription(fixture.context, webhooks, own, { version: 1, origin: 'OFICIAL' })
  },
  'subscriptions/inherited.ts importInheritedWebhooks': (fixture) =>
    importInheritedWebhooks(fixture.db, [inheritedOf(fixture)], NOW),
  'subscriptions/read.ts listSubscriptions': ({ db, accountId }) =>
    bothKinds((kind) => listSubscriptions(db, kind, accountId, NOW)),
  'subscriptions/read.ts findSubscription': ({ db, accountId, subscriptionId: id }) =>
    bothKinds((kind) => findSubscription(db, kind, { accountId, id }, NOW)),
  'subscriptions/read.ts selectOne': ({ db, accountId, subscriptionId: id }) =>
    bothKinds((kind) => selectOne(db, kind, { accountId, id }, NOW).all()),
  'subscriptions/read.ts selectByOperation': ({ db, accountId, operationId }) =>
    bothKinds((kind) => selectByOperation(db, kind, { accountId, operationId }, NOW).all()),
  'subscriptions/remove.ts removeSubscription': ({ db, accountId, subscriptionId: id }) =>
    removeSubscription(db, { id, accountId, version: 1 }, 'webhook'),
  'subscriptions/reseal.ts resealSubscriptions': ({ db }) => resealSubscriptions(db, LATER),
  'subscriptions/rotate.ts rotateSecret': ({ context, accountId, subscriptionId: id }) =>
    rotateSecret(context, webhooks, { id, accountId, version: 1 }),
  'subscriptions/webhooks.ts test': async ({ context, accountId, subscriptionId: id }) => {
    for (const admitted of [true, false])
      await webhooks.test({ ...context, admitted }, { accountId, id })
  },
}
