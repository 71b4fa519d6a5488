import { log, logFailure } from '../../../shared/log.ts'
import { markAnnounced } from '../db/stale.ts'
import { Run, type RunDeps } from './run.ts'

/** The part of a queue message that is used. */
export type HintMessage = Pick<Message<unknown>, 'body' | 'attempts' | 'ack' | 'retry'>

/**
 * Claims what a batch of hints says is due; returns the run that sends it, null when there is nothing.
 * When the caller's handler returns, the platform acknowledges every message that is not retried. That
 * is safe before anything is sent: the claimed rows are the truth, and the sweeper finds a lease that
 * ran out. So a receiver that hangs does not hold up the hints behind it.
 */
export async function consume(
  deps: RunDeps,
  messages: readonly HintMessage[],
): Promise<Run | null> {
  const hints = messages.filter(isReadable)
  if (hints.length === 0) return null

  const run = new Run(deps)
  try {
    await run.claim(hints.map((message) => deliveryIdOf(message)!))
    return run
  } catch (error) {
    logFailure('claim_failed', error, { rows: hints.length })
    // The database fails: the hints come again, later each time.
    for (const message of hints)
      message.retry({ delaySeconds: 5 * 2 ** Math.min(message.attempts, 6) })
    return null
  }
}

/** A message that is no hint is acknowledged: retried, it would come back for ever. */
function isReadable(message: HintMessage): boolean {
  if (deliveryIdOf(message) !== null) return true

  log('malformed_message', {})
  return false
}

function deliveryIdOf({ body }: HintMessage): number | null {
  const { v, deliveryId } = (body ?? {}) as { v?: unknown; deliveryId?: unknown }
  return v === 1 && Number.isSafeInteger(deliveryId) ? (deliveryId as number) : null
}

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
