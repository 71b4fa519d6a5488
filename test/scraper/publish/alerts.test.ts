import { describe, expect, it } from 'vitest'
import { type Instant } from '../../../shared/argentine-time.ts'
import { type CycleEnv, runCycle } from '../../../workers/scraper/cycle.ts'
import { seedAccount } from '../../support/accounts.ts'
import { createAlertAt, readAlert } from '../../support/alerts.ts'
import { aroundBatch, loseConnection } from '../../support/batched-db.ts'
import { NOON, cycleDeps, later } from '../../support/cycle-deps.ts'
import { env } from '../../support/env.ts'
import { marketFetch } from '../../support/market.ts'
import { readDeliveries } from '../../support/webhooks.ts'
import { changeRows } from '../../support/rows.ts'

function cycle(
  at: Instant,
  sell: number,
  changes: Partial<CycleEnv> = {},
  now: () => Instant = () => at,
) {
  return runCycle(
    { ...env, WEBHOOK_ADMISSION: 'open', ...changes },
    cycleDeps({ now, fetch: marketFetch({ blue: [sell - 20, sell] }) }),
    at,
  )
}

/** An account with an alert on the blue dollar, which costs 1430. */
async function seed(changes: Parameters<typeof createAlertAt>[2] = {}) {
  const { accountId } = await seedAccount()
  await cycle(NOON, 1430)
  const id = await createAlertAt(NOON, accountId, { threshold: 1450, ...changes })
  return { id, stored: () => readAlert(accountId, id, later(9)) }
}

async function bodies() {
  return (await readDeliveries()).map(({ body }) => JSON.parse(body))
}

describe('a cycle', () => {
  it('fires an alert with its change, and enqueues the delivery', async () => {
    const { id } = await seed()
    const sent: unknown[] = []
    const queue = { sendBatch: async (batch: unknown[]) => void sent.push(...batch) }

    await cycle(later(1), 1449.5)
    await cycle(later(2), 1455, { DELIVERIES: queue as never })

    const deliveries = await readDeliveries()
    expect(deliveries).toMatchObject([{ subscriptionId: id }])
    expect(sent).toMatchObject([{ body: { v: 1, deliveryId: deliveries[0]!.id } }])
    expect(await bodies()).toMatchObject([{ event: 'alert.triggered', alertId: id, value: 1455 }])
  })

  it('fires none while admission is closed', async () => {
    const { stored } = await seed()
    await cycle(later(1), 1455, { WEBHOOK_ADMISSION: 'closed' })

    expect(await readDeliveries()).toEqual([])
    expect(await stored()).toMatchObject({ phase: 'armed' })
  })

  it.each([1, 2, 3])(
    'that dies after round trip %s fires the alert once, then or with the next cycle',
    async (nth) => {
      const { stored } = await seed()
      let calls = 0
      const DB = aroundBatch(async (run) => {
        const results = await run()
        return ++calls === nth ? loseConnection() : results
      })
      await cycle(later(1), 1455, { DB }).catch(() => {})
      await changeRows('leases', { until: 0 })

      await cycle(later(2), 1455)

      expect(await readDeliveries()).toHaveLength(1)
      expect(await stored()).toMatchObject({ phase: 'done' })
    },
  )
})
