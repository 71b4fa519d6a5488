/** The D1 cost limits of requests, as D1 counts: round trips, rows read, rows written. */
import { expect, it } from 'vitest'
import { addDays, argentineDay, DAY_MS, dayEnd } from '../../shared/argentine-time.ts'
import { invoicingStatements } from '../../shared/db/quotes/invoicing.ts'
import { PAIRS } from '../../shared/market/catalog.ts'
import { INVOICING_CURRENCIES } from '../../shared/market/invoicing.ts'
import { copyRows, fromNumbers } from '../../tools/prove/harness/rows.ts'
import { env } from '../support/env.ts'
import { measuredDatabase } from '../support/measured-database.ts'
import { rebuildCandles } from '../support/points.ts'
import { changeRows, seedRows } from '../support/rows.ts'
import { seedBoard } from '../support/board.ts'
import { ALERTS, type Client, openClient, WEBHOOKS } from '../support/account-client.ts'
import { aDeliveryId, NOW, insertDelivery, seedQuote, seedWebhook } from '../support/webhooks.ts'

type Limits = readonly [roundTrips: number, rowsRead: number, rowsWritten: number]
type Run = (client: Client, id: string) => Promise<{ status: number }>

const URL = { url: 'https://otro.example/' }
const CHECK = '/api/v2/auth/check'
const read = (path: string) => (client: Client) => client.call('GET', path)

const EVERY_PAIR = PAIRS.map(({ currency, origin }) => `${currency}/${origin}`).join()
const CONVERSION = '/api/v2/convert?amount=100&from=EUR&to=USD&origin=blue'
const RATES = INVOICING_CURRENCIES.map(({ code: currency }) => {
  return { currency, units: 1, buy: '1450.5', sell: '1460.5' }
})
const DATES = Array.from({ length: 300 }, (_, day) => addDays('2025-03-01', day)).join()

/** The limit of each, including six rows read and four written by the gate. */
const LIMITS: readonly [what: string, Run, Limits][] = [
  ['the key check', read(CHECK), [1, 6, 4]],
  ['100 points', read('/api/v2/usd/blue/history'), [2, 6 + 110, 4]],
  [
    '500 points of a range',
    read('/api/v2/usd/blue/history?from=2025-01-01&to=2025-06-30&limit=500'),
    [2, 6 + 510, 4],
  ],
  ['a candle', read('/api/v2/history/usd/blue?limit=1'), [2, 6 + 11, 4]],
  ['500 candles', read('/api/v2/history/usd/blue?limit=500'), [2, 6 + 510, 4]],
  [
    'a year of every pair',
    read(`/api/v2/series?pairs=${EVERY_PAIR}&from=2025-02-01&to=2026-01-31`),
    [2, 6 + (365 + 8) * PAIRS.length, 4],
  ],
  [
    // A date is a row of its own list too.
    '300 dates of every pair',
    read(`/api/v2/series?pairs=${EVERY_PAIR}&dates=${DATES}`),
    [2, 6 + (2 * 300 + 5) * PAIRS.length, 4],
  ],
  ['every pair at a date', read('/api/v2/date/2025-06-30'), [1, PAIRS.length, 0]],
  ['a pair at a date', read('/api/v2/date/2025-06-30/usd/blue?time=10:00'), [1, 1, 0]],
  ['a pair before its first value', read('/api/v2/date/1999-06-30/usd/blue'), [1, 1, 0]],
  [
    'the dollars of a day, at the old address',
    read('/v1/cotizaciones/dolares/2026/03/02'),
    [1, 7, 0],
  ],
  ['a conversion at a date', read(`${CONVERSION}&date=2026-03-02&time=10:00`), [1, 2, 0]],
  ['an invoicing rate', read('/api/v2/invoicing/usd?date=2026-03-02'), [1, 6, 0]],
  ['the invoicing rates', read('/api/v2/invoicing?date=2026-03-02'), [1, 6 * RATES.length, 0]],
  ['the webhooks', read(WEBHOOKS), [2, 25, 4]],
  ['a webhook', (client, id) => client.read(id), [2, 10, 4]],
  ['a creation', (client) => client.create(), [2, 40, 10]],
  ['an edit', (client, id) => client.edit(id, { version: 1, ...URL }), [3, 40, 20]],
  ['an edit of nothing', (client, id) => client.edit(id, { version: 1 }), [3, 20, 10]],
  ['a pause', (client, id) => client.edit(id, { version: 1, enabled: false }), [3, 40, 20]],
  ['a rotation', (client, id) => client.rotate(id, 1), [3, 25, 10]],
  ['a test', (client, id) => client.test(id), [3, 40, 12]],
  ['the deliveries', (client) => client.deliveries(), [2, 120, 4]],
  ['a delivery', (client) => client.deliveries(`?deliveryId=${DELIVERY}`), [2, 25, 4]],
  ['a redelivery', (client) => client.redeliver(DELIVERY), [3, 60, 20]],
  ['redeliveries', (client, id) => client.redeliverSince(id, SINCE), [3, 600, 20]],
  ['a deletion', async (client) => client.remove((await client.made()).id, 1), [4, 80, 40]],
  ['the deliveries of alerts', read(`${ALERTS}/deliveries`), [2, 25, 4]],
]

