import { describe, expect, it } from 'vitest'
import type { CycleEnv } from '../../../workers/scraper/cycle.ts'
import { type OutboxOptions, outboxStatements } from '../../../workers/scraper/db/outbox.ts'
import { NOON, cycleAt, later } from '../../support/cycle-deps.ts'
import { env } from '../../support/env.ts'
import { measuredDatabase } from '../../support/measured-database.ts'
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
  it('makes and enqueues a delivery for each active webhook of a changed pair, but not for a first or unchanged value', async () => {
    const followers = [await seedWebhook(), await seedWebhook({ revision: 7 })]
    await seedWebhook({ pair: 2 })
    for (const state of ['manual', 'failure', 'inherited', 'capacity'] as const)
      await seedWebhook({ state })
    const sent: unknown[] = []
    const announced = { sendBatch: async (batch: unknown[]) => void sent.push(...batch) }
    const changes = { WEBHOOK_ADMISSION: 'open', DELIVERIES: announced }

    await cycle(0, [1410, 1430], changes)
    await cycle(1, [1410, 1430], changes)
    expect(await readDeliveries()).toEqual([])

    await cycle(2, [1420.5, 1445], changes)
    const deliveries = await readDeliveries()
    const made = { pair: 3, type: 'automatic', status: 'pending' }
    const body =
      '{"event":"rate.updated","currency":"USD","origin":"BLUE","buy":1420.5,"sell":1445,' +
      '"prevBuy":1410,"prevSell":1430,"changePct":1.05,"valueType":"money",' +
      '"updatedAt":"2026-03-02T15:10:00.000Z","timestamp":"2026-03-02T15:10:00.000Z"}'
    expect(deliveries).toEqual([expect.objectContaining(made), expect.objectContaining(made)])
    expect(new Set(deliveries.map(({ deliveryId }) => deliveryId)).size).toBe(2)
    expect(deliveries.find(({ subscriptionId }) => subscriptionId === followers[0])).toBeDefined()
    expect(deliveries.find(({ subscriptionId }) => subscriptionId === followers[1])).toMatchObject({
      revision: 7,
      destination: `https://${followers[1]}.example.com/***`,
      attempts: 0,
      createdAt: later(2),
      nextAttemptAt: later(2),
      body,
    })
    expect(sent).toMatchObject(deliveries.map(({ id }) => ({ body: { v: 1, deliveryId: id } })))
    expect(await readOutstanding()).toBe(2)
  })

  it('makes a delivery for the system destination, and none for users, with admission closed and without capacity', async () => {
    await seedWebhook()
    await setOutstanding(20)
    const system = { SYSTEM_WEBHOOK_URL: 'https://sistema.example/x', DELIVERY_CAPACITY: '20' }
    const changes = { ...system, WEBHOOK_ADMISSION: 'closed' }
    await cycle(0, [1410, 1430], changes)
    await cycle(1, [1415, 1437.5], changes)

    expect(await readDeliveries()).toMatchObject([
      { subscriptionId: 'system', destination: 'https://sistema.example/***' },
    ])
    expect(await readOutstanding()).toBe(21)
  })

  it.each([
    [{ SYSTEM_WEBHOOK_URL: 'no url' }, 0],
    [{ SYSTEM_WEBHOOK_URL: 'https://a.example', SYSTEM_WEBHOOK_PAIRS: 'USD/BLUE,XXX/Y' }, 0],
    [{ SYSTEM_WEBHOOK_URL: 'https://a.example', SYSTEM_WEBHOOK_PAIRS: 'USD/BNA' }, 0],
    [{ SYSTEM_WEBHOOK_URL: 'https://a.example', SYSTEM_WEBHOOK_PAIRS: 'USD/BLUE' }, 1],
  ])('with %j goes on and makes %i', async (configured, made) => {
    await cycle(0, [1410, 1430], configured)
    await cycle(1, [1415, 1437.5], configured)
    expect(await readDeliveries()).toHaveLength(made)
  })
})

describe('without capacity for all', () => {
  it('makes as many deliveries as fit, and suspends the other webhooks, which are owed a sync', async () => {
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
      const { state, sync, version } = await readWebhook(id)
      expect({ state, sync, version }).toEqual(
        served.includes(id)
          ? { state: 'active', sync: null, version: 1 }
          : { state: 'capacity', sync: 'owed', version: 2 },
      )
    }
  })

  it('several changes at once do not exceed the limit', async () => {
    for (let index = 0; index < 10; index++) await seedWebhook()
    const changes = [0, 1, 2, 3].map((late) => change({ ...options, capacity: 25, at: at + late }))
    await Promise.all(changes)

    expect(await readDeliveries()).toHaveLength(25)
    expect(await readOutstanding()).toBe(25)
  })
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

/** Makes a change. */
async function change(options: OutboxOptions): Promise<void> {
  const quote = await seedQuote('usd/blue', 1420.5, 1445)
  await env.DB.batch(outboxStatements(env.DB, [{ quote, previous }], options))
}

async function cycle(turn: number, blue: [number, number], changes: Partial<CycleEnv>) {
  expect(await cycleAt(later(turn), { blue }, changes)).toMatchObject({ outcome: 'recorded' })
}
