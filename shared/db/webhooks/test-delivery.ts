import { ok, refuse, type Result } from '../../result.ts'
import { reserveInserted } from '../deliveries/capacity.ts'
import { insertRepeat, mayBeTested } from '../deliveries/insert.ts'
import { inCatalogue } from '../in-catalogue.ts'
import type { WebhookContext } from './context.ts'
import { findWebhook } from './read.ts'

export interface QueuedTest {
  id: number
  deliveryId: string
}

type QueueRefusal = 'not_found' | 'quote_unavailable' | 'capacity_exhausted'

export type TestRefusal = QueueRefusal | 'admission_closed'

/** Queues a test of a webhook in any state, while the feature is open (decisions 21 and 25). */
export async function testWebhook(
  context: WebhookContext,
  accountId: string,
  id: string,
): Promise<Result<QueuedTest, TestRefusal>> {
  const { db, admitted } = context
  if (admitted) return queueTest(context, { id, accountId })

  return refuse((await findWebhook(db, accountId, id)) ? 'admission_closed' : 'not_found')
}

/** Inserts the delivery and reserves its capacity (decisions 25 and 74). */
async function queueTest(
  { db, now, capacity }: WebhookContext,
  { id, accountId }: { id: string; accountId: string },
): Promise<Result<QueuedTest, QueueRefusal>> {
  const [inserted, , found] = (await db.batch([
    db
      .prepare(insertRepeat('manual', `w.id = ?3 and w.account_id = ?4 and ${mayBeTested('w.id')}`))
      .bind(now, capacity, id, accountId),
    reserveInserted(db),
    db
      .prepare(
        `select exists (select 1 from current_quotes q where q.pair = w.pair) as quoted
         from webhooks w where w.id = ?1 and w.account_id = ?2 and ${inCatalogue('w.pair')}`,
      )
      .bind(id, accountId),
  ])) as [D1Result<QueuedTest>, D1Result, D1Result<{ quoted: 0 | 1 }>]

  const [test] = inserted.results
  if (test) return ok({ id: test.id, deliveryId: test.deliveryId })

  const [webhook] = found.results
  if (!webhook) return refuse('not_found')
  return refuse(webhook.quoted ? 'capacity_exhausted' : 'quote_unavailable')
}
