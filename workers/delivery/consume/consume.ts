import { log, logFailure } from '../../../shared/log.ts'
import { Run, type RunDeps } from './run.ts'

/** The part of a queue message that is used. */
export type HintMessage = Pick<Message<unknown>, 'body' | 'attempts' | 'retry'>

/**
 * Claims the due rows of a batch of hints. Returns the run that sends them; null when none is due.
 * When the handler returns, before anything is sent, the platform acknowledges all messages that
 * are not retried. That is safe because the claimed rows are the schedule, and a receiver that
 * hangs does not delay the next hints.
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
    // Each retry waits longer. If the queue gives a message up, the sweep finds its row.
    for (const message of hints)
      message.retry({ delaySeconds: 5 * 2 ** Math.min(message.attempts, 6) })
    return null
  }
}

/** A message that is no hint is acknowledged: as a retry it would come back for ever. */
function isReadable(message: HintMessage): boolean {
  if (deliveryIdOf(message) !== null) return true

  log('malformed_message', {})
  return false
}

function deliveryIdOf({ body }: HintMessage): number | null {
  const { v, deliveryId } = (body ?? {}) as { v?: unknown; deliveryId?: unknown }
  return v === 1 && Number.isSafeInteger(deliveryId) ? (deliveryId as number) : null
}
