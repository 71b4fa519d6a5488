import { expect, it } from 'vitest'
import { expectWholeLife, type Refuses } from '../support/delivery-life.ts'

/** The length of an outage of one statement, in minutes: longer than a lease and its sweeps. */
const OUTAGE = 3

async function lifeWith(what: string, refuses: Parameters<typeof expectWholeLife>[0]) {
  let failures = 0
  const counted = (...execution: [number, ...Parameters<Refuses>]) => {
    const isRefused = refuses(...execution)
    if (isRefused) failures += 1
    return isRefused
  }
  await expectWholeLife(counted).catch((cause: unknown) => {
    throw new Error(`a life with ${what}`, { cause })
  })
  expect(failures, what).toBeGreaterThan(0)
}

it('a whole life of deliveries, once for each execution of each statement that may fail', async () => {
  const counts = new Map<string, number>()
  for (const sql of await expectWholeLife(() => false)) counts.set(sql, (counts.get(sql) ?? 0) + 1)

  for (const [failing, executions] of counts)
    for (let nth = 1; nth <= executions; nth += 1)
      await lifeWith(
        `execution ${nth} failed of ${failing}`,
        (_, sql, occurrence) => sql === failing && occurrence === nth,
      )
}, 1_800_000)

it('a whole life of deliveries, once for each statement that fails for three minutes', async () => {
  for (const failing of new Set(await expectWholeLife(() => false))) {
    let since: number | undefined
    await lifeWith(`${OUTAGE} minutes without ${failing}`, (minute, sql) => {
      if (sql !== failing) return false
      since ??= minute
      return minute < since + OUTAGE
    })
  }
}, 600_000)
