import { expect, it } from 'vitest'
import { type DeliveryQuery, listDeliveries } from '../../../shared/subscriptions/deliveries.ts'
import { aDeliveryId } from '../../support/delivery-id.ts'
import { env } from '../../support/env.ts'
import { measuredDatabase } from '../../support/measured-database.ts'
import { seedWebhook } from '../../support/webhooks.ts'
import { insertRows } from '../../../tools/prove/harness/rows.ts'

const FIRST_AT = Date.UTC(2026, 2, 2)
const COUNT = 3000
const ACCOUNTS = ['one', 'another']

interface Made {
  id: number
  uuid: string
  webhook: string
  at: number
}

/**
 * A row each ten seconds, by turns of five webhooks of each of two accounts. The clocks of those who
 * made them are up to five minutes wrong, so the newest by its id is not the last that was inserted.
 */
async function seedMany(): Promise<Made[]> {
  const webhooks = ACCOUNTS.flatMap((account) => [0, 1, 2, 3, 4].map((n) => `${account} ${n}`))
  for (const id of webhooks) await seedWebhook({ id, accountId: id.split(' ')[0]! })
  const rows = Array.from({ length: COUNT }, (_, index) => {
    const at = FIRST_AT + 10_000 * index + (((index * 7919) % 601) - 300) * 1000
    const webhook = webhooks[index % webhooks.length]!
    return { id: index + 1, uuid: aDeliveryId(at), webhook, at }
  })
  await env.DB.prepare(
    insertRows(
      'deliveries',
      {
        id: `value ->> 'id'`,
        delivery_id: `value ->> 'uuid'`,
        subscription_id: `value ->> 'webhook'`,
        account_id: `substr(value ->> 'webhook', 1, instr(value ->> 'webhook', ' ') - 1)`,
        status: `'delivered'`,
        attempts: 1,
        created_at: `value ->> 'at'`,
        next_attempt_at: `value ->> 'at'`,
        resolved_at: `value ->> 'at'`,
      },
      'from json_each(?1)',
    ),
  )
    .bind(JSON.stringify(rows))
    .run()
  return rows
}

async function idsOf(account: string, query: Partial<DeliveryQuery>, db = env.DB) {
  const page = await listDeliveries(db, account, { limit: 5, ...query }, 'webhook')
  if (!page.ok) throw new Error(page.refusal)
  return page.value.deliveries.map(({ id }) => id)
}

it('a delivery by its id is found wherever it is, though clocks were wrong, and by nobody else', async () => {
  const rows = await seedMany()
  const asked = [...rows.filter((_, index) => index % 101 === 0), rows.at(-1)!]
  for (const { id, uuid, webhook } of asked) {
    const [account, other] = webhook.startsWith('one') ? ACCOUNTS : ACCOUNTS.toReversed()
    const { db, spent } = measuredDatabase()
    expect(await idsOf(account!, { deliveryId: uuid }, db)).toEqual([id])
    expect(spent().rowsRead).toBeLessThan(50)

    expect(await idsOf(other!, { deliveryId: uuid })).toEqual([])
  }
  for (const unknown of [aDeliveryId(FIRST_AT), crypto.randomUUID(), 'none'])
    expect(await idsOf('one', { deliveryId: unknown })).toEqual([])
})

it('pages are the newest of all webhooks of an account, newest first', async () => {
  const own = (await seedMany()).filter(({ webhook }) => webhook.startsWith('one'))
  const newest = own.toSorted((a, b) => b.at - a.at || b.id - a.id).map(({ id }) => id)

  expect(await idsOf('one', { limit: 12 })).toEqual(newest.slice(0, 12))
  expect(await idsOf('one', { limit: 12, after: newest[11]! })).toEqual(newest.slice(12, 24))
  expect(await idsOf('one', { subscriptionId: 'one 3' })).toEqual(
    newest.filter((id) => own.find((row) => row.id === id)!.webhook === 'one 3').slice(0, 5),
  )
  expect(await idsOf('one', { subscriptionId: 'another 3' })).toEqual([])
})

it('those of alerts are found without a look at the deliveries of webhooks', async () => {
  await seedMany()
  const { db, spent } = measuredDatabase()
  const page = await listDeliveries(db, 'one', { limit: 5 }, 'alert')

  expect(page).toMatchObject({ ok: true, value: { deliveries: [], next: null } })
  expect(spent().rowsRead).toBeLessThanOrEqual(25)
})
