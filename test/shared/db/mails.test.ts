/** The decisions of each e-mail statement alone: races and limits. */
import { describe, expect, it } from 'vitest'
import { DAY_MS } from '../../../shared/argentine-time.ts'
import { makeMailTest } from '../../../shared/db/alerts.ts'
import {
  claimAlertMail,
  claimNotice,
  dropNotices,
  findDueMails,
  findNotices,
  type Notice,
  returnAlertMail,
  returnNotice,
} from '../../../workers/delivery/db/mails.ts'
import { seedAccount } from '../../support/accounts.ts'
import { change, createAlertAt } from '../../support/alerts.ts'
import { env } from '../../support/env.ts'
import { changeRows, readRows } from '../../support/rows.ts'
import { NOW, seedNotice } from '../../support/webhooks.ts'

const { DB } = env

const all = <Value>(count: number, ask: (n: number) => Promise<Value>) =>
  Promise.all(Array.from({ length: count }, (_, n) => ask(n)))

const drop = async (now: number) => (await dropNotices(DB, now).all()).results

const due = async (now: number) => {
  const { results } = await findDueMails(DB, now).all<{ accountId: string; alerts: number }>()
  return results
}

describe('an e-mail', () => {
  it('of a pause is claimed once, again after its wait, and never after an activation', async () => {
    const id = await seedNotice()
    const find = async (now: number) => (await findNotices(DB, now).all<Notice>()).results
    const [notice] = await find(NOW)
    const claims = await all(8, () => claimNotice(DB, notice!, NOW))
    expect(claims.filter(Boolean)).toHaveLength(1)
    await returnNotice(DB, notice!, NOW)
    const WAIT = 30 * 60_000
    expect([await find(NOW + WAIT - 1), await find(NOW + WAIT)]).toMatchObject([
      [],
      [{ email: 'ana@example.com' }],
    ])
    await changeRows('subscriptions', { state: 'active' }, { id })
    expect(await claimNotice(DB, notice!, NOW)).toBe(false)
  })

  it('of a pause is dropped a day after the pause, once, unless it was sent', async () => {
    const id = await seedNotice()
    await changeRows(
      'notices',
      { sentAt: NOW },
      { subscriptionId: await seedNotice('b@b.example') },
    )
    expect(await drop(NOW + DAY_MS - 1)).toEqual([])
    const dropped = await all(2, () => drop(NOW + DAY_MS))
    expect(dropped.flat()).toEqual([{ subscriptionId: id }])
  })

  it('of alerts has at most 50 tests, is claimed once, and ten an hour', async () => {
    const { accountId } = await seedAccount()
    await change({ 'USD/BLUE': 1430 }, NOW)
    const id = await createAlertAt(NOW, accountId, { channel: 'email', url: undefined })
    const made = await all(60, (n) => makeMailTest(DB, { id, accountId }, '{}', NOW + n))
    expect(made.filter(Boolean)).toHaveLength(50)
    const mails = await all(8, () => claimAlertMail(DB, accountId, NOW + 100))
    const [mail, ...others] = mails.filter(({ alerts }) => alerts.length > 0)
    expect([mail!.alerts[0]!.bodies.length, others, await due(NOW + 100)]).toEqual([50, [], []])
    await returnAlertMail(DB, mail!)
    expect(await readRows('alertMails')).toMatchObject([{ accountId, mails: 0 }])
    expect(await due(NOW + 1_800_099)).toEqual([])
    expect(await due(NOW + 1_800_100)).toMatchObject([{ accountId, alerts: 1 }])

    await changeRows('alertMails', { mails: 10 })
    const claimAt = (now: number) => claimAlertMail(DB, accountId, now)
    expect((await claimAt(NOW + 3_599_999)).alerts).toEqual([])
    expect(await due(NOW + 3_599_999)).toEqual([])
    expect((await claimAt(NOW + 3_600_000)).alerts).toHaveLength(1)
    expect(await readRows('alertMails')).toMatchObject([{ hour: NOW + 3_600_000, mails: 1 }])
  })
})
