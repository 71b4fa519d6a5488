import { expect, it } from 'vitest'
import { env } from '../../support/env.ts'
import { measuredDatabase } from '../../support/measured-database.ts'
import { type Client, openClient, WEBHOOKS } from '../../support/webhook-client.ts'
import { seedDelivery, seedQuote, seedWebhook } from '../../support/webhooks.ts'
import { copyRows, fromNumbers } from '../../../tools/prove/harness/rows.ts'

/** The most a route may ask of D1, its gate included: round trips, rows read, rows written. */
const LIMITS: readonly [route: string, run: Run, limits: [number, number, number]][] = [
  ['list', (client) => client.call('GET', WEBHOOKS), [2, 25, 4]],
  ['read', (client, id) => client.read(id), [2, 10, 4]],
  ['create', (client) => client.create(), [2, 40, 10]],
  ['edit', (client, id) => client.edit(id, { version: 1, url: URL }), [3, 40, 20]],
  ['edit of nothing', (client, id) => client.edit(id, { version: 1 }), [3, 20, 10]],
  ['pause', (client, id) => client.edit(id, { version: 1, enabled: false }), [3, 40, 20]],
  ['rotate', (client, id) => client.rotate(id, 1), [3, 25, 10]],
  ['test', (client, id) => client.test(id), [3, 40, 12]],
  ['deliveries', (client) => client.deliveries(), [2, 120, 4]],
  ['one delivery', (client) => client.deliveries('?deliveryId=none'), [2, 15, 4]],
]

type Run = (client: Client, id: string) => Promise<{ status: number }>

const URL = 'https://otro.example/'

it.each(LIMITS)(
  '%s costs no more than it may, however much others have',
  async (name, run, limits) => {
    await seedQuote('usd/blue', 1400, 1450)
    for (let index = 0; index < 30; index++) await seedWebhook({ accountId: `other-${index % 9}` })
    await seedMany(3000, 'another')

    const { db, spent, forget } = measuredDatabase()
    const client = await openClient({ env: { DB: db } })
    const { accountId } = client
    for (let index = 0; index < 3; index++) await seedWebhook({ accountId })
    const { id } = (await client.create()).body.webhook
    await seedMany(200, accountId, id)
    await seedDelivery({ subscriptionId: id, accountId })

    forget()
    expect((await run(client, id)).status).toBeLessThan(300)
    const { roundTrips, rowsRead, rowsWritten } = spent()
    console.log(`${name}: ${roundTrips} round trips, ${rowsRead} read, ${rowsWritten} written`)

    for (const [index, cost] of [roundTrips, rowsRead, rowsWritten].entries())
      expect(cost).toBeLessThanOrEqual(limits[index]!)
  },
)

/** Finished deliveries of an account. */
async function seedMany(
  count: number,
  accountId: string,
  subscriptionId = 'another',
): Promise<void> {
  const seed = { subscriptionId, accountId, status: 'delivered', deliveryId: accountId } as const
  const first = await seedDelivery(seed)
  await env.DB.prepare(
    copyRows(
      'deliveries',
      { delivery_id: '?2 || i', account_id: '?2' },
      `${fromNumbers('?1')}, deliveries where id = ?3`,
    ),
  )
    .bind(count - 1, accountId, first)
    .run()
}
