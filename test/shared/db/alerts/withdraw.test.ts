import { beforeEach, describe, expect, it } from 'vitest'
import { dayEnd, type Instant, MINUTE_MS } from '../../../../shared/argentine-time.ts'
import type { NewAlert } from '../../../../shared/subscriptions/alerts.ts'
import { withdrawStatements } from '../../../../shared/db/alerts/withdraw.ts'
import { removePoint, replacePoint } from '../../../../shared/db/quotes/corrections.ts'
import { findPairByKey } from '../../../../shared/market/catalog.ts'
import { numberToPrice } from '../../../../shared/market/price.ts'
import { importSeries } from '../../../../tools/operate/import/import-series.ts'
import { dayRanges } from '../../../../tools/operate/import/ranges.ts'
import { seedAccount } from '../../../support/accounts.ts'
import { change, createAlertAt, readAlert } from '../../../support/alerts.ts'
import { env } from '../../../support/env.ts'
import { art } from '../../../support/instant.ts'
import { readDeliveries, readOutstanding } from '../../../support/webhooks.ts'
import { countRows } from '../../../support/rows.ts'

const BLUE = findPairByKey('usd/blue')!
const FRIDAY = art('2026-02-27 15:00')
const SUNDAY = art('2026-03-01 15:00')
const MORNING = art('2026-03-02 10:00')
const NOON = art('2026-03-02 12:00')

let accountId: string
beforeEach(async () => {
  ;({ accountId } = await seedAccount())
})

const watching = (changes: Partial<NewAlert> = {}) =>
  createAlertAt(SUNDAY, accountId, { condition: 'change', threshold: 2, ...changes })
const phaseOf = async (id: string) => (await readAlert(accountId, id, NOON))?.phase

/** What was told, with `base` for a withdrawal that is about one. */
async function told(): Promise<unknown[]> {
  const bodies = (await readDeliveries()).map(({ body }) => JSON.parse(body))
  return bodies.map(({ event, value, corrected }) =>
    corrected
      ? [event, value, corrected.sell, ...(corrected.isBase ? ['base'] : [])]
      : [event, value],
  )
}

const correction = (at: Instant, now: Instant) => ({ pair: BLUE, at, reason: 'wrong', now })
const replace = (at: Instant, sell: number, now = NOON) =>
  replacePoint(
    env.DB,
    { ...correction(at, now), buy: numberToPrice(sell), sell: numberToPrice(sell) },
    withdrawStatements(env.DB, { pair: BLUE, pointAt: at, now }),
  )
const remove = (at: Instant, now = NOON) =>
  removePoint(
    env.DB,
    correction(at, now),
    withdrawStatements(env.DB, { pair: BLUE, pointAt: at, now }),
  )

/** Imports the one value of Sunday, at its end or in its afternoon. */
const importSunday = (sell: number, kind: 'daily' | 'timed') =>
  importSeries(
    env.DB,
    { kind, source: kind === 'daily' ? 'import:argentinadatos-dolares' : 'import:file' },
    {
      pair: BLUE,
      rows: [
        {
          at: kind === 'daily' ? dayEnd('2026-03-01') : SUNDAY,
          buy: numberToPrice(sell),
          sell: numberToPrice(sell),
        },
      ],
      coverage: dayRanges(['2026-03-01']),
      read: 1,
      skipped: new Map(),
    },
    { dropSuspicious: false, dryRun: false, chunkSize: 100, now: NOON },
  )

const FIRED = ['alert.triggered', 1025]

