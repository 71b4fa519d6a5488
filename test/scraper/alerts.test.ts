import { describe, expect, it } from 'vitest'
import { DAY_MS, type Instant } from '../../shared/argentine-time.ts'
import { type AlertEdit, alerts, type NewAlert } from '../../shared/subscriptions/alerts.ts'
import { editSubscription } from '../../shared/subscriptions/edit.ts'
import type { CycleEnv } from '../../workers/scraper/cycle.ts'
import { alertStatements } from '../../workers/scraper/db/alerts.ts'
import { seedAccount } from '../support/accounts.ts'
import { change, createAlertAt, moveOf, readAlert, valueStatements } from '../support/alerts.ts'
import { loseConnection, withBatch } from '../support/faulty-database.ts'
import { NOON, cycleAt, later } from '../support/cycle-deps.ts'
import { env } from '../support/env.ts'
import { measuredDatabase } from '../support/measured-database.ts'
import { management, readDeliveries, readOutstanding, setOutstanding } from '../support/webhooks.ts'
import { changeRows, readRows } from '../support/rows.ts'

function create(accountId: string, changes: Partial<NewAlert>, now = NOON): Promise<string> {
  return createAlertAt(now, accountId, changes)
}

const BLUE = 'USD/BLUE'
const OFICIAL = 'USD/OFICIAL'
const GAP = { currency: 'USD', origin: 'OFICIAL', side: 'sell' } as const

/** The events of the account's alerts, oldest first. */
async function fired() {
  return (await readDeliveries()).map(({ subscriptionId, body }) => ({
    subscriptionId,
    ...JSON.parse(body),
  }))
}

