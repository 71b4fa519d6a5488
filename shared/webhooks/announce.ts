import type { DeliveryMessage } from './delivery.ts'

/** The part of a queue that announcing many deliveries needs. */
export type DeliveryQueue = Pick<Queue<DeliveryMessage>, 'sendBatch'>

/** The most messages that `sendBatch` takes. */
const BATCH = 100

/** What became of announcements. */
export interface Announced {
  /** Messages that the queue refused at every try. */
  refused: number
  /** How many messages the queue then held, as it says itself; null when it took none. */
  backlog: number | null
  /** The name of the last error. */
  error: string | null
}

/**
 * Announces deliveries whose rows are committed. A queue that refuses costs time, not the
 * delivery: the sweeper announces what nobody did, so the request that made it goes on.
 */
export async function announceDeliveries(
  queue: Pick<Queue<DeliveryMessage>, 'send'>,
  ids: readonly number[],
): Promise<void> {
  for (const deliveryId of ids) {
    await queue.send({ v: 1, deliveryId }).catch((error: unknown) => {
      console.warn(JSON.stringify({ event: 'announce_failed', deliveryId, name: errorName(error) }))
    })
  }
}

/**
 * Sends messages in batches, each tried by itself. After each of the pauses those that were refused
 * are tried again, together, so that a queue that is down costs the pauses once. Never rejects.
 */
export async function sendInBatches(
  queue: DeliveryQueue,
  messages: readonly MessageSendRequest<DeliveryMessage>[],
  pauses: readonly (() => Promise<unknown>)[],
): Promise<Announced> {
  let batches = Array.from({ length: Math.ceil(messages.length / BATCH) }, (_, index) =>
    messages.slice(index * BATCH, (index + 1) * BATCH),
  )
  let backlog: number | null = null
  let error: string | null = null

  for (const pause of [null, ...pauses]) {
    if (batches.length === 0) break
    await pause?.()
    const refused: typeof batches = []
    for (const batch of batches)
      try {
        backlog = (await queue.sendBatch(batch))?.metadata.metrics.backlogCount ?? backlog
      } catch (thrown) {
        error = errorName(thrown)
        refused.push(batch)
      }
    batches = refused
  }
  return { refused: batches.flat().length, backlog, error }
}

function errorName(error: unknown): string {
  return error instanceof Error ? error.name : 'unknown'
}
