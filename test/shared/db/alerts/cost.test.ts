import { describe, expect, it } from 'vitest'
import { MINUTE_MS } from '../../../../shared/argentine-time.ts'
import { fireStatements } from '../../../../shared/db/alerts/fire.ts'
import { findPairByKey } from '../../../../shared/market/catalog.ts'
import { seedAccount } from '../../../support/accounts.ts'
import { change, createAlertAt, valueStatements } from '../../../support/alerts.ts'
import { env } from '../../../support/env.ts'
import { art } from '../../../support/instant.ts'

const NOON = art('2026-03-02 12:00')
const PAIRS = ['USD/BLUE', 'USD/OFICIAL', 'EUR/OFICIAL'] as const

/** What the alerts' statements of a cycle with three changes cost. */
async function costOf(value: number, cycle: number) {
  const at = NOON + cycle * 5 * MINUTE_MS
  const written = valueStatements(Object.fromEntries(PAIRS.map((key) => [key, value])), at)
  const pairs = PAIRS.map((key) => findPairByKey(key)!)
  const results = await env.DB.batch([
    ...written,
    ...fireStatements(env.DB, pairs, { at, capacity: 1000 }),
  ])
  const metas = results.slice(written.length).map(({ meta }) => meta)
  return {
    statements: metas.length,
    read: metas.reduce((sum, { rows_read: rows }) => sum + rows, 0),
    written: metas.reduce((sum, { rows_written: rows }) => sum + rows, 0),
  }
}

describe('what alerts add to a cycle', () => {
  it('is no row of a pair on which nobody has one, however many others there are', async () => {
    const { accountId } = await seedAccount()
    await change({ 'USD/CCL': 1400 }, NOON)
    for (let count = 0; count < 10; count += 1)
      await createAlertAt(NOON, accountId, { origin: 'CCL', threshold: 1500 })

    expect(await costOf(1450, 1)).toEqual({ statements: 5, read: 10, written: 0 })
  })

  it.each([
    ['does not fire', 1450, 20, 0],
    ['fires', 1500, 25, 10],
  ])(
    'is, for each alert on a changed pair that %s, within its bounds',
    async (_, value, read, written) => {
      const alerts = 20
      const { accountId } = await seedAccount()
      await change({ 'USD/BLUE': 1400 }, NOON)
      for (let count = 0; count < alerts; count += 1) await createAlertAt(NOON, accountId, {})

      const cost = await costOf(value, 1)

      expect(cost.read).toBeLessThanOrEqual(alerts * read + 10)
      expect(cost.written).toBeLessThanOrEqual(alerts * written + 2)
    },
  )
})
