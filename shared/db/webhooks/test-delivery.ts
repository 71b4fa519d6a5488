import type { Instant } from '../../argentine-time.ts'
import { ok, refuse, type Result } from '../../result.ts'
import { inCatalogue } from '../in-catalogue.ts'
import { reserveInserted } from '../deliveries/webhook-capacity.ts'
import { insertRepeat } from '../deliveries/insert-repeat.ts'

export interface QueuedTest {
  id: number
  deliveryId: string
}

export type TestRefusal = 'not_found' | 'quote_unavailable' | 'capacity_exhausted'

/** Queues a test of a webhook in any state, with its place in the capacity (decision 25). */
export async function queueTest(
  db: D1Database,
  { id, accountId }: { id: string; accountId: string },
  { now, capacity }: { now: Instant; capacity: number },
): Promise<Result<QueuedTest, TestRefusal>> {
  const [inserted, , found] = (await db.batch([
    db
      .prepare(insertRepeat('manual', 'w.id = ?3 and w.account_id = ?4'))
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
  if (test) return ok(test)

  const [webhook] = found.results
  if (!webhook) return refuse('not_found')
  return refuse(webhook.quoted ? 'capacity_exhausted' : 'quote_unavailable')
}
