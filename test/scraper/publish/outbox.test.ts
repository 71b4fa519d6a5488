import { describe, expect, it } from 'vitest'
import { deliveryCounters } from '../../../shared/db/status.ts'
import type { CycleEnv } from '../../../workers/scraper/cycle.ts'
import { type OutboxOptions, outboxStatements } from '../../../workers/scraper/db/outbox.ts'
import { NOON, cycleAt, later } from '../../support/cycle-deps.ts'
import { env } from '../../support/env.ts'
import { measuredDatabase } from '../../support/measured-database.ts'
import { changeRows } from '../../support/rows.ts'
import {
  readDeliveries,
  readOutstanding,
  readWebhook,
  seedQuote,
  seedWebhook,
  setOutstanding,
} from '../../support/webhooks.ts'
import { numberToPrice } from '../../../shared/market/price.ts'

const at = NOON + 250
const options: OutboxOptions = { at, admitted: true, capacity: 20_000, system: null }
const previous = { buy: numberToPrice(1410), sell: numberToPrice(1430) }

describe('a cycle', () => {
  it('makes and announces a delivery when a followed value changes, not when it is new or stays', async () => {
    const id = await seedWebhook()
    const sent: unknown[] = []
    const announced = { sendBatch: async (batch: unknown[]) => void sent.push(...batch) }
    const changes = { WEBHOOK_ADMISSION: 'open', DELIVERIES: announced }

    await cycle(0, [1410, 1430], changes)
    await cycle(1, [1410, 1430], changes)
    expect(await readDeliveries()).toEqual([])

    await cycle(2, [1415, 1437.5], changes)
    const deliveries = await readDeliveries()
    expect(deliveries).toMatchObject([{ subscriptionId: id, type: 'automatic', status: 'pending' }])
    expect(JSON.parse(deliveries[0]!.body)).toMatchObject({
      buy: 1415,
      sell: 1437.5,
      prevBuy: 1410,
      prevSell: 1430,
      changePct: 0.52,
      updatedAt: new Date(later(2)).toISOString(),
    })
    expect(sent).toMatchObject([{ body: { v: 1, deliveryId: deliveries[0]!.id } }])
    expect(await readOutstanding()).toBe(1)
  })

  it('makes none for users while admission is closed, and the system’s all the same', async () => {
    await seedWebhook()
    const changes = { SYSTEM_WEBHOOK_URL: 'https://sistema.example/x', WEBHOOK_ADMISSION: 'closed' }
    await cycle(0, [1410, 1430], changes)
    await cycle(1, [1415, 1437.5], changes)

    expect(await readDeliveries()).toMatchObject([
      { subscriptionId: 'system', destination: 'https://sistema.example/***' },
    ])
  })
})

it.each([
  { SYSTEM_WEBHOOK_URL: 'no url' },
  { SYSTEM_WEBHOOK_URL: 'https://a.example', SYSTEM_WEBHOOK_PAIRS: 'USD/BLUE,XXX/Y' },
])('%j is no system destination, and the cycle goes on', async (configured) => {
  await cycle(0, [1410, 1430], configured)
  await cycle(1, [1415, 1437.5], configured)
  expect(await readDeliveries()).toEqual([])
})

describe('a change makes', () => {
  it('one delivery for each active webhook of its pair, and reserves its capacity', async () => {
    const followers = [await seedWebhook(), await seedWebhook({ revision: 7 })]
    await seedWebhook({ pair: 2 })
    for (const state of ['manual', 'failure', 'inherited', 'capacity'] as const)
      await seedWebhook({ state })

    const ids = await change(options)

    const deliveries = await readDeliveries()
    expect(deliveries.map(({ id }) => id)).toEqual(ids)
    expect(new Set(deliveries.map(({ deliveryId }) => deliveryId)).size).toBe(2)
    expect(new Set(deliveries.map(({ subscriptionId }) => subscriptionId))).toEqual(
      new Set(followers),
    )
    expect(deliveries.find(({ subscriptionId }) => subscriptionId === followers[1])).toMatchObject({
      accountId: 'account',
      revision: 7,
      pair: 3,
      destination: `https://${followers[1]}.example.com/***`,
      type: 'automatic',
      status: 'pending',
      attempts: 0,
      createdAt: at,
      nextAttemptAt: at,
      body:
        '{"event":"rate.updated","currency":"USD","origin":"BLUE","buy":1420.5,"sell":1445,' +
        '"prevBuy":1410,"prevSell":1430,"changePct":1.05,"valueType":"money",' +
        '"updatedAt":"2026-03-02T14:55:00.000Z","timestamp":"2026-03-02T15:00:00.250Z"}',
    })
    expect(await readOutstanding()).toBe(2)
  })
})

