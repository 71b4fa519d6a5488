import { log, nameOf } from '../../../shared/log.ts'
import { Round, type RoundDeps } from './delivery-run.ts'

/** The part of a queue message that is used. */
export type HintMessage = Pick<Message<unknown>, 'body' | 'attempts' | 'ack' | 'retry'>

export interface ConsumeDeps extends RoundDeps {
  /** Lets work go on after the handler has returned. */
  detach: (work: Promise<void>) => void
}

/** How often a full isolate looks whether there is room again. */
export const ROOM_POLL_MS = 50

/** The place that a beginning round takes: two at once would claim for the same places. */
const BEGINNING = 'beginning'

/**
 * One batch of hints: claims what may be sent, and sends in the background. What it does not ask to
 * retry is acknowledged when it returns.
 *
 * Acknowledging before sending is safe: the claimed rows are the truth, and a lease that runs out
 * brings them back. It is what keeps a receiver that hangs from holding up the deliveries behind
 * it, also where the queue hands out one batch at a time. `MAX_IN_FLIGHT` bounds what is under way.
 */
export async function consume(deps: ConsumeDeps, messages: readonly HintMessage[]): Promise<void> {
  const { inFlight, sleep, detach } = deps
  const hints = messages.filter(isReadable)
  if (hints.length === 0) return

  while (inFlight.room === 0 || inFlight.countAt(BEGINNING) > 0) await sleep(ROOM_POLL_MS)

  const round = new Round(deps)
  inFlight.begin([BEGINNING])
  try {
    await round.begin(hints.map((message) => deliveryIdOf(message)!))
  } catch (error) {
    log('claim_failed', { rows: hints.length, error: nameOf(error) })
    // The database fails: the hints come again, later each time.
    for (const message of hints)
      message.retry({ delaySeconds: 5 * 2 ** Math.min(message.attempts, 6) })
    return
  } finally {
    inFlight.end([BEGINNING])
  }
  detach(round.finish())
}

/** A message that is no hint of ours is not tried again: that would be for ever. */
function isReadable(message: HintMessage): boolean {
  if (deliveryIdOf(message) !== null) return true

  log('malformed_message', {})
  return false
}

function deliveryIdOf({ body }: HintMessage): number | null {
  const { v, deliveryId } = (body ?? {}) as { v?: unknown; deliveryId?: unknown }
  return v === 1 && Number.isSafeInteger(deliveryId) ? (deliveryId as number) : null
}
