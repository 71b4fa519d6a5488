import { formatUtc } from '../argentine-time.ts'
import { makeWebhookTest, type QueuedDelivery } from '../db/deliveries/insert.ts'
import type { subscriptions } from '../db/schema.ts'
import {
  type Own,
  selectWebhooks,
  type StoredSubscription,
  toSubscription,
  type WebhookRow,
} from '../db/subscriptions.ts'
import { findPair } from '../market/catalog.ts'
import { ok, refuse, type Result } from '../result.ts'
import { WEBHOOK_LIMIT } from '../webhooks/webhook.ts'
import { checkUrl, type SubscriptionContext } from './context.ts'
import { type EditOf, findSubscription, type Kind, type NewSubscription } from './kind.ts'
import type { SubscriptionRefusal } from './refusal.ts'

export interface StoredWebhook
  extends StoredSubscription, Pick<typeof subscriptions.$inferSelect, 'source' | 'needsSync'> {}

export interface NewWebhook extends NewSubscription {
  url: string
  currency: string
  origin: string
}

export type WebhookEdit = EditOf<NewWebhook>

export const webhooks: Kind<StoredWebhook, NewWebhook, WebhookEdit> = {
  name: 'webhook',
  plural: 'webhooks',
  idField: 'webhookId',
  limit: WEBHOOK_LIMIT,
  view: (webhook) => ({
    id: webhook.id,
    operationId: webhook.operationId,
    currency: webhook.pair.currency,
    origin: webhook.pair.origin,
    destination: webhook.destination,
    enabled: webhook.enabled,
    receiverAuthorizationConfigured: webhook.receiverAuthorizationConfigured,
    state: webhook.state,
    source: webhook.source,
    version: webhook.version,
    needsSync: webhook.needsSync,
    createdAt: formatUtc(webhook.createdAt),
  }),

  select: selectWebhooks,
  read(found) {
    const row = found as WebhookRow
    return { ...toSubscription(row), source: row.source, needsSync: row.needsSync === 1 }
  },

  checkNew(context, wanted) {
    const pair = findPair(wanted.currency, wanted.origin)
    if (!pair) return refuse('unknown_pair')
    const url = checkUrl(context, wanted.url)
    return url.ok ? ok({ pair, url: url.value, rule: null }) : url
  },

  checkEdit(context, { pair: current }, edit: WebhookEdit) {
    const pair = findPair(edit.currency ?? current.currency, edit.origin ?? current.origin)
    if (!pair) return refuse('unknown_pair')
    const url = edit.url === undefined ? ok(undefined) : checkUrl(context, edit.url)
    if (!url.ok) return url

    return ok({
      pair,
      url: url.value,
      authorization: edit.receiverAuthorization,
      changes: pair !== current,
      beginsAgain: false,
      rule: null,
    })
  },

  async test(context, { accountId, id }) {
    if (context.admitted) return queueTest(context, { accountId, id })

    const webhook = await findSubscription(context.db, webhooks, { accountId, id }, context.now)
    return refuse(webhook ? 'admission_closed' : 'not_found')
  },
}

/** How often a test is made anew, because the value of its body has just changed. */
const TRIES = 3

async function queueTest(
  { db, now, capacity }: SubscriptionContext,
  own: Own,
): Promise<Result<QueuedDelivery, SubscriptionRefusal>> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const made = await makeWebhookTest(db, { ...own, capacity, now })
    if (typeof made !== 'string') return ok(made)
    if (made === 'no_capacity') break
    if (made !== 'stale') return refuse(made)
  }
  return refuse('capacity_exhausted')
}
