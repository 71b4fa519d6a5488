/** Notices that mailboxes refuse: they step back behind the others, and come again ever later. */
import { expect, it } from 'vitest'
import { NOW, seedWebhook } from '../../support/delivery-seeds.ts'
import { createFixture } from '../../support/delivery-fixture.ts'
import { env } from '../../support/env.ts'

const MINUTE = 60_000

/** A notice to a mailbox of its own. */
async function seedNotice(mailbox: string, createdAt = NOW): Promise<void> {
  const webhook = await seedWebhook({ state: 'failure' })
  await env.DB.batch([
    env.DB.prepare(
      `insert into accounts (id, name, email, email_verified, created_at, updated_at)
       values (?1, '', ?1, 1, 0, 0)`,
    ).bind(mailbox),
    env.DB.prepare('update webhooks set account_id = ?1 where id = ?2').bind(mailbox, webhook),
    env.DB.prepare('insert into notices (webhook_id, episode, created_at) values (?1, 1, ?2)').bind(
      webhook,
      createdAt,
    ),
  ])
}

/** Mailboxes of which some refuse, and every try to reach one. */
function createMailboxes() {
  const tries: { to: string; at: number }[] = []
  const fixture = createFixture(() => 204, {
    async sendMail({ to }) {
      tries.push({ to, at: fixture.at() })
      if (to.startsWith('refuses')) throw new Error('mailbox full')
    },
  })
  return { tries, fixture }
}

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
    expect(tries.filter((one) => one.to === to)).toEqual([{ to, at: fixture.at() }])
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
