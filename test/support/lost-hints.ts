/** Deliveries whose hint was lost, and queues that lose hints. */
import type { DeliveryMessage } from '../../shared/webhooks/delivery.ts'
import { NOW } from './delivery-seeds.ts'
import { env } from './env.ts'
import { fromNumbers, insertRows, setOpen } from '../../tools/prove/harness/rows.ts'

/** Due deliveries of the system destination, in no order, made `NOW`. */
export async function seedWithoutHint(count: number): Promise<void> {
  await env.DB.batch([
    env.DB.prepare(
      insertRows(
        'deliveries',
        {
          subscription_id: `'system'`,
          account_id: `'system'`,
          revision: 0,
          type: `'manual'`,
          created_at: '?2',
          next_attempt_at: '?2',
        },
        fromNumbers('?1'),
      ),
    ).bind(count, NOW),
    env.DB.prepare(setOpen(count)),
  ])
}

/** What a queue took is delivered. */
export async function deliver(ids: readonly number[]): Promise<void> {
  await env.DB.prepare(
    `update deliveries set status = 'delivered', resolved_at = created_at where id in (select value from json_each(?1))`,
  )
    .bind(JSON.stringify(ids))
    .run()
}

/** A queue that refuses the calls that it is told to, and remembers what it took of each. */
export function createFragileQueue(refuses: (call: number) => boolean, backlogCount?: number) {
  const taken: number[] = []
  let calls = 0
  return {
    taken,
    calls: () => calls,
    queue: {
      async sendBatch(batch: Iterable<MessageSendRequest<DeliveryMessage>>) {
        calls += 1
        if (refuses(calls)) throw new Error('Queue sendBatch failed: Too Many Requests')
        const ids = [...batch].map(({ body }) => body.deliveryId)
        if (ids.length > 100) throw new Error('more than 100 messages')
        taken.push(...ids)
        const metrics = { backlogCount: backlogCount ?? taken.length, backlogBytes: 0 }
        return { metadata: { metrics } }
      },
    },
  }
}