describe('a change that meets an armed alert', () => {
  it('fires the alert once, with the values that met it', async () => {
    const { accountId } = await seedAccount()
    await change({ [BLUE]: [1410, 1430] }, NOON)
    const id = await create(accountId, { threshold: 1500 })

    expect(await change({ [BLUE]: [1450, 1499.99] }, later(1))).toEqual([])
    const ids = await change({ [BLUE]: [1480, 1500] }, later(2))
    expect(await change({ [BLUE]: [1480, 1510] }, later(3))).toEqual([])

    const deliveries = await readDeliveries()
    expect(deliveries).toMatchObject([
      { id: ids[0], subscriptionId: id, type: 'automatic', status: 'pending', pair: 3 },
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

  it('names the other pair of a gap, and the percent between them', async () => {
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

  it('fires a waiting alert on the change of the day again after midnight, and then only once', async () => {
    const { accountId } = await seedAccount()
    await change({ [BLUE]: 1400 }, NOON - DAY_MS)
    await create(accountId, { condition: 'change', threshold: 5, repeat: true })

    await change({ [BLUE]: 1500 }, later(1))
    expect(await fired()).toHaveLength(1)
    await change({ [BLUE]: 1600 }, NOON + DAY_MS)
    await change({ [BLUE]: 1610 }, later(1) + DAY_MS)
    expect(await fired()).toHaveLength(2)
  })

  it('fires each alert that has capacity; an alert without capacity stays armed for the next change', async () => {
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
})

/** The statements for the batch of a change, with the alerts as they are now. */
async function prepared(values: Parameters<typeof change>[0], at: Instant) {
  const firing = { at, capacity: 1000, admitted: true }
  const move = await moveOf(values, at)
  return [...valueStatements(values, at), ...(await alertStatements(env.DB, move, firing))]
}

async function open(changes: Partial<NewAlert> = {}) {
  const { accountId } = await seedAccount()
  await change({ [BLUE]: 1430 }, NOON)
  const id = await create(accountId, changes)
  const batch = await prepared({ [BLUE]: 1500 }, later(1))
  const edit = (edited: Partial<AlertEdit>) =>
    editSubscription(
      management({ now: later(1) + 1 }),
      alerts,
      { accountId, id },
      { version: 1, ...edited },
    )
  const phase = async (of = id) => (await readAlert(accountId, of, later(1)))?.phase
  return { accountId, id, edit, phase, batch, commit: () => env.DB.batch(batch) }
}

describe('between the read of the alerts and the batch of the cycle', () => {
  it.each([
    ['of its level', { threshold: 1490 }],
    ['that pauses it', { enabled: false }],
  ])('an edit %s counts as made after the change', async (_, edited) => {
    const alert = await open()
    expect((await alert.edit(edited)).ok).toBe(true)
    await alert.commit()

    expect(await fired()).toEqual([])
    expect(await alert.phase()).toBe('waiting')
  })

  it('an edit of the destination alone does not stop the firing', async () => {
    const alert = await open()
    expect((await alert.edit({ url: 'https://otro.example/' })).ok).toBe(true)
    await alert.commit()

    expect(await readDeliveries()).toMatchObject([
      { destination: 'https://otro.example', status: 'pending', revision: 2 },
    ])
    expect(await alert.phase()).toBe('done')
  })

  it('an alert that an edit moved to e-mail fires by e-mail', async () => {
    const alert = await open()
    expect((await alert.edit({ channel: 'email' })).ok).toBe(true)
    await alert.commit()

    expect(await readDeliveries()).toEqual([])
    expect(await readRows('alertFirings')).toMatchObject([{ alertId: alert.id }])
  })

  it('a new alert waits until its condition ends', async () => {
    const { accountId, commit, phase } = await open()
    const made = await create(accountId, {}, later(1) + 1)
    await commit()
    expect(await phase(made)).toBe('waiting')

    await change({ [BLUE]: 1501 }, later(2))
    expect(await fired()).toHaveLength(1)
    await change({ [BLUE]: 1499 }, later(3))
    await change({ [BLUE]: 1500 }, later(4))
    expect(await fired()).toHaveLength(2)
  })

  it('a value that was corrected meanwhile fires nothing', async () => {
    const { batch, phase } = await open()
    const [point, value, ...statements] = batch
    const correction = env.DB.prepare('update current_quotes set sell = 14500000')
    await env.DB.batch([point!, value!, correction, ...statements])

    expect(await fired()).toEqual([])
    expect(await phase()).toBe('armed')
  })
})

/** The cost of a cycle's alerts with three changes: one read, and the statements of its batch. */
async function costOf(value: number, cycle: number) {
  const at = later(cycle)
  const values = Object.fromEntries([BLUE, OFICIAL, 'EUR/OFICIAL'].map((key) => [key, value]))
  const { db, spent } = measuredDatabase()
  const firing = { at, capacity: 1000, admitted: true }
  const statements = await alertStatements(db, await moveOf(values, at), firing)
  await env.DB.batch(valueStatements(values, at))
  if (statements.length > 0) await db.batch(statements)
  return spent()
}

describe('what alerts add to a cycle', () => {
  it('is nothing for a pair without alerts, however many alerts other pairs have', async () => {
    const { accountId } = await seedAccount()
    await change({ 'USD/CCL': 1400 }, NOON)
    for (let count = 0; count < 10; count += 1)
      await create(accountId, { origin: 'CCL', threshold: 1500 })

    expect(await costOf(1450, 1)).toMatchObject({ roundTrips: 1, rowsRead: 0, rowsWritten: 0 })
  })

  it.each([
    ['does not fire', 1450, 3, 0],
    ['fires', 1500, 25, 7],
  ])(
    'is within bounds for each alert on a changed pair that %s',
    async (_, value, read, written) => {
      const alerts = 20
      const { accountId } = await seedAccount()
      await change({ [BLUE]: 1400 }, NOON)
      for (let count = 0; count < alerts; count += 1) await create(accountId, {})
      // The first change after the creation of an alert sets its phase.
      await costOf(1410, 1)

      const cost = await costOf(value, 2)

      expect(cost.rowsRead).toBeLessThanOrEqual(alerts * read + 10)
      expect(cost.rowsWritten).toBeLessThanOrEqual(alerts * written + 2)
    },
  )
})

function cycle(at: Instant, sell: number, changes: Partial<CycleEnv> = {}) {
  return cycleAt(at, sell, { WEBHOOK_ADMISSION: 'open', ...changes })
}

/** An account with an alert on the blue dollar, which costs 1430. */
async function seed(changes: Partial<NewAlert> = {}) {
  const { accountId } = await seedAccount()
  await cycle(NOON, 1430)
  const id = await create(accountId, { threshold: 1450, ...changes })
  return { id, stored: () => readAlert(accountId, id, later(9)) }
}

describe('a cycle', () => {
  it('fires an alert with its change, and enqueues the delivery', async () => {
    const { id } = await seed()
    const sent: unknown[] = []
    const queue = { sendBatch: async (batch: unknown[]) => void sent.push(...batch) }

    await cycle(later(1), 1449.5)
    await cycle(later(2), 1455, { DELIVERIES: queue })

    const deliveries = await readDeliveries()
    expect(deliveries).toMatchObject([{ subscriptionId: id }])
    expect(sent).toMatchObject([{ body: { v: 1, deliveryId: deliveries[0]!.id } }])
    expect(await fired()).toMatchObject([{ event: 'alert.triggered', alertId: id, value: 1455 }])
  })

  it('fires no alert while admission is closed', async () => {
    const { stored } = await seed()
    await cycle(later(1), 1455, { WEBHOOK_ADMISSION: 'closed' })

    expect(await readDeliveries()).toEqual([])
    expect(await stored()).toMatchObject({ phase: 'armed' })
  })

  it.each([1, 2, 3])(
    'that dies after round trip %s fires the alert once, then or with the next cycle',
    async (nth) => {
      const { stored } = await seed()
      const DB = withBatch(nth, { after: loseConnection })
      await cycle(later(1), 1455, { DB }).catch(() => {})
      await changeRows('leases', { until: 0 })

      await cycle(later(2), 1455)

      expect(await readDeliveries()).toHaveLength(1)
      expect(await stored()).toMatchObject({ phase: 'done' })
    },
  )
})
