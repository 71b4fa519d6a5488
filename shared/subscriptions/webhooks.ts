import { formatUtc } from '../argentine-time.ts'
import { OUTSTANDING, reserveInserted } from '../db/deliveries/counts.ts'
import { findValues, insertRepeats, mayTest } from '../db/deliveries/insert.ts'
import { isShown } from '../db/is-shown.ts'
import type { subscriptions } from '../db/schema.ts'
import { findPair } from '../market/catalog.ts'
import { ok, refuse, type Result } from '../result.ts'
import { WEBHOOK_LIMIT } from '../webhooks/webhook.ts'
import { checkUrl, type SubscriptionContext } from './context.ts'
import type { EditOf, Kind, NewSubscription, Own, QueuedDelivery } from './kind.ts'
import { findSubscription } from './read.ts'
import type { SubscriptionRefusal } from './refusal.ts'
import { COLUMNS, type StoredSubscription, type SubscriptionRow, toSubscription } from './row.ts'

export interface StoredWebhook
  extends StoredSubscription, Pick<typeof subscriptions.$inferSelect, 'source' | 'needsSync'> {}

export interface NewWebhook extends NewSubscription {
  url: string
  currency: string
  origin: string
}

export type WebhookEdit = EditOf<NewWebhook>

type WebhookRow = SubscriptionRow &
  Pick<typeof subscriptions.$inferSelect, 'source'> & { needsSync: 0 | 1 }

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

  select: (where) => `select ${COLUMNS}, source, needs_sync as needsSync from subscriptions
    where ${isShown('webhook')} and ${where} order by created_at, id`,
  read(found) {
    const row = found as WebhookRow
    return { ...toSubscription(row), source: row.source, needsSync: row.needsSync === 1 }
  },

  checkNew(context, wanted) {
    const pair = findPair(wanted.currency, wanted.origin)
    if (!pair) return refuse('unknown_pair')
    const url = checkUrl(context, wanted.url)
    return url.ok ? ok({ pair, url: url.value, inserts: () => [] }) : url
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
      statements: () => ({ before: [], after: [] }),
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

/** Inserts the delivery and reserves its capacity (decisions 25 and 73: tests, and how many). */
async function queueTest(
  context: SubscriptionContext,
  { accountId, id }: Own,
  triesLeft = TRIES,
): Promise<Result<QueuedDelivery, SubscriptionRefusal>> {
  const { db, now, capacity } = context
  const making = { now, capacity, values: await findValues(db).all() }
  const [inserted, , found] = (await db.batch([
    insertRepeats(
      db,
      'manual',
      `w.id = ?4 and w.account_id = ?5 and ${mayTest('?5')}`,
      making,
      id,
      accountId,
    ),
    reserveInserted(db),
    db
      .prepare(
        `select q.pair is not null as quoted, ${OUTSTANDING} < ?3 and ${mayTest('?2')} as hasRoom
         from subscriptions w left join current_quotes q on q.pair = w.pair
         where w.id = ?1 and w.account_id = ?2 and ${isShown('webhook', 'w')}`,
      )
      .bind(id, accountId, capacity),
  ])) as [D1Result<QueuedDelivery>, D1Result, D1Result<{ quoted: 0 | 1; hasRoom: 0 | 1 }>]

  const [test] = inserted.results
  if (test) return ok(test)
  const [webhook] = found.results
  if (!webhook) return refuse('not_found')
  if (!webhook.quoted) return refuse('quote_unavailable')
  if (webhook.hasRoom && triesLeft > 1) return queueTest(context, { accountId, id }, triesLeft - 1)
  return refuse('capacity_exhausted')
}
