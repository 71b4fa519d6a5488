import type { Instant } from '../../shared/argentine-time.ts'
import type { DeliveryMessage } from '../../shared/delivery.ts'
import { log, nameOf } from './log.ts'

/** The part of a queue that announcing needs. */
export type DeliveryQueue = Pick<Queue<DeliveryMessage>, 'sendBatch'>

/** The most that `sendBatch` takes. */
const BATCH = 100

/** A message that came a moment early would find nothing due, and be lost until the next sweep. */
const MARGIN_MS = 100

/** The longest delay that queues know, in seconds. */
const MAX_DELAY_SECONDS = 24 * 60 * 60

/**
 * Sends a hint for each row at the instant it is due. A queue that refuses costs nothing but time:
 * the sweeper announces what nobody did.
 */
export async function announce(
  queue: DeliveryQueue,
  rows: readonly { id: number; at: Instant }[],
  now: Instant,
): Promise<void> {
  for (let start = 0; start < rows.length; start += BATCH) {
    const messages = rows.slice(start, start + BATCH).map(({ id, at }) => ({
      body: { v: 1 as const, deliveryId: id },
      delaySeconds: delaySeconds(at - now),
    }))
    await queue.sendBatch(messages).catch((error: unknown) => {
      log('announce_failed', { rows: messages.length, error: nameOf(error) })
    })
  }
}

function delaySeconds(ms: number): number {
  return ms <= 0 ? 0 : Math.min(Math.ceil((ms + MARGIN_MS) / 1000), MAX_DELAY_SECONDS)
}
