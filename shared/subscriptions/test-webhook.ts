import { ok, refuse, type Result } from '../result.ts'
import { reserveInserted } from '../db/deliveries/outstanding.ts'
import { insertRepeat, mayTest } from '../db/deliveries/insert.ts'
import { isShown } from '../db/is-shown.ts'
import type { SubscriptionContext } from './context.ts'
import { findSubscription } from './read.ts'
import type { SubscriptionRefusal } from './refusal.ts'
import { webhookRows } from './row.ts'

export interface QueuedDelivery {
  id: number
  deliveryId: string
}

/**
 * Queues a test of a webhook in any state, while the feature is open (decisions 21 and 25:
 * admission, and tests).
 */
export async function testWebhook(
  context: SubscriptionContext,
  accountId: string,
  id: string,
): Promise<Result<QueuedDelivery, SubscriptionRefusal>> {
  const { db, admitted, now } = context
  if (admitted) return queueTest(context, { id, accountId })

  return refuse(
    (await findSubscription(db, webhookRows, { accountId, id }, now))
      ? 'admission_closed'
      : 'not_found',
  )
}

/** Inserts the delivery and reserves its capacity (decisions 25 and 73: tests, and how many). */
async function queueTest(
  { db, now, capacity }: SubscriptionContext,
  { id, accountId }: { id: string; accountId: string },
): Promise<Result<QueuedDelivery, SubscriptionRefusal>> {
  const [inserted, , found] = (await db.batch([
    db
      .prepare(insertRepeat('manual', `w.id = ?3 and w.account_id = ?4 and ${mayTest('?4')}`))
      .bind(now, capacity, id, accountId),
    reserveInserted(db),
    db
      .prepare(
        `select exists (select 1 from current_quotes q where q.pair = w.pair) as quoted
         from subscriptions w where w.id = ?1 and w.account_id = ?2 and ${isShown('webhook', 'w')}`,
      )
      .bind(id, accountId),
  ])) as [D1Result<QueuedDelivery>, D1Result, D1Result<{ quoted: 0 | 1 }>]

  const [test] = inserted.results
  if (test) return ok({ id: test.id, deliveryId: test.deliveryId })

  const [webhook] = found.results
  if (!webhook) return refuse('not_found')
  return refuse(webhook.quoted ? 'capacity_exhausted' : 'quote_unavailable')
}
