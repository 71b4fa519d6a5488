import { describe, expect, it } from 'vitest'
import { MINUTE_MS } from '../../../shared/argentine-time.ts'
import { type CycleEnv, runCycle } from '../../../workers/scraper/cycle.ts'
import { systemDestination } from '../../../workers/scraper/publish/outbox.ts'
import { cycleDeps } from '../../support/cycle-deps.ts'
import { env } from '../../support/env.ts'
import { art } from '../../support/instant.ts'
import { marketFetch } from '../../support/market.ts'
import { readDeliveries, readOutstanding, seedWebhook } from '../../support/webhooks.ts'

const NOON = art('2026-03-02 12:00')

describe('a cycle', () => {
  it('makes and announces a delivery when a followed value changes, not when it is new or stays', async () => {
    const { id } = await seedWebhook()
    const sent: unknown[] = []
    const announced = { sendBatch: async (batch: unknown[]) => void sent.push(...batch) }
    const changes = { WEBHOOK_ADMISSION: 'open', DELIVERIES: announced as never }

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
      updatedAt: new Date(NOON + 10 * MINUTE_MS).toISOString(),
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
  [{}, null],
  [{ SYSTEM_WEBHOOK_URL: 'no url' }, null],
  [
    { SYSTEM_WEBHOOK_URL: 'https://a.example/x' },
    { destination: 'https://a.example/***', pairs: null },
  ],
  [{ SYSTEM_WEBHOOK_URL: 'https://a.example', SYSTEM_WEBHOOK_PAIRS: 'USD/BLUE,XXX/Y' }, null],
  [
    { SYSTEM_WEBHOOK_URL: 'https://a.example', SYSTEM_WEBHOOK_PAIRS: 'USD/BLUE, usd/bna' },
    { destination: 'https://a.example', pairs: ['USD/BLUE', 'USD/BNA'] },
  ],
])('the system destination of %j is %j', (configured, destination) => {
  expect(systemDestination(configured)).toEqual(destination)
})

async function cycle(turn: number, blue: [number, number], changes: Partial<CycleEnv>) {
  const at = NOON + turn * 5 * MINUTE_MS
  const report = await runCycle(
    { ...env, ...changes },
    cycleDeps({ now: () => at, fetch: marketFetch({ blue }) }),
    at,
  )
  expect(report.outcome).toBe('recorded')
}