describe('a correction of the value before midnight', () => {
  it('that leaves no change so large withdraws what was told of it, and arms the alert', async () => {
    await change({ 'USD/BLUE': 1000 }, SUNDAY)
    const id = await watching()
    await change({ 'USD/BLUE': 1025 }, MORNING)
    expect(await phaseOf(id)).toBe('done')

    await replace(SUNDAY, 1010)

    expect(await told()).toEqual([FIRED, ['alert.withdrawn', 1025, 1010, 'base']])
    const bodies = (await readDeliveries()).map(({ body }) => JSON.parse(body))
    expect(bodies[1]).toMatchObject({ base: 1000, percent: 2.5 })
    expect(await phaseOf(id)).toBe('armed')
    expect(await readOutstanding()).toBe(2)
  })

  it.each([
    ['further away', 990],
    ['at the other side', 1060],
    ['at the very threshold', 1004.9019],
  ])('%s leaves the condition met: nothing is withdrawn', async (_, sell) => {
    await change({ 'USD/BLUE': 1000 }, SUNDAY)
    const id = await watching()
    await change({ 'USD/BLUE': 1025 }, MORNING)

    await replace(SUNDAY, sell)

    expect(await told()).toEqual([FIRED])
    expect(await phaseOf(id)).toBe('done')
  })

  it('a step past the threshold withdraws', async () => {
    await change({ 'USD/BLUE': 1000 }, SUNDAY)
    await watching()
    await change({ 'USD/BLUE': 1025 }, MORNING)

    await replace(SUNDAY, 1004.902)

    expect(await told()).toHaveLength(2)
  })

  it.each([
    ['to the value before it', 1020, [FIRED, ['alert.withdrawn', 1025, 1020, 'base']]],
    ['to one that is as far', 1001, [FIRED]],
    ['to nothing', null, [FIRED, ['alert.withdrawn', 1025, null, 'base']]],
  ])('that takes it away measures again, %s', async (_, before, expected) => {
    if (before !== null) await change({ 'USD/BLUE': before }, FRIDAY)
    await change({ 'USD/BLUE': 1000 }, SUNDAY)
    await watching()
    await change({ 'USD/BLUE': 1025 }, MORNING)

    await remove(SUNDAY)

    expect(await told()).toEqual(expected)
  })

  it('that takes it away between two equal values withdraws what the second fired', async () => {
    await change({ 'USD/BLUE': 1025 }, FRIDAY)
    await change({ 'USD/BLUE': 1000 }, SUNDAY)
    const id = await watching()
    await change({ 'USD/BLUE': 1025 }, MORNING)

    await remove(SUNDAY)

    expect(await told()).toEqual([FIRED, ['alert.withdrawn', 1025, 1025, 'base']])
    expect(await phaseOf(id)).toBe('armed')
    expect(await countRows('points')).toBe(1)
  })

  it('is told once, however often it is corrected, at once or one after the other', async () => {
    await change({ 'USD/BLUE': 1000 }, SUNDAY)
    await watching()
    await change({ 'USD/BLUE': 1025 }, MORNING)

    await Promise.all([1010, 1011, 1012].map((sell) => replace(SUNDAY, sell)))
    await replace(SUNDAY, 1000, NOON + 1)
    await replace(SUNDAY, 1013, NOON + 2)

    expect(await told()).toHaveLength(2)
    expect(await readOutstanding()).toBe(2)
  })

  it('withdraws each firing of the day that it undoes, and no other', async () => {
    await change({ 'USD/BLUE': 1000 }, SUNDAY)
    await watching({ repeat: true, hysteresis: 0.5 })
    await change({ 'USD/BLUE': 1025 }, MORNING)
    await change({ 'USD/BLUE': 1005 }, MORNING + MINUTE_MS)
    await change({ 'USD/BLUE': 1060 }, MORNING + 2 * MINUTE_MS)
    await change({ 'USD/BLUE': 1100 }, art('2026-03-03 11:00'))

    await replace(SUNDAY, 1020)

    expect(await told()).toEqual([
      FIRED,
      ['alert.triggered', 1060],
      ['alert.triggered', 1100],
      ['alert.withdrawn', 1025, 1020, 'base'],
    ])
  })

  it.each([
    ['an earlier value of the day before', FRIDAY],
    ['a value of the day itself', MORNING - MINUTE_MS],
  ])('is not one of %s', async (_, at) => {
    await change({ 'USD/BLUE': 900 }, FRIDAY)
    await change({ 'USD/BLUE': 1000 }, SUNDAY)
    await watching()
    await change({ 'USD/BLUE': 1001 }, MORNING - MINUTE_MS)
    await change({ 'USD/BLUE': 1025 }, MORNING)

    expect(await replace(at, 1020)).toBe(true)

    expect(await told()).toEqual([FIRED])
  })

  it('counts that of days ago, when nothing changed since', async () => {
    await change({ 'USD/BLUE': 1000 }, FRIDAY)
    await watching()
    await change({ 'USD/BLUE': 1025 }, MORNING)

    await replace(FRIDAY, 1020)

    expect(await told()).toHaveLength(2)
  })

  it('leaves alone alerts of a level, of the other side and of other pairs', async () => {
    await change({ 'USD/BLUE': [500, 1000], 'USD/BNA': 1000 }, SUNDAY)
    await watching({ condition: 'above', threshold: 1020 })
    await watching({ side: 'buy' })
    await watching({ origin: 'BNA' })
    await change({ 'USD/BLUE': [600, 1025], 'USD/BNA': 1025 }, MORNING)

    await replacePoint(
      env.DB,
      { ...correction(SUNDAY, NOON), buy: numberToPrice(500), sell: numberToPrice(1020) },
      withdrawStatements(env.DB, { pair: BLUE, pointAt: SUNDAY, now: NOON }),
    )

    expect((await told()).flat()).not.toContain('alert.withdrawn')
  })

  it('measures from it a value that was corrected before', async () => {
    await change({ 'USD/BLUE': 1000 }, SUNDAY)
    await watching()
    await change({ 'USD/BLUE': 1025 }, MORNING)

    await replace(MORNING, 1040)
    await replace(SUNDAY, 1010, NOON + 1)
    expect(await told()).toEqual([FIRED])

    await replace(SUNDAY, 1030, NOON + 2)
    expect(await told()).toHaveLength(2)
  })
})

describe('an import over the day before', () => {
  it.each([
    ['withdraws what it undoes, once', 1010, [FIRED, ['alert.withdrawn', 1025, 1010, 'base']]],
    ['leaves what is met still', 1001, [FIRED]],
  ])('%s', async (_, sell, expected) => {
    await importSunday(1000, 'daily')
    const id = await watching()
    await change({ 'USD/BLUE': 1025 }, MORNING)
    expect(await told()).toEqual([FIRED])

    // Hourly values beat daily closes.
    await importSunday(sell, 'timed')
    await importSunday(sell, 'timed')

    expect(await told()).toEqual(expected)
    expect(await phaseOf(id)).toBe(expected.length === 1 ? 'done' : 'armed')
  })
})
