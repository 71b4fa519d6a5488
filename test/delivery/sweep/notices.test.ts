/** The e-mail that tells of a pause: sent once, and tried again ever later when it is refused. */
import { expect, it } from 'vitest'
import { NOW, seedNotice } from '../../support/webhooks.ts'
import { createFixture } from '../../support/delivery-fixture.ts'
import { env } from '../../support/env.ts'
import { changeRows, readRows } from '../../support/rows.ts'

const MINUTE = 60_000

/** Mailboxes of which some refuse, and every try to reach one. */
function createMailboxes(whileTrying = async () => {}) {
  const tries: { to: string; subject: string; text: string; at: number }[] = []
  const fixture = createFixture(() => 204, {
    async sendMail(mail) {
      tries.push({ ...mail, at: fixture.at() })
      await whileTrying()
      if (mail.to.startsWith('refuses')) throw new Error('mailbox full')
    },
  })
  return { tries, fixture }
}

it.each([
  ['webhook', 'Pausamos tu webhook de Dólar Blue', '/api/v2/webhooks'],
  ['alert', 'Pausamos tu alerta de Dólar Blue', '/api/v2/alerts'],
] as const)(
  'of a %s is sent once, in Spanish, with the masked destination, by any number of sweeps',
  async (kind, subject, path) => {
    const id = await seedNotice()
    await changeRows('subscriptions', { kind })
    const { tries, fixture } = createMailboxes()
    await Promise.all(Array.from({ length: 5 }, () => fixture.sweep()))
    await fixture.sweep()

    expect(tries).toMatchObject([{ to: 'ana@example.com', subject }])
    expect(tries[0]!.text).toContain(`https://${id}.example.com/***`)
    expect(tries[0]!.text).toContain(`PATCH ${path}/${id}`)
    expect(tries[0]!.text).not.toContain('hidden')
  },
)

it('stays unsent where no e-mail can be sent', async () => {
  await seedNotice()
  await createFixture().sweep()
  expect(await readRows('notices')).toMatchObject([{ sentAt: null }])
})

it('five that always refuse hold up no other: those that come later are sent by the next sweep', async () => {
  for (let count = 0; count < 5; count += 1) await seedNotice(`refuses-${count}@example.com`)
  const { tries, fixture } = createMailboxes()
  await fixture.sweep()
  expect(tries).toHaveLength(5)

  for (let minute = 1; minute <= 30; minute += 1) {
    const to = `well-${minute}@example.com`
    fixture.set(NOW + minute * MINUTE)
    await seedNotice(to, fixture.at())
    await fixture.sweep()
    expect(tries.filter((one) => one.to === to)).toMatchObject([{ at: fixture.at() }])
  }
})

it('is tried again after 5, 20 and 80 minutes, then ever 6 hours later, while it is news', async () => {
  await seedNotice('refuses@example.com')
  const { tries, fixture } = createMailboxes()
  for (let minute = 0; minute < 30 * 60; minute += 5) {
    fixture.set(NOW + minute * MINUTE)
    await fixture.sweep()
  }
  expect(tries.map(({ at }) => (at - NOW) / MINUTE)).toEqual([0, 5, 25, 105, 425, 785, 1145])
})

const activate = (webhook: string, state = 'active') =>
  env.DB.prepare('update subscriptions set state = ?2, episode = episode + 1 where id = ?1')
    .bind(webhook, state)
    .run()

it('of a webhook that was activated since is not sent, nor when it failed again', async () => {
  for (const state of ['active', 'manual', 'failure'])
    await activate(await seedNotice(`${state}@example.com`), state)
  await seedNotice('paused@example.com', NOW + 1)
  const { tries, fixture } = createMailboxes()
  await fixture.sweep()
  expect(tries.map(({ to }) => to)).toEqual(['paused@example.com'])
})

it('of a webhook that is activated between the look and its turn is not sent', async () => {
  const webhooks = [await seedNotice('first@example.com'), await seedNotice('second@example.com')]
  const { tries, fixture } = createMailboxes(async () => {
    for (const webhook of webhooks) await activate(webhook)
  })
  await fixture.sweep()
  expect(tries).toHaveLength(1)
})
