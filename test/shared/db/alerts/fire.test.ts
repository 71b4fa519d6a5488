import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DAY_MS, type Instant, MINUTE_MS, startOfDay } from '../../../../shared/argentine-time.ts'
import type { Watch } from '../../../../shared/alerts/alert.ts'
import { checkWatch } from '../../../../shared/alerts/watch.ts'
import type { NewAlert } from '../../../../shared/subscriptions/alerts.ts'
import { fireStatements } from '../../../../shared/db/alerts/fire.ts'
import { alerts } from '../../../../shared/subscriptions/alerts.ts'
import { findPairByKey } from '../../../../shared/market/catalog.ts'
import { seedAccount } from '../../../support/accounts.ts'
import {
  alertContext,
  aNewAlert,
  change,
  createAlertAt,
  readAlert,
} from '../../../support/alerts.ts'
import { env } from '../../../support/env.ts'
import { art } from '../../../support/instant.ts'
import { readDeliveries, readOutstanding, setOutstanding } from '../../../support/webhooks.ts'
import { emptyTables, readRows } from '../../../support/rows.ts'

const NOON = art('2026-03-02 12:00')
const later = (cycles: number) => NOON + cycles * 5 * MINUTE_MS

function create(accountId: string, changes: Partial<NewAlert>, now = NOON): Promise<string> {
  return createAlertAt(now, accountId, changes)
}

const BLUE = 'USD/BLUE'
const OFICIAL = 'USD/OFICIAL'
const GAP = { currency: 'USD', origin: 'OFICIAL', side: 'sell' } as const

/** What the account's alerts have fired, oldest first. */
async function fired() {
  return (await readDeliveries()).map(({ subscriptionId, body }) => ({
    subscriptionId,
    ...JSON.parse(body),
  }))
}

describe('a change that meets an armed alert', () => {
  it('fires it once, with the values that met it', async () => {
    const { accountId } = await seedAccount()
    await change({ [BLUE]: [1410, 1430] }, NOON)
    const id = await create(accountId, { threshold: 1500 })

    expect(await change({ [BLUE]: [1450, 1499.99] }, later(1))).toEqual([])
    const ids = await change({ [BLUE]: [1480, 1500] }, later(2))
    expect(await change({ [BLUE]: [1480, 1510] }, later(3))).toEqual([])

    const deliveries = await readDeliveries()
    expect(deliveries).toMatchObject([
      { id: ids[0], subscriptionId: id, accountId, type: 'automatic', status: 'pending', pair: 3 },
    ])
    expect(deliveries[0]!.body).toBe(
      `{"event":"alert.triggered","alertId":"${id}","currency":"USD","origin":"BLUE",` +
        '"side":"sell","condition":"above","threshold":1500,"hysteresis":0,"repeat":false,' +
        '"value":1500,"buy":1480,"sell":1500,"valueType":"money","base":null,"percent":null,' +
        '"against":null,"updatedAt":"2026-03-02T15:10:00.000Z",' +
        '"timestamp":"2026-03-02T15:10:00.000Z"}',
    )
    expect(await readOutstanding()).toBe(1)
    expect(await readAlert(accountId, id, later(3))).toMatchObject({
      phase: 'done',
      firedAt: later(2),
    })
  })

  it('tells the other pair of a gap, and the percent between them', async () => {
    const { accountId } = await seedAccount()
    await change({ [BLUE]: 1430, [OFICIAL]: [1300, 1400] }, NOON)
    await create(accountId, { condition: 'gap', threshold: 12.34, against: GAP })

    await change({ [OFICIAL]: [1200, 1272.9] }, later(1))

    expect(await fired()).toMatchObject([
      {
        threshold: 12.34,
        value: 1430,
        base: 1272.9,
        percent: 12.34,
        against: { ...GAP, buy: 1200, sell: 1272.9, updatedAt: '2026-03-02T15:05:00.000Z' },
        updatedAt: '2026-03-02T15:00:00.000Z',
      },
    ])
  })

  it.each([
    ['above', 'buy', [1500, 1600], [1400, 1600]],
    ['below', 'sell', [1300, 1400], [1300, 1401]],
    ['below', 'buy', [1400, 1600], [1401, 1600]],
  ] as const)('looks at its side: %s on %s', async (condition, side, meets, misses) => {
    const { accountId } = await seedAccount()
    await change({ [BLUE]: [1450, 1460] }, NOON)
    const threshold = condition === 'above' ? 1500 : 1400
    await create(accountId, { condition, side, threshold })

    await change({ [BLUE]: [...misses] }, later(1))
    expect(await fired()).toEqual([])
    await change({ [BLUE]: [...meets] }, later(2))
    expect(await fired()).toHaveLength(1)
  })

  it('measures the change of the day from the last value before midnight, up and down', async () => {
    const { accountId } = await seedAccount()
    await change({ [BLUE]: 1000 }, NOON - DAY_MS)
    await change({ [BLUE]: 1019 }, NOON)
    const id = await create(accountId, { condition: 'change', threshold: 2, repeat: true })

    await change({ [BLUE]: 1019.99 }, later(1))
    expect(await fired()).toEqual([])
    await change({ [BLUE]: 1020 }, later(2))
    await change({ [BLUE]: 1000 }, later(3))
    await change({ [BLUE]: 979.9 }, later(4))

    expect(await fired()).toMatchObject([
      { value: 1020, base: 1000, percent: 2 },
      { value: 979.9, base: 1000, percent: -2.01 },
    ])
    // The next day begins at 979.9, and with it the alert, though no cycle saw it return.
    await change({ [BLUE]: 1100 }, NOON + DAY_MS)
    expect((await fired()).at(-1)).toMatchObject({ base: 979.9, percent: 12.26 })
    expect(await readAlert(accountId, id, NOON + DAY_MS)).toMatchObject({
      phase: 'waiting',
    })
  })

  it('fires each alert by its own capacity: what finds none stays armed for the next change', async () => {
    const { accountId } = await seedAccount()
    await change({ [BLUE]: 1430 }, NOON)
    const ids = [await create(accountId, {}), await create(accountId, {})]
    const byMail = await create(accountId, { channel: 'email', url: undefined })
    await setOutstanding(9)

    await change({ [BLUE]: 1500 }, later(1), { capacity: 10 })

    expect(await fired()).toHaveLength(1)
    expect(await readOutstanding()).toBe(10)
    const phases = async () =>
      Promise.all([...ids, byMail].map(async (id) => (await readAlert(accountId, id, NOON))!.phase))
    expect((await phases()).toSorted()).toEqual(['armed', 'done', 'done'])
    expect((await phases())[2]).toBe('done')

    await change({ [BLUE]: 1501 }, later(2), { capacity: 11 })
    expect(await phases()).toEqual(['done', 'done', 'done'])
    expect(new Set((await fired()).map(({ subscriptionId }) => subscriptionId))).toEqual(
      new Set(ids),
    )
  })

  it('fires no paused alert', async () => {
    const { accountId } = await seedAccount()
    await change({ [BLUE]: 1430 }, NOON)
    await create(accountId, { enabled: false })
    await create(accountId, { condition: 'gap', threshold: 1, against: GAP, enabled: false })

    await change({ [BLUE]: 1500, [OFICIAL]: 1000 }, later(1))

    expect(await fired()).toEqual([])
  })
})

