import { log, nameOf } from '../../../shared/log.ts'
import { DeliveryRun, type RunDeps } from './delivery-run.ts'

/** The part of a queue message that is used. */
export type HintMessage = Pick<Message<unknown>, 'body' | 'attempts' | 'ack' | 'retry'>

export interface ConsumeDeps extends RunDeps {
  /** Lets work go on after the handler has returned. */
  detach: (work: Promise<void>) => void
}

/** How often an invocation asks whether it may start. */
export const START_POLL_MS = 50

/**
 * One batch of hints: claims what may be sent, and sends it in the background. The platform
 * acknowledges every message that is not retried when this returns.
 *
 * Acknowledging before sending is safe: the claimed rows are the truth, and the sweeper finds a
 * lease that ran out. So a receiver that hangs does not hold up the hints behind it, even where the
 * queue hands out one batch at a time. `MAX_IN_FLIGHT` bounds what is under way.
 */
export async function consume(deps: ConsumeDeps, messages: readonly HintMessage[]): Promise<void> {
  const { slots, sleep, detach } = deps
  const hints = messages.filter(isReadable)
  if (hints.length === 0) return

  while (!slots.tryStart()) await sleep(START_POLL_MS)

  const run = new DeliveryRun(deps)
  try {
    await run.claim(hints.map((message) => deliveryIdOf(message)!))
  } catch (error) {
    log('claim_failed', { rows: hints.length, error: nameOf(error) })
    // The database fails: the hints come again, later each time.
    for (const message of hints)
      message.retry({ delaySeconds: 5 * 2 ** Math.min(message.attempts, 6) })
    return
  } finally {
    slots.endStart()
  }
  detach(run.drain())
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
