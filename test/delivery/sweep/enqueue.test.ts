/** A queue that refuses: nothing is lost, and the sweeper enqueues what is left. */
import { describe, expect, it } from 'vitest'
import type { DeliveryMessage } from '../../../shared/webhooks/delivery.ts'
import { measuredDatabase } from '../../support/measured-database.ts'
import { NOW, setOutstanding } from '../../support/webhooks.ts'
import { createFixture } from '../../support/delivery-fixture.ts'
import { env } from '../../support/env.ts'
import { seedRows } from '../../support/rows.ts'

const MINUTE = 60_000
const COUNT = 10_000
const ALL = Array.from({ length: COUNT }, (_, index) => index + 1)

/** Due deliveries of the system destination, in no order, made `NOW`. */
async function seedWithoutHint(count = COUNT): Promise<void> {
  await seedRows('deliveries', count, {
    subscription_id: `'system'`,
    account_id: `'system'`,
    revision: 0,
    type: `'manual'`,
    created_at: NOW,
    next_attempt_at: NOW,
  })
  await setOutstanding(count)
}

/** What a queue took is delivered. */
async function deliver(ids: readonly number[]): Promise<void> {
  await env.DB.prepare(
    `update deliveries set status = 'delivered', resolved_at = created_at where id in (select value from json_each(?1))`,
  )
    .bind(JSON.stringify(ids))
    .run()
}

/** A queue that refuses the calls that it is told to, and remembers what it took of each. */
function createFragileQueue(refuses: (call: number) => boolean, backlogCount?: number) {
  const taken: number[] = []
  let calls = 0
  return {
    calls: () => calls,
    taken,
    sorted: () => taken.toSorted((a, b) => a - b),
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

describe(`${COUNT} deliveries without a hint`, () => {
  it('are enqueued by one sweep and those that it asks for, in batches of 100, each row read once', async () => {
    await seedWithoutHint()
    const { queue, sorted, calls } = createFragileQueue(() => false)
    const { db, spent } = measuredDatabase()
    const fixture = createFixture(() => 204, { db, queue, capacity: 20_000 })
    fixture.set(NOW + MINUTE)
    await fixture.sweep()

    expect(sorted()).toEqual(ALL)
    expect(calls()).toBe(COUNT / 100)
    // Of each its two indexes, its row, and its mark. To read all twice would double it.
    expect(spent().rowsRead / COUNT).toBeLessThan(10)
    expect(spent().queries).toBeLessThan(400)
  })

  it('wait half a minute for the hint of their making', async () => {
    await seedWithoutHint(10)
    const fixture = createFixture()
    for (const [ms, messages] of [
      [29_999, 0],
      [30_000, 10],
    ] as const) {
      fixture.set(NOW + ms)
      await fixture.sweep()
      expect(fixture.messages).toHaveLength(messages)
    }
  })

  it('are enqueued within two minutes after a queue refused everything for ten', async () => {
    await seedWithoutHint()
    let isDown = true
    const { queue, taken, sorted, calls } = createFragileQueue(() => isDown)
    const fixture = createFixture(() => 204, { queue, capacity: 20_000 })
    for (let minute = 1; minute <= 11; minute += 1) {
      isDown = minute < 10
      fixture.set(NOW + minute * MINUTE)
      await fixture.sweep()
      await deliver(taken)
      // A queue that is down does not get all of them every minute.
      if (isDown) expect(calls()).toBeLessThanOrEqual(minute * 20)
    }
    expect(sorted()).toEqual(ALL)
  })

  it('and half the calls fail: all within two minutes', async () => {
    await seedWithoutHint()
    const { queue, taken, sorted } = createFragileQueue((call) => [0, 1, 3, 6].includes(call % 8))
    const fixture = createFixture(() => 204, { queue, capacity: 20_000 })
    for (const minute of [1, 2, 3]) {
      fixture.set(NOW + minute * MINUTE)
      await fixture.sweep()
      await deliver(taken)
    }
    expect(sorted()).toEqual(ALL)
  })

  it('are not sent to a queue that may hold a hint for each already', async () => {
    await seedWithoutHint()
    const { queue, taken } = createFragileQueue(() => false, 20_000)
    const fixture = createFixture(() => 204, { queue, capacity: 20_000 })
    fixture.set(NOW + MINUTE)
    await fixture.sweep()
    expect(taken).toHaveLength(500)
  })
})
