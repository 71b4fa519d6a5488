import { lookAgainStatement } from '../../../shared/db/deliveries/look.ts'
import type { HintMessage } from './consume.ts'
import { log, nameOf } from '../../../shared/log.ts'

/**
 * Hints that could not be read into claims for too long. The rows they speak of are looked at by
 * the next sweep, so that nothing waits for a message that will not come.
 */
export async function rearm(db: D1Database, messages: readonly HintMessage[]): Promise<void> {
  const ids = messages
    .map(({ body }) => (body as { deliveryId?: unknown } | null)?.deliveryId)
    .filter((id): id is number => Number.isSafeInteger(id))
  log('dead_letters', { messages: messages.length, rows: ids.length })

  try {
    if (ids.length > 0)
      await lookAgainStatement(
        db,
        ids.map((id) => ({ id, at: 0 })),
      ).run()
    for (const message of messages) message.ack()
  } catch (error) {
    log('rearm_failed', { error: nameOf(error) })
    for (const message of messages) message.retry({ delaySeconds: 60 })
  }
}
