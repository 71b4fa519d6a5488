import { log, logFailure } from '../../../shared/log.ts'
import { Run, type RunDeps } from './run.ts'

/** The part of a queue message that is used. */
export type HintMessage = Pick<Message<unknown>, 'body' | 'attempts' | 'retry'>

/**
 * Claims what a batch of hints says is due; returns the run that sends it, null when there is nothing.
 * The platform acknowledges what is not retried when the handler returns, before anything is sent: the
 * claimed rows are the truth, and a receiver that hangs does not hold up the hints behind it.
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
    // Each retry waits longer. The sweep finds the rows whose messages the queue gives up.
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
