import { expect, it } from 'vitest'
import { TALLIES } from '../../shared/db/deliveries/counts.ts'
import { loseConnection, withBatch } from '../support/batched-db.ts'
import {
  NOW,
  deliveryRow,
  insertDelivery,
  readOutstanding,
  seedWebhook,
} from '../support/webhooks.ts'
import { createFixture } from '../support/delivery-fixture.ts'
import { env } from '../support/env.ts'

/** More than the story below has. */
const BATCHES = 22

/**
 * A delivery that fails once, one whose consumer died, one without a hint, an ineligible one and an
 * expired one: claim, settle, expire, cancel, enqueue, prune.
 */
async function story(db: D1Database) {
  const lease = { status: 'sending', attempts: 1, leaseUntil: NOW - 1, lookAt: NOW - 60_000 }
  const ids = [
    await insertDelivery(await seedWebhook()),
    await insertDelivery(await seedWebhook(), lease),
    await insertDelivery(await seedWebhook(), { lookAt: null }),
  ]
  const ineligible = await insertDelivery(await seedWebhook({ revision: 2 }), { lookAt: null })
  await seedWebhook({ needsSync: true, syncedRevision: 0 })
  let answers = 0
  const fixture = createFixture(() => (++answers === 1 ? 500 : 204), { db })

  for (let minute = 0; minute < 15; minute += 1) {
    await fixture.sweep().catch(() => {})
    if (minute === 0) await fixture.hint(ids[0]!)
    await fixture.drain()
    fixture.set(fixture.at() + 60_000)
  }
  return { ids, ineligible, posts: fixture.posts }
}

/** Statements that are not applied: failing-statement.test.ts. */
it('D1 losing the answer of any batch: all ends, all capacity comes back, nothing is charged that was not sent', async () => {
  for (let nth = 1; nth <= BATCHES; nth += 1) {
    const { ids, ineligible, posts } = await story(withBatch(nth, { after: loseConnection }))

    for (const id of ids) {
      const row = (await deliveryRow(id))!
      expect(row.status).toBe('delivered')
      const sent = posts.filter(({ deliveryId }) => deliveryId === row.delivery_id).length
      // A claim whose answer was lost, and the one that died, are attempts that were not sent.
      expect(Number(row.attempts) - sent).toBeGreaterThanOrEqual(id === ids[1] ? 1 : 0)
      expect(Number(row.attempts) - sent).toBeLessThanOrEqual(id === ids[1] ? 2 : 1)
    }
    expect(await deliveryRow(ineligible)).toMatchObject({ status: 'cancelled', attempts: 0 })
    expect(await readOutstanding()).toBe(0)
    const tally = await env.DB.prepare(`select sum(delivered) as n from ${TALLIES}`).first('n')
    expect(tally).toBe(3 * nth)
  }
}, 120_000)
