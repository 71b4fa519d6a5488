import { markAnnounced } from '../db/stale.ts'
import type { HintMessage } from './consume.ts'
import { log, logFailure } from '../../../shared/log.ts'

/**
 * Hints whose claims failed until the queue gave them up. Their rows become stale, so the next sweep
 * enqueues them again.
 */
export async function requeueDeadLetters(
  db: D1Database,
  messages: readonly HintMessage[],
): Promise<void> {
  const ids = messages
    .map(({ body }) => (body as { deliveryId?: unknown } | null)?.deliveryId)
    .filter((id): id is number => Number.isSafeInteger(id))
  log('dead_letters', { messages: messages.length, rows: ids.length })

  try {
    if (ids.length > 0)
      await markAnnounced(
        db,
        ids.map((id) => ({ id, at: 0 })),
      ).run()
    for (const message of messages) message.ack()
  } catch (error) {
    logFailure('requeue_failed', error)
    for (const message of messages) message.retry({ delaySeconds: 60 })
  }
}