/** A watch as the model keeps it. */
interface Model {
  watch: Watch
  phase: 'armed' | 'waiting' | 'done'
  since: Instant
  count: number
}

interface Market {
  blue: number
  oficial: number
  /** Of yesterday: the last value before today's midnight. */
  before: number | null
}

const far = (value: number, base: number) => Math.abs(value - base) * 10_000

function isMet({ condition, threshold }: Watch, { blue, oficial, before }: Market): boolean {
  const base = condition === 'gap' ? oficial : before
  if (condition === 'above') return blue >= threshold
  if (condition === 'below') return blue <= threshold
  return base !== null && far(blue, base) >= threshold * base
}

function hasLeft(watch: Watch, { blue, oficial, before }: Market): boolean {
  const { condition, threshold, hysteresis } = watch
  const base = condition === 'gap' ? oficial : before
  if (condition === 'above') return blue < threshold - hysteresis
  if (condition === 'below') return blue > threshold + hysteresis
  return base !== null && far(blue, base) < (threshold - hysteresis) * base
}

function step(alert: Model, market: Market, at: Instant): void {
  const { watch } = alert
  const isNewDay = watch.condition === 'change' && alert.since < startOfDay(at)
  const isArmed = alert.phase === 'armed' || (alert.phase === 'waiting' && isNewDay)
  if (isArmed && isMet(watch, market)) {
    alert.count += 1
    alert.phase = watch.repeats ? 'waiting' : 'done'
    alert.since = at
  } else if (alert.phase === 'waiting' && hasLeft(watch, market)) {
    alert.phase = 'armed'
    alert.since = at
  }
}

