import { log, logFailure } from '../../../shared/log.ts'
import { Run, type RunDeps } from './run.ts'

/** The part of a queue message that is used. */
export type HintMessage = Pick<Message<unknown>, 'body' | 'attempts' | 'retry'>

/**
 * Claims the due rows of a batch of hints. Returns the run that sends them, or null on a failure or
 * without hints. When the handler returns, before anything is sent, the platform acknowledges all
 * messages that are not retried. This is safe because the rows are the schedule, and it keeps a
 * receiver that hangs from delaying the next hints.
 */
export async function consume(
  deps: RunDeps,
  messages: readonly HintMessage[],
): Promise<Run | null> {
  const hints = messages.flatMap((message) => {
    const id = rowIdOf(message)
    // Acknowledges a malformed message, because a retry would fail again.
    if (id === null) log('malformed_message', {})
    return id === null ? [] : [{ message, id }]
  })
  if (hints.length === 0) return null

  const run = new Run(deps)
  try {
    await run.claim(hints.map(({ id }) => id))
    return run
  } catch (error) {
    logFailure('claim_failed', error, { rows: hints.length })
    // Each retry waits longer. If the queue drops a message, the sweep finds its row.
    for (const { message } of hints)
      message.retry({ delaySeconds: 5 * 2 ** Math.min(message.attempts, 6) })
    return null
  }
}

/** Null if the message is not a hint. */
function rowIdOf({ body }: HintMessage): number | null {
  const { v, deliveryId } = (body ?? {}) as { v?: unknown; deliveryId?: unknown }
  return v === 1 && Number.isSafeInteger(deliveryId) ? (deliveryId as number) : null
}
