import { describe, expect, it } from 'vitest'
import { MAX_SHARDS } from '../../../../tools/prove/scale/design.ts'
import { IDS_PER_SHARD, openShards, shardOf } from '../../../support/shards.ts'

const databases = (count: number) =>
  Array.from({ length: count }, (_, name) => ({ name }) as unknown as D1Database)

describe('the database of a webhook', () => {
  it.each([4, 7, 32])('has its part of them, of %i', (count) => {
    const webhooks = 50_000
    const counts = new Map<number, number>()
    for (let index = 0; index < webhooks; index += 1) {
      const shard = shardOf(crypto.randomUUID(), count)
      counts.set(shard, (counts.get(shard) ?? 0) + 1)
    }
    expect(counts.size).toBe(count)
    // Five standard deviations.
    const margin = 5 * Math.sqrt(webhooks / count)
    for (const each of counts.values())
      expect(Math.abs(each - webhooks / count)).toBeLessThan(margin)
  })

  it('is always the same', () => {
    const { ofWebhook } = openShards(databases(4))
    const id = crypto.randomUUID()
    expect(ofWebhook(id)).toBe(ofWebhook(id))
  })
})

describe('the database of a row', () => {
  const { all, ofDelivery } = openShards(databases(3))

  it.each([
    [1, 0],
    [IDS_PER_SHARD - 1, 0],
    [IDS_PER_SHARD, 1],
    [2 * IDS_PER_SHARD + 5, 2],
  ])('%i is in the upper bits of its id: %i', (id, shard) => {
    expect(ofDelivery(id)).toBe(all[shard])
  })

  it.each([3 * IDS_PER_SHARD, -1, Number.NaN])('%s is in none', (id) => {
    expect(() => ofDelivery(id)).toThrow(RangeError)
  })
})

it.each([0, MAX_SHARDS + 1])('%i databases are not possible', (count) => {
  expect(() => openShards(databases(count))).toThrow(RangeError)
})

it('the greatest id is the contract’s', () => {
  expect(MAX_SHARDS * IDS_PER_SHARD - 1).toBe(Number.MAX_SAFE_INTEGER)
})
