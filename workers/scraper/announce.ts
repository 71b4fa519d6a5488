import type { DeliveryMessage } from '../../shared/delivery.ts'

/** The most messages of one `sendBatch` (a limit of Queues). */
const BATCH = 100

/**
 * Tells the delivery worker which rows are due. The rows are committed: what cannot be sent here is
 * found by the sweeper, so a failure is logged and costs nothing else.
 */
export async function announce(queue: Queue<DeliveryMessage>, ids: number[]): Promise<void> {
  try {
    for (let start = 0; start < ids.length; start += BATCH) {
      await queue.sendBatch(
        ids.slice(start, start + BATCH).map((deliveryId) => ({ body: { v: 1, deliveryId } })),
      )
    }
  } catch (error) {
    console.error(JSON.stringify({ event: 'announce_failed', name: (error as Error).name }))
  }
}