const SINCE = '2026-03-02T00:00:00Z'

const DELIVERY = aDeliveryId(NOW - 1)

/** Expects the cost of a request to stay within its limit. */
async function expectCost(
  limits: Limits,
  { spent, forget }: ReturnType<typeof measuredDatabase>,
  ask: () => Promise<{ status: number }>,
) {
  forget()
  const { status } = await ask()
  const { roundTrips, rowsRead, rowsWritten } = spent()
  console.log(`${roundTrips} round trips, ${rowsRead} read, ${rowsWritten} written`)
  for (const [index, cost] of [roundTrips, rowsRead, rowsWritten].entries())
    expect(cost).toBeLessThanOrEqual(limits[index]!)
  return status
}

it.each(LIMITS)(
  'the cost in D1 of %s stays below its limit, however many rows there are',
  async (_, run, limits) => {
    const { accountId, id } = await seedMuch()
    const database = measuredDatabase()
    const client = await openClient({ accountId, env: { DB: database.db, COMPATIBILITY: 'on' } })
    expect(await expectCost(limits, database, () => run(client, id))).toBeLessThan(300)
  },
)

it.each([
  ['passing again', { quotaUsed: 1 }, '100', [1, 6, 2]],
  ['out of its minute', { quotaUsed: 60 }, '100', [1, 6, 0]],
  ['out of the day', { quotaUsed: 1 }, '1', [1, 6, 0]],
] as const)(
  'the cost in D1 of a key %s stays below its limit',
  async (_, counters, budget, limits) => {
    const database = measuredDatabase()
    const client = await openClient({ env: { DB: database.db, DAILY_PRIVATE_BUDGET: budget } })
    await client.call('GET', CHECK)
    await changeRows('apiKeys', counters)
    await expectCost(limits, database, () => client.call('GET', CHECK))
  },
)

/**
 * A long history of every pair and of the bank's tables, and an account with four webhooks and
 * deliveries among those of others.
 */
async function seedMuch(): Promise<{ accountId: string; id: string }> {
  await seedBoard(NOW)
  await seedQuote('usd/blue', 1400, 1450)
  await seedRows('points', 4001, { at: `${NOW} - (i - 1) * 18000000`, sell: '(i - 1) % 7' })
  await env.DB.prepare(
    `insert into points with recursive n(i) as (select 1 union all select i + 1 from n where i < 400)
     select value, ?1 - i * ?2, i, i, 'test' from n, json_each(?3)`,
  )
    .bind(NOW, DAY_MS, JSON.stringify(PAIRS.map(({ id }) => id).filter((id) => id !== 3)))
    .run()
  for (const pair of PAIRS) await rebuildCandles(pair, '2020-01-01', '2026-03-02')
  const tables = Array.from({ length: 60 }, (_, ago) => {
    const day = addDays(argentineDay(NOW), -ago)
    const table = { day, publishedAt: null, source: 'test', rates: RATES }
    return invoicingStatements(env.DB, table, dayEnd(day))
  })
  await env.DB.batch(tables.flat())

  for (let index = 0; index < 30; index++) await seedWebhook({ accountId: `other-${index % 9}` })
  await seedWebhook({ id: 'another', accountId: 'another' })
  await seedFinished(1000, 'another', 'another')
  const client = await openClient()
  const { accountId } = client
  for (let index = 0; index < 3; index++) await seedWebhook({ accountId })
  const { id } = await client.made()
  await seedFinished(200, accountId, id)
  await insertDelivery(id, {
    status: 'delivered',
    deliveryId: DELIVERY,
    createdAt: NOW - 1,
  })
  return { accountId, id }
}

async function seedFinished(count: number, accountId: string, subscriptionId: string) {
  const first = await insertDelivery(subscriptionId, { status: 'delivered', deliveryId: accountId })
  await env.DB.prepare(
    copyRows(
      'deliveries',
      { delivery_id: '?2 || i' },
      `${fromNumbers('?1')}, deliveries where id = ?3`,
    ),
  )
    .bind(count - 1, accountId, first)
    .run()
}