const prices = fc.integer({ min: 90, max: 112 })
const levels = fc.integer({ min: 95, max: 107 })
const watches = fc
  .record({
    condition: fc.constantFrom('above', 'below', 'change', 'gap'),
    level: levels,
    percent: fc.integer({ min: 1, max: 12 }),
    hysteresis: fc.constantFrom(0, 0.5, 3),
    repeat: fc.boolean(),
  })
  .map(({ condition, level, percent, hysteresis, repeat }): Partial<NewAlert> => {
    const isLevel = condition === 'above' || condition === 'below'
    const threshold = isLevel ? level : percent
    return {
      condition,
      threshold,
      hysteresis: hysteresis < threshold ? hysteresis : 0,
      repeat,
      against: condition === 'gap' ? GAP : null,
    }
  })
const moves = fc.record({
  blue: fc.option(prices, { nil: undefined }),
  oficial: fc.option(prices, { nil: undefined }),
  hours: fc.constantFrom(0.1, 0.1, 5, 15),
})

describe('over any course of values', () => {
  it('alerts fire, wait and are armed again as the model says, and the same change never fires twice', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(watches, { minLength: 6, maxLength: 12 }),
        fc.array(moves, { minLength: 6, maxLength: 14 }),
        async (wanted, course) => {
          const { accountId } = await seedAccount(`${crypto.randomUUID()}@example.com`)
          let at = await restart()
          const market = { blue: 1_000_000, oficial: 1_000_000, before: null as number | null }
          const models = new Map<string, Model>()
          for (const changes of wanted) {
            const id = await create(accountId, changes, at)
            const watch = checkWatch(aNewAlert(changes))
            if (!watch.ok) throw new Error('not a watch')
            const phase = isMet(watch.value, market) ? 'waiting' : 'armed'
            models.set(id, { watch: watch.value, phase, since: at, count: 0 })
          }

          for (const { blue, oficial, hours } of course) {
            const next = at + hours * 60 * MINUTE_MS
            if (startOfDay(next) !== startOfDay(at)) market.before = market.blue
            at = next
            market.blue = blue === undefined ? market.blue : blue * 10_000
            market.oficial = oficial === undefined ? market.oficial : oficial * 10_000
            const values = {
              ...(blue !== undefined && { [BLUE]: blue }),
              ...(oficial !== undefined && { [OFICIAL]: oficial }),
            }
            if (Object.keys(values).length === 0) continue
            await change(values, at, { capacity: 1e9 })
            for (const model of models.values())
              if (blue !== undefined || model.watch.condition === 'gap') step(model, market, at)
          }

          const counts = await firedCounts(accountId)
          for (const [id, { count, phase, watch }] of models) {
            const stored = (await readAlert(accountId, id, at))!
            const what = JSON.stringify(watch)
            expect(counts.get(id) ?? 0, what).toBe(count)
            expect(stored.phase, what).toBe(phase)
          }
        },
      ),
      { numRuns: 12 },
    )
  })
})

/** Begins a course on an empty market, in which both pairs cost 100. */
async function restart(): Promise<Instant> {
  await emptyTables('points', 'currentQuotes', 'subscriptions', 'deliveries')
  await change({ [BLUE]: 100, [OFICIAL]: 100 }, NOON)
  return NOON
}

async function firedCounts(accountId: string): Promise<Map<string, number>> {
  const { results } = await env.DB.prepare(
    `select subscription_id as id, count(*) as n, count(distinct created_at) as cycles
     from deliveries where account_id = ? group by subscription_id`,
  )
    .bind(accountId)
    .all<{ id: string; n: number; cycles: number }>()
  for (const { n, cycles } of results) expect(n).toBe(cycles)
  return new Map(results.map(({ id, n }) => [id, n]))
}

it.each([
  [' though a test was made since', later(1)],
  [' though a test was made since by a clock that is behind', later(1) - 1000],
])('the statements of one cycle, run again, change nothing%s', async (_, testedAt) => {
  const { accountId } = await seedAccount()
  await change({ [BLUE]: 1430 }, NOON)
  const id = await create(accountId, { repeat: true })
  await create(accountId, { repeat: true, channel: 'email', url: undefined })
  await change({ [BLUE]: 1500 }, later(1))
  const tested = await alerts.test(alertContext(testedAt), { accountId, id })
  expect(tested.ok).toBe(true)
  const before = await everything()

  const statements = () =>
    fireStatements(env.DB, [findPairByKey(BLUE)!], { at: later(1), capacity: 1000 })
  await env.DB.batch([...statements(), ...statements()])

  expect(await everything()).toEqual(before)
})

function everything() {
  const tables = ['alerts', 'alertFirings', 'deliveries', 'openDeliveries'] as const
  return Promise.all(tables.map((table) => readRows(table)))
}
