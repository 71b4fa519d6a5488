import { formatUtc } from '../argentine-time.ts'
import { makeTest, selectValue } from '../db/deliveries/insert.ts'
import { namedBatch } from '../db/named-batch.ts'
import type { subscriptions } from '../db/schema.ts'
import {
  selectWebhooks,
  type StoredSubscription,
  toSubscription,
  type WebhookRow,
} from '../db/subscriptions.ts'
import { findPair, pairById } from '../market/catalog.ts'
import { ok, refuse } from '../result.ts'
import { payloadOf } from '../webhooks/payload.ts'
import { checkUrl } from './context.ts'
import type { EditOf, Kind, NewSubscription } from './kind.ts'

export interface StoredWebhook
  extends StoredSubscription, Pick<typeof subscriptions.$inferSelect, 'source'> {
  /** Whether a sync is owed, or was sent but has not arrived. */
  needsSync: boolean
}

export interface NewWebhook extends NewSubscription {
  url: string
  currency: string
  origin: string
}

export type WebhookEdit = EditOf<NewWebhook>

export const webhooks: Kind<StoredWebhook, NewWebhook, WebhookEdit> = {
  name: 'webhook',
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

  async test({ db, now, capacity, admitted }, own) {
    const { webhook, quote } = await namedBatch(db, {
      webhook: selectWebhooks(db, own),
      quote: selectValue(db, own.id),
    })
    if (webhook.results.length === 0) return refuse('not_found')
    if (!admitted) return refuse('admission_closed')
    const [value] = quote.results
    if (!value) return refuse('quote_unavailable')

    const body = payloadOf('manual', pairById(value.pair)!, value, now)
    const test = await makeTest(db, { ...own, body, capacity, now })
    return test ? ok(test) : refuse('capacity_exhausted')
  },
}
