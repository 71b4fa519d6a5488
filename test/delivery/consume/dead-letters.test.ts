import { createExecutionContext, createMessageBatch, getQueueResult } from 'cloudflare:test'
import { describe, expect, it } from 'vitest'
import { createDelivery } from '../../../workers/delivery/delivery.ts'
import { platform } from '../../../workers/delivery/platform.ts'
import { deliveryRow, NOW, seedDelivery, seedWebhook } from '../../support/delivery-seeds.ts'
import { env } from '../../support/env.ts'

/** With its resolver out of reach, an attempt ends as released. */
const delivery = createDelivery({
  ...platform,
  now: () => NOW,
  fetch: async () => {
    throw new TypeError('no network')
  },
})

describe.each(['deliveries-dead', 'deliveries-dead-staging'])(
  'where the dead letters are in %s',
  (DEAD_LETTER_QUEUE) => {
    async function hint(queue: string) {
      const id = await seedDelivery(await seedWebhook())
      const message = {
        id: 'message',
        timestamp: new Date(NOW),
        attempts: 1,
        body: { v: 1, deliveryId: id },
      }
      const batch = createMessageBatch(queue, [message])
      const context = createExecutionContext()
      await delivery.queue(batch, { ...env, DEAD_LETTER_QUEUE }, context)
      const { explicitAcks } = await getQueueResult(batch, context)
      return { row: await deliveryRow(id), isAcknowledged: explicitAcks.length === 1 }
    }

    it('the next sweep enqueues a message of it again, and nothing is attempted', async () => {
      const { row, isAcknowledged } = await hint(DEAD_LETTER_QUEUE)
      expect(row).toMatchObject({ status: 'pending', releases: 0, look_at: 30_000 })
      expect(isAcknowledged).toBe(true)
    })

    it.each(['deliveries', 'deliveries-staging', 'other-dead'])(
      'a message of %s is an ordinary hint',
      async (queue) => {
        expect((await hint(queue)).row).toMatchObject({ status: 'pending', releases: 1 })
      },
    )
  },
)
