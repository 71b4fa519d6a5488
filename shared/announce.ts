import type { DeliveryMessage } from './delivery.ts'

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
      const name = error instanceof Error ? error.name : 'unknown'
      console.warn(JSON.stringify({ event: 'announce_failed', deliveryId, name }))
    })
  }
}
