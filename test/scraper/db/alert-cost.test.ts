import { describe, expect, it } from 'vitest'
import { MINUTE_MS } from '../../../shared/argentine-time.ts'
import { seedAccount } from '../../support/accounts.ts'
import { change, createAlertAt, moveOf, valueStatements } from '../../support/alerts.ts'
import { alertStatements } from '../../../workers/scraper/db/alerts.ts'
import { env } from '../../support/env.ts'
import { art } from '../../support/instant.ts'

const NOON = art('2026-03-02 12:00')
const PAIRS = ['USD/BLUE', 'USD/OFICIAL', 'EUR/OFICIAL'] as const

/** What the alerts of a cycle with three changes cost: one read, and the statements of its batch. */
async function costOf(value: number, cycle: number) {
  const at = NOON + cycle * 5 * MINUTE_MS
  const values = Object.fromEntries(PAIRS.map((key) => [key, value]))
  const metas: D1Meta[] = []
  const noteReads = (sql: string) => {
    const statement = env.DB.prepare(sql)
    const bind = statement.bind.bind(statement)
    statement.bind = (...bound) => {
      const read = bind(...bound)
      const all = read.all.bind(read)
      read.all = async <Row>() => {
        const result = await all<Row>()
        metas.push(result.meta)
        return result
      }
      return read
    }
    return statement
  }
  const db = new Proxy(env.DB, {
    get: (target, name) => (name === 'prepare' ? noteReads : Reflect.get(target, name)),
  })
  const firing = { at, capacity: 1000, admitted: true }
  const statements = await alertStatements(db, await moveOf(values, at), firing)
  const written = valueStatements(values, at)
  const results = await env.DB.batch([...written, ...statements])
  metas.push(...results.slice(written.length).map(({ meta }) => meta))
  return {
    statements: statements.length,
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

    expect(await costOf(1450, 1)).toEqual({ statements: 0, read: 0, written: 0 })
  })

  it.each([
    ['does not fire', 1450, 3, 0],
    ['fires', 1500, 25, 7],
  ])(
    'is, for each alert on a changed pair that %s, within its bounds',
    async (_, value, read, written) => {
      const alerts = 20
      const { accountId } = await seedAccount()
      await change({ 'USD/BLUE': 1400 }, NOON)
      for (let count = 0; count < alerts; count += 1) await createAlertAt(NOON, accountId, {})
      // The first change after an alert is made settles its phase.
      await costOf(1410, 1)

      const cost = await costOf(value, 2)

      expect(cost.read).toBeLessThanOrEqual(alerts * read + 10)
      expect(cost.written).toBeLessThanOrEqual(alerts * written + 2)
    },
  )
})
