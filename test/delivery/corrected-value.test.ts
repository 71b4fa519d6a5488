/** What subscribers get when a wrong value in effect is corrected. */
import { expect, it } from 'vitest'
import { numberToPrice } from '../../shared/market/price.ts'
import { correctPoint } from '../../tools/operate/import/corrections.ts'
import { seedAccount } from '../support/accounts.ts'
import { createAlertAt, readAlert } from '../support/alerts.ts'
import { NOON, blue, cycleAt, later } from '../support/cycle-deps.ts'
import { createFixture } from '../support/delivery-fixture.ts'
import { expectSoundDeliveries } from '../support/sound.ts'
import { env } from '../support/env.ts'
import { readWebhook, seedWebhook } from '../support/webhooks.ts'

const DELIVERIES = { sendBatch: async () => {} }
const cycle = (at: number, sell: number) =>
  cycleAt(at, sell, { WEBHOOK_ADMISSION: 'open', DELIVERIES })

/** Corrects the point of an instant, or removes it. */
const correct = (at: number, sell?: number) =>
  correctPoint(env.DB, {
    pair: blue,
    at,
    ...(sell && { value: { buy: numberToPrice(sell - 20), sell: numberToPrice(sell) } }),
    reason: 'a test',
    now: later(2),
  })

/** A webhook and an alert on the blue dollar, which moved from 1430 to 1460. */
async function arrange(answer = () => 204) {
  await cycle(NOON, 1430)
  const webhook = await seedWebhook()
  const { accountId } = await seedAccount()
  const alert = await createAlertAt(NOON, accountId, { threshold: 1450 })
  const fixture = createFixture(({ subscriptionId }) =>
    subscriptionId === webhook ? answer() : 204,
  )
  await cycle(later(1), 1460)
  const sweep = async (at: number) => {
    fixture.set(at)
    await fixture.sweep()
    await fixture.drain()
  }
  await sweep(later(1) + 30_000)
  const heard = (of: string) =>
    fixture.posts
      .filter(({ subscriptionId }) => subscriptionId === of)
      .map(({ headers, body }) => {
        const { sell, prevSell, updatedAt } = JSON.parse(body)
        return [headers['X-Service-Delivery-Type'] ?? null, sell, prevSell, Date.parse(updatedAt)]
      })
  return { webhook, alert, accountId, fixture, sweep, heard }
}

it.each([
  ['replaced by 1440', 1440, 1440, later(1)],
  ['replaced by what was in effect before', 1430, 1430, NOON],
  ['taken away', undefined, 1430, NOON],
])(
  'the value in effect is %s: subscribers get one sync, and no alert fires or changes',
  async (_, by, sell, updatedAt) => {
    const { webhook, alert, accountId, fixture, sweep, heard } = await arrange()
    const stored = await readAlert(accountId, alert, later(2))
    expect(heard(alert)).toHaveLength(1)

    await correct(later(1), by)
    expect(await readWebhook(webhook)).toMatchObject({ sync: 'owed', version: 1 })
    await sweep(later(2))
    await cycle(later(2), sell)
    await sweep(later(3))

    expect(heard(webhook)).toEqual([
      [null, 1460, 1430, later(1)],
      ['sync', sell, sell, updatedAt],
    ])
    expect(heard(alert)).toHaveLength(1)
    const { now: _now, ...kept } = stored!
    expect(await readAlert(accountId, alert, later(3))).toMatchObject(kept)
    expect(await readWebhook(webhook)).toMatchObject({ sync: null })
    await expectSoundDeliveries(fixture.at())
  },
)

it('the sync is still sent after a delivery of the wrong value arrives late', async () => {
  const answers = [500]
  const { webhook, fixture, sweep, heard } = await arrange(() => answers.pop() ?? 204)
  await correct(later(1), 1440)
  fixture.toNextMessage()
  await fixture.drain()
  expect(heard(webhook).at(-1)).toEqual([null, 1460, 1430, later(1)])

  await sweep(later(3))
  expect(heard(webhook).at(-1)).toEqual(['sync', 1440, 1440, later(1)])
})

it('a correction of a past value makes no delivery', async () => {
  const { webhook, sweep, heard } = await arrange()
  await cycle(later(2), 1470)
  await sweep(later(2))
  await correct(later(1), 1440)
  await correct(NOON, 1420)
  await sweep(later(3))
  expect(heard(webhook)).toHaveLength(2)
  expect(await readWebhook(webhook)).toMatchObject({ sync: null })
})
