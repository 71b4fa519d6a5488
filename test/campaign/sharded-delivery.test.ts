/** The spike of docs/scale.md: the delivery tables split over four databases by webhook. */
import { beforeEach, describe, expect, it } from 'vitest'
import { findPairByKey } from '../../shared/market/catalog.ts'
import { type ChangeEvent, fanOut, openShards, shardStatements } from '../support/shards.ts'
import { aroundBatch, loseConnection } from '../support/batched-db.ts'
import { runCampaign } from '../support/delivery-campaign.ts'
import { createFixture } from '../support/delivery-fixture.ts'
import { NOW, outstanding, seedWebhook } from '../support/delivery-seeds.ts'
import { env } from '../support/env.ts'

const WEBHOOKS = 200

const { SHARD_0, SHARD_1, SHARD_2, SHARD_3 } = env as unknown as Record<
  'SHARD_0' | 'SHARD_1' | 'SHARD_2' | 'SHARD_3',
  D1Database
>
const shards = openShards([SHARD_0, SHARD_1, SHARD_2, SHARD_3])

beforeEach(async () => {
  const tables = env.TEST_MIGRATIONS.flatMap(({ queries }) => queries)
  for (const [shard, db] of shards.all.entries())
    await db.batch([...tables.map((sql) => db.prepare(sql)), ...shardStatements(db, shard)])
})

describe('with the delivery tables split over four databases', () => {
  it('10,000 deliveries go through every fault', async () => {
    await runCampaign(10_000, WEBHOOKS, 7, shards)

    for (const db of shards.all) expect((await rowsOf(db)).length).toBeGreaterThan(1000)
    expect(await count(env.DB)).toBe(0)
  }, 1_200_000)

  it('a change makes one delivery for each webhook, although answers of the database are lost', async () => {
    await seedWebhooks()
    for (const db of shards.all) {
      // Fails before it is applied, then after, then not.
      const lostBefore = aroundBatch(async () => loseConnection(), db)
      const lostAfter = aroundBatch(async (run) => run().then(loseConnection), db)
      await expect(fanOut(lostBefore, EVENT)).rejects.toThrow('connection lost')
      expect(await count(db)).toBe(0)
      await expect(fanOut(lostAfter, EVENT)).rejects.toThrow('connection lost')
      expect(await fanOut(db, EVENT)).toEqual([])
    }

    const rows = (await Promise.all(shards.all.map(rowsOf))).flat()
    expect(rows.map(({ subscription_id: webhook }) => webhook).toSorted()).toEqual(
      Array.from({ length: WEBHOOKS }, (_, index) => `webhook-${index}`).toSorted(),
    )
    expect(await Promise.all(shards.all.map((db) => outstanding(db)))).toEqual(
      await Promise.all(shards.all.map(count)),
    )
  })

  it('a row id names the database that has the row', async () => {
    await seedWebhooks()
    for (const db of shards.all) {
      const ids = await fanOut(db, EVENT)
      expect(ids.length).toBeGreaterThan(0)
      for (const id of ids) expect(shards.ofDelivery(id)).toBe(db)
    }
  })

  it('rows whose hints were lost with an answer are sent, each once', async () => {
    await seedWebhooks()
    for (const db of shards.all) await fanOut(db, EVENT)

    const posts: string[] = []
    for (const db of shards.all) {
      const fixture = createFixture(({ subscriptionId }) => (posts.push(subscriptionId), 204), {
        db,
      })
      fixture.set(NOW + 31_000)
      await fixture.sweep()
      await fixture.drain()
    }
    expect(new Set(posts).size).toBe(WEBHOOKS)
    expect(posts.length).toBe(WEBHOOKS)
  }, 60_000)
})

const EVENT: ChangeEvent = {
  id: 'cycle 1',
  changes: [
    {
      quote: {
        pair: findPairByKey('USD/BLUE')!,
        buy: 14_100_000,
        sell: 14_300_000,
        source: 'test',
        updatedAt: NOW,
        lastScrapedAt: NOW,
        referenceSell: 14_200_000,
      },
      previous: { buy: 14_000_000, sell: 14_200_000 },
    },
  ],
  at: NOW,
  admitted: true,
  capacity: 1000,
}

async function seedWebhooks(): Promise<void> {
  for (let index = 0; index < WEBHOOKS; index += 1) {
    const id = `webhook-${index}`
    await seedWebhook({ id }, shards.ofWebhook(id))
  }
}

async function rowsOf(db: D1Database): Promise<{ id: number; subscription_id: string }[]> {
  const { results } = await db
    .prepare('select id, subscription_id from deliveries')
    .all<{ id: number; subscription_id: string }>()
  return results
}

async function count(db: D1Database): Promise<number> {
  return (await rowsOf(db)).length
}
