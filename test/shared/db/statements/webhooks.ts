import { openKeyring } from '../../../../shared/crypto/keyring.ts'
import {
  createWebhook,
  insertWithin,
  selectOperation,
} from '../../../../shared/db/webhooks/create.ts'
import { cancelWaiting, editWebhook } from '../../../../shared/db/webhooks/edit.ts'
import {
  importInheritedWebhooks,
  type InheritedWebhook,
} from '../../../../shared/db/webhooks/inherited.ts'
import { findByOperation, findWebhook, listWebhooks } from '../../../../shared/db/webhooks/read.ts'
import { removeWebhook } from '../../../../shared/db/webhooks/remove.ts'
import { resealWebhooks } from '../../../../shared/db/webhooks/reseal.ts'
import { rotateSecret } from '../../../../shared/db/webhooks/rotate.ts'
import { testWebhook } from '../../../../shared/db/webhooks/test-delivery.ts'
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

export const webhookCalls: Calls = {
  'webhooks/create.ts createWebhook': ({ context, accountId }) =>
    createWebhook(context, accountId, {
      operationId: crypto.randomUUID(),
      url: 'https://receptor.example.com/y',
      currency: 'USD',
      origin: 'BLUE',
      enabled: true,
    }),
  'webhooks/create.ts selectOperation': ({ db, accountId }) =>
    selectOperation(db, { accountId, operationId: 'x' }).all(),
  'webhooks/create.ts insertWithin': (fixture) =>
    insertWithin(
      fixture.db,
      { ...inheritedOf(fixture), enabled: true },
      { counted: 'pair > 0', limit: 1 },
    ).run(),
  'webhooks/edit.ts editWebhook': ({ context, accountId, webhookId }) =>
    editWebhook(context, accountId, webhookId, { version: 1, origin: 'OFICIAL' }),
  'webhooks/edit.ts cancelWaiting': ({ db, webhookId }) =>
    db.batch(cancelWaiting(db, webhookId, NOW)),
  'webhooks/inherited.ts importInheritedWebhooks': (fixture) =>
    importInheritedWebhooks(fixture.db, [inheritedOf(fixture)], NOW),
  'webhooks/read.ts listWebhooks': ({ db, accountId }) => listWebhooks(db, accountId),
  'webhooks/read.ts findWebhook': ({ db, accountId, webhookId }) =>
    findWebhook(db, accountId, webhookId),
  'webhooks/read.ts findByOperation': ({ db, accountId, operationId }) =>
    findByOperation(db, accountId, operationId),
  'webhooks/remove.ts removeWebhook': ({ db, accountId, webhookId: id }) =>
    removeWebhook(db, { id, accountId, version: 1 }),
  'webhooks/reseal.ts resealWebhooks': ({ db }) => resealWebhooks(db, LATER),
  'webhooks/rotate.ts rotateSecret': ({ context, accountId, webhookId: id }) =>
    rotateSecret(context, accountId, { id, version: 1 }),
  'webhooks/test-delivery.ts testWebhook': ({ context, accountId, webhookId }) =>
    testWebhook(context, accountId, webhookId),
}
