import { type DeliveryQueue, sendInBatches } from '../../../shared/webhooks/announce.ts'

/** At once: the board is published after this. */
const ONE_RETRY = [async () => {}]

/**
 * Tells the delivery worker which rows are due. The rows are committed: what cannot be sent here is
 * found by the sweeper, so a failure is logged and costs nothing else.
 */
export async function announce(queue: DeliveryQueue, ids: number[]): Promise<void> {
  const messages = ids.map((deliveryId) => ({ body: { v: 1 as const, deliveryId } }))
  const { refused, error } = await sendInBatches(queue, messages, ONE_RETRY)
  if (refused > 0)
    console.error(JSON.stringify({ event: 'announce_failed', rows: refused, name: error }))
}
