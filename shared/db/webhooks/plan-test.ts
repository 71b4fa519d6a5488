import { refuse, type Result } from '../../result.ts'
import { findWebhook } from './read.ts'
import { type QueuedTest, queueTest, type TestRefusal } from './test-delivery.ts'
import type { Management } from './context.ts'

/** Queues a test of a webhook in any state, while the feature is open (decisions 21 and 25). */
export async function testSubscription(
  { db, admitted, capacity, now }: Management,
  accountId: string,
  id: string,
): Promise<Result<QueuedTest, TestRefusal | 'admission_closed'>> {
  if (admitted) return queueTest(db, { id, accountId }, { now, capacity })

  return refuse((await findWebhook(db, accountId, id)) ? 'admission_closed' : 'not_found')
}
