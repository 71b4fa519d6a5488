/** Alerts by e-mail: an account gets at most ten in any hour, whatever it makes or deletes. */
import { expect, it } from 'vitest'
import { HOUR_MS, type Instant, MINUTE_MS } from '../../../shared/argentine-time.ts'
import { alerts } from '../../../shared/subscriptions/alerts.ts'
import { removeSubscription } from '../../../shared/subscriptions/remove.ts'
import { seedAccount } from '../../support/accounts.ts'
import { alertContext, change, createAlertAt } from '../../support/alerts.ts'
import { createFixture } from '../../support/delivery-fixture.ts'
import { NOW } from '../../support/delivery-seeds.ts'
import { env } from '../../support/env.ts'

const BY_MAIL = { channel: 'email', url: undefined } as const

/** Accounts that are mailed, and every try to do so. */
async function openMailbox() {
  await change({ 'USD/BLUE': 1430 }, NOW)
  const tries: { to: string; at: Instant; text: string }[] = []
  const box = { refuses: false }
  const fixture = createFixture(() => 204, {
    async sendMail({ to, text }) {
      tries.push({ to, text, at: fixture.at() })
      if (box.refuses) throw new Error('mailbox full')
    },
  })
  return {
    tries,
    box,
    fixture,
    /** Makes an alert at an instant and tests it. */
    async tested(accountId: string, at: Instant) {
      fixture.set(at)
      const id = await createAlertAt(at, accountId, BY_MAIL)
      expect((await alerts.test(alertContext(at), { accountId, id })).ok).toBe(true)
      return { id, accountId, version: 1 }
    },
  }
}

/** The most that fell into one hour. */
const mostInAnHour = (tries: readonly { at: Instant }[]) =>
  Math.max(...tries.map(({ at }) => tries.filter((t) => t.at <= at && t.at > at - HOUR_MS).length))

it.each([
  ['are sent', false],
  ['are refused', true],
])(
  'alerts made, tested, deleted and made again: ten in any hour, when they %s',
  async (_, refuses) => {
    const { accountId } = await seedAccount('ana@example.com')
    const { tries, box, fixture, tested } = await openMailbox()
    box.refuses = refuses
    for (let round = 0; round < 90; round += 1) {
      const alert = await tested(accountId, NOW + round * 2 * MINUTE_MS)
      await Promise.all([fixture.sweep(), fixture.sweep()])
      expect((await removeSubscription(env.DB, alert, 'alert')).ok).toBe(true)
    }

    expect(mostInAnHour(tries)).toBe(10)
    expect(tries).toHaveLength(30)
  },
)

it('what is over waits, and is told in one e-mail an hour after the first of the ten', async () => {
  const { accountId } = await seedAccount('ana@example.com')
  const { accountId: other } = await seedAccount('eva@example.com')
  const { tries, fixture, tested } = await openMailbox()
  for (let minute = 0; minute < 14; minute += 1) {
    await tested(accountId, NOW + minute * MINUTE_MS)
    await fixture.sweep()
  }
  await tested(other, NOW + 14 * MINUTE_MS)
  for (let minute = 14; minute < 180; minute += 1) {
    fixture.set(NOW + minute * MINUTE_MS)
    await fixture.sweep()
  }

  const [last, ...rest] = tries.filter(({ to }) => to === 'ana@example.com').toReversed()
  expect(rest).toHaveLength(10)
  expect(last!.at).toBe(NOW + HOUR_MS)
  expect(last!.text.match(/^- Prueba: /gm)).toHaveLength(4)
  // Another account waits for none of them.
  expect(tries.filter(({ to }) => to === 'eva@example.com')).toMatchObject([
    { at: NOW + 14 * MINUTE_MS },
  ])
})

it('alerts that fire together are told in one e-mail', async () => {
  const { accountId } = await seedAccount('ana@example.com')
  const { tries, fixture } = await openMailbox()
  const ids = [
    await createAlertAt(NOW, accountId, BY_MAIL),
    await createAlertAt(NOW, accountId, { ...BY_MAIL, threshold: 1450 }),
  ]
  await change({ 'USD/BLUE': 1500 }, NOW + MINUTE_MS)
  fixture.set(NOW + MINUTE_MS)
  await fixture.sweep()

  expect(tries).toHaveLength(1)
  for (const id of ids) expect(tries[0]!.text).toContain(`Alerta: ${id}`)
})