describe('without capacity for all', () => {
  it('as many as fit are made, and the other webhooks are suspended and owed a sync', async () => {
    const webhooks = [await seedWebhook(), await seedWebhook(), await seedWebhook()]
    const ofAnotherPair = await seedWebhook({ pair: 2 })
    await setOutstanding(18)
    await change({ ...options, capacity: 20 })

    expect(await readWebhook(ofAnotherPair)).toMatchObject({ state: 'active', version: 1 })
    const deliveries = await readDeliveries()
    expect(deliveries).toHaveLength(2)
    expect(await readOutstanding()).toBe(20)

    const served = deliveries.map(({ subscriptionId }) => subscriptionId)
    for (const id of webhooks) {
      const { state, needsSync, enabled, version } = await readWebhook(id)
      expect({ state, needsSync, enabled, version }).toEqual(
        served.includes(id)
          ? { state: 'active', needsSync: false, enabled: true, version: 1 }
          : { state: 'capacity', needsSync: true, enabled: true, version: 2 },
      )
    }
  })

  it('none of several changes at once goes past the limit', async () => {
    for (let index = 0; index < 10; index++) await seedWebhook()
    const changes = [0, 1, 2, 3].map((late) => change({ ...options, capacity: 25, at: at + late }))
    await Promise.all(changes)

    expect(await readDeliveries()).toHaveLength(25)
    expect(await readOutstanding()).toBe(25)
  })
})

const system = { destination: 'https://sistema.example/***', pairs: null }

describe('the system destination', () => {
  it('gets its delivery with admission closed and without capacity', async () => {
    await setOutstanding(20)
    await change({ ...options, admitted: false, capacity: 20, system })

    const made = { accountId: 'system', type: 'automatic', pair: 3, status: 'pending' }
    expect(await readDeliveries()).toMatchObject([{ subscriptionId: 'system', ...made }])
    expect(await readOutstanding()).toBe(21)
  })

  it('follows only its pairs', async () => {
    expect(await change({ ...options, system: { ...system, pairs: ['USD/BNA'] } })).toEqual([])
    expect(await change({ ...options, system: { ...system, pairs: ['USD/BLUE'] } })).toHaveLength(1)
  })
})

it('the oldest waiting delivery of all is found among those of every webhook', async () => {
  const seen = async () => (await deliveryCounters(env.DB, at)).oldestWaitingAt
  expect(await seen()).toBeNull()

  await seedWebhook()
  await seedWebhook()
  await change({ ...options, at: at - 5000, admitted: false, system })
  await change(options)
  expect(await seen()).toBe(at - 5000)

  await changeRows(
    'deliveries',
    { status: 'dead', resolvedAt: at - 5000 },
    { subscriptionId: 'system' },
  )
  expect(await seen()).toBe(at)
})

it.each([0, 100])('costs D1 what the design allows with %s webhooks', async (webhooks) => {
  for (let index = 0; index < webhooks; index++) await seedWebhook()
  for (let index = 0; index < 50; index++) await seedWebhook({ state: 'manual' })
  await seedWebhook({ pair: 2 })
  const quote = await seedQuote('usd/blue', 1420.5, 1445)

  const { db, spent } = measuredDatabase()
  await db.batch(outboxStatements(db, [{ quote, previous }], options))

  expect(spent().rowsRead).toBeLessThanOrEqual(6 * webhooks + 20)
  expect(spent().rowsWritten).toBeLessThanOrEqual(5 * webhooks + 10)
})

/** Makes a change, and returns the ids of its deliveries. */
async function change(options: OutboxOptions): Promise<number[]> {
  const quote = await seedQuote('usd/blue', 1420.5, 1445)
  const statements = outboxStatements(env.DB, [{ quote, previous }], options)
  if (statements.length === 0) return []
  const results = await env.DB.batch<{ id: number }>(statements)
  return results.flatMap(({ results }) => results.map(({ id }) => id))
}

async function cycle(turn: number, blue: [number, number], changes: Partial<CycleEnv>) {
  expect(await cycleAt(later(turn), { blue }, changes)).toMatchObject({ outcome: 'recorded' })
}
