import type { Claims } from '../../shared/db/delivery/claim.ts'
import { claimThese, hold, type WorkOnDeps, workOn } from './work-on.ts'
import { limitConnections } from './connections.ts'
import { MAX_IN_FLIGHT } from './in-flight.ts'
import { log } from './log.ts'
import { shareBatches } from './shared-batches.ts'

/** The part of a queue message that is used. */
export type HintMessage = Pick<Message<unknown>, 'body' | 'attempts' | 'ack' | 'retry'>

export interface ConsumeDeps extends WorkOnDeps {
  /** Lets work go on after the handler has returned. */
  detach: (work: Promise<void>) => void
}

/** How often a full isolate looks whether there is room again. */
const ROOM_POLL_MS = 50

/**
 * One batch of hints: claims what may be sent, acknowledges, and sends in the background.
 *
 * Acknowledging before sending is safe: the claimed rows are the truth, and a lease that runs out
 * brings them back. It is what keeps a receiver that hangs from holding up the deliveries behind
 * it, also where the queue hands out one batch at a time. `MAX_IN_FLIGHT` bounds what is under way.
 */
export async function consume(given: ConsumeDeps, messages: readonly HintMessage[]): Promise<void> {
  const deps = { ...given, db: shareBatches(given.db) }
  const { inFlight, sleep, detach } = deps
  const hints = messages.filter(isReadable)
  if (hints.length === 0) return

  while (inFlight.total + hints.length > MAX_IN_FLIGHT) await sleep(ROOM_POLL_MS)

  const claimed = await claim(deps, hints)
  if (!claimed) return
  for (const message of hints) message.ack()

  const connections = limitConnections()
  for (const claim of claimed.claims) detach(workOn(deps, claim, connections))
  await hold(deps, claimed.heldBack)
}

/** A message that is no hint of ours is acknowledged: trying it again would be for ever. */
function isReadable(message: HintMessage): boolean {
  if (deliveryIdOf(message) !== null) return true

  log('malformed_message', {})
  message.ack()
  return false
}

function deliveryIdOf({ body }: HintMessage): number | null {
  const { v, deliveryId } = (body ?? {}) as { v?: unknown; deliveryId?: unknown }
  return v === 1 && Number.isSafeInteger(deliveryId) ? (deliveryId as number) : null
}

/** Null when the database fails: then the hints come again, later each time. */
async function claim(deps: ConsumeDeps, hints: readonly HintMessage[]): Promise<Claims | null> {
  const ids = hints.map((message) => deliveryIdOf(message)!)
  const claimed = await claimThese(deps, ids)
  if (!claimed)
    for (const message of hints)
      message.retry({ delaySeconds: 5 * 2 ** Math.min(message.attempts, 6) })
  return claimed
}
