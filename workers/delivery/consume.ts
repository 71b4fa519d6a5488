import { claimDeliveries, type Claims } from '../../shared/db/delivery/claim.ts'
import { announce } from './announce.ts'
import { limitConnections } from './connections.ts'
import { MAX_IN_FLIGHT, MAX_PER_HOST } from './in-flight.ts'
import { log, nameOf } from './log.ts'
import { work, type WorkDeps } from './work.ts'

/** The part of a queue message that is used. */
export type HintMessage = Pick<Message<unknown>, 'body' | 'attempts' | 'ack' | 'retry'>

export interface ConsumeDeps extends WorkDeps {
  /** A token that nobody else has. */
  newToken: () => string
  /** Lets work go on after the handler has returned. */
  detach: (work: Promise<void>) => void
}

/** How long a hint for a host with enough connections is put off, before jitter. */
const HELD_BACK_MS = 5000

/** How often a full isolate looks whether there is room again. */
const ROOM_POLL_MS = 50

/**
 * One batch of hints: claims what may be sent, acknowledges, and sends in the background.
 *
 * Acknowledging before sending is safe: the claimed rows are the truth, and a lease that runs out
 * brings them back. It is what keeps a receiver that hangs from holding up the deliveries behind
 * it, also where the queue hands out one batch at a time. `MAX_IN_FLIGHT` bounds what is under way.
 */
export async function consume(deps: ConsumeDeps, messages: readonly HintMessage[]): Promise<void> {
  const { inFlight, sleep, detach } = deps
  const hints = messages.filter(isReadable)
  if (hints.length === 0) return

  while (inFlight.total + hints.length > MAX_IN_FLIGHT) await sleep(ROOM_POLL_MS)

  const claimed = await claim(deps, hints)
  if (!claimed) return
  for (const message of hints) message.ack()

  const connections = limitConnections()
  for (const claim of claimed.claims) detach(work(deps, claim, connections))
  await putOff(deps, claimed.heldBack)
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
  const { db, now, newToken, inFlight } = deps
  try {
    return await claimDeliveries(
      db,
      hints.map((message) => deliveryIdOf(message)!),
      { now: now(), token: newToken(), busy: inFlight.busy(), hostLimit: MAX_PER_HOST },
    )
  } catch (error) {
    log('claim_failed', { hints: hints.length, error: nameOf(error) })
    for (const message of hints)
      message.retry({ delaySeconds: 5 * 2 ** Math.min(message.attempts, 6) })
    return null
  }
}

async function putOff({ queue, now, random }: ConsumeDeps, ids: readonly number[]): Promise<void> {
  const later = ids.map((id) => ({ id, at: now() + HELD_BACK_MS * (1 + random()) }))
  await announce(queue, later, now())
}
