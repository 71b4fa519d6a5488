import { describe, expect, it } from 'vitest'
import { createFixture } from '../../support/delivery-fixture.ts'
import { openClient, tally, times } from '../../support/account-client.ts'
import {
  NOW,
  readDeliveries,
  readOutstanding,
  readWebhook,
  seedDelivery,
  seedQuote,
  seedWebhook,
} from '../../support/webhooks.ts'
import { changeRows, insertRow } from '../../support/rows.ts'

it('PATCH changes the given fields and answers the webhook', async () => {
  const { client, id } = await aWebhook()
  const edited = await client.edit(id, {
    version: 1,
    url: 'https://OTRO.example',
    currency: 'EUR',
    origin: 'BNA',
    receiverAuthorization: 'Bearer x',
  })
  expect(edited.body).toEqual({
    webhook: expect.objectContaining({
      currency: 'EUR',
      origin: 'BNA',
      destination: 'https://otro.example',
      receiverAuthorizationConfigured: true,
      version: 2,
    }),
    reconciled: false,
  })
  expect((await client.read(id)).body.webhook.url).toBe('https://otro.example/')

  const bare = await client.edit(id, { version: 2, origin: 'BLUE', receiverAuthorization: null })
  expect(bare.body.webhook).toMatchObject({
    currency: 'EUR',
    origin: 'BLUE',
    receiverAuthorizationConfigured: false,
  })
  expect((await readWebhook(id)).authorizationSealed).toBeNull()
  expect((await client.edit(id, { version: 3, currency: 'CLP' })).status).toBe(400)
  expect((await client.read(id)).body.webhook.version).toBe(3)
})

describe('an edit of an active webhook', () => {
  it('leaves one that waits for capacity waiting', async () => {
    const { client, id } = await aWebhook()
    const waits = { state: 'capacity', needsSync: true } as const
    await changeRows('subscriptions', waits)
    for (const [index, body] of [{ enabled: true }, { origin: 'CCL' }].entries()) {
      const { webhook } = (await client.edit(id, { version: index + 1, ...body })).body
      expect(webhook).toMatchObject({ ...waits, enabled: true, version: index + 2 })
    }
  })

  it('keeps the sync for later while admission is closed, when it can be paused but not activated', async () => {
    const { client, id } = await aWebhook()
    const env = { WEBHOOK_ADMISSION: 'closed' }
    const closed = await openClient({ accountId: client.accountId, env })
    const edited = await closed.edit(id, { version: 1, origin: 'BNA' })
    expect(edited.body.webhook).toMatchObject({ state: 'active', needsSync: true })

    expect((await closed.edit(id, { version: 2, enabled: false })).status).toBe(200)
    const refused = await closed.edit(id, { version: 3, enabled: true })
    expect(refused.status).toBe(503)
    expect(refused.headers.has('Retry-After')).toBe(true)
    expect((await readWebhook(id)).version).toBe(3)
  })
})

it.each([
  ['an edit', { origin: 'BNA' }, { state: 'active', needsSync: true }],
  ['a pause', { enabled: false }, { state: 'manual', needsSync: false, enabled: false }],
])('%s cancels the waiting deliveries of the prior revision', async (_, edit, webhook) => {
  await seedQuote('usd/bna', 1400, 1450.5)
  const { client, id } = await aWebhook()
  await changeRows('subscriptions', { needsSync: !webhook.needsSync })
  const rows = [
    [{ status: 'delivered' }, 'delivered'],
    [{}, 'cancelled'],
    [{ status: 'failed', attempts: 1 }, 'cancelled'],
    [{ type: 'sync' }, 'cancelled'],
    [{ type: 'manual' }, 'pending'],
    [{ status: 'sending' }, 'sending'],
    [{ subscriptionId: crypto.randomUUID() }, 'pending'],
  ] as const
  for (const [row] of rows) await seedDelivery({ subscriptionId: id, ...row })

  const edited = await client.edit(id, { version: 1, ...edit })
  expect(edited.body.webhook).toMatchObject({ ...webhook, version: 2 })
  expect((await readDeliveries()).map(({ status }) => status)).toEqual(
    rows.map(([, status]) => status),
  )
  expect(await readOutstanding()).toBe(3)

  await createFixture().sweep()
  const made = (await readDeliveries()).slice(rows.length)
  if (!webhook.needsSync) return void expect(made).toEqual([])
  expect(client.sent).toEqual([{ v: 1, sweep: true }])
  const sync = { subscriptionId: id, type: 'sync', status: 'pending', revision: 2, pair: 2 }
  expect(made).toMatchObject([sync])
  expect(JSON.parse(made[0]!.body)).toEqual({
    event: 'rate.updated',
    currency: 'USD',
    origin: 'BNA',
    buy: 1400,
    sell: 1450.5,
    prevBuy: 1400,
    prevSell: 1450.5,
    changePct: 0,
    valueType: 'money',
    updatedAt: '2026-03-02T14:55:00.000Z',
    timestamp: expect.stringMatching(/^2026-03-02T15:0/),
  })
})

describe.each(['manual', 'failure', 'inherited'] as const)('a webhook in %s', (state) => {
  const paused = { state, enabled: false }

  it('keeps its state when it is paused, and begins again with one sync when it is activated', async () => {
    await seedQuote('usd/blue', 1400, 1450)
    const client = await openClient()
    const id = await seedWebhook({
      ...paused,
      accountId: client.accountId,
      consecutiveFailures: 10,
      episode: 3,
      revision: 4,
    })
    const { webhook } = (await client.edit(id, { version: 1, enabled: false })).body
    expect(webhook).toMatchObject({ ...paused, version: 2 })
    const answers = await times(20, () => client.edit(id, { version: 2, enabled: true }))

    expect(tally(answers)).toEqual({ 200: 1, 409: 19 })
    expect(client.sent).toHaveLength(1)
    await createFixture().sweep()
    expect(await readWebhook(id)).toMatchObject({
      state: 'active',
      enabled: true,
      consecutiveFailures: 0,
      episode: 4,
      revision: 5,
      syncedRevision: 5,
      needsSync: true,
    })
    expect(await readDeliveries()).toMatchObject([{ type: 'sync', revision: 5 }])
    expect(await readOutstanding()).toBe(1)
  })

  it('is activated only while fewer than five are on, those that wait for capacity included', async () => {
    const client = await openClient()
    const { accountId } = client
    await seedWebhook({ accountId, state: 'capacity' })
    const ids = await times(7, () => seedWebhook({ ...paused, accountId }))
    const answers = await Promise.all(
      ids.map((id) => client.edit(id, { version: 1, enabled: true })),
    )

    expect(tally(answers)).toEqual({ 200: 4, 409: 3 })
    const refused = answers.find(({ status }) => status === 409)!
    expect(refused.body.error).toContain('límite')
  })
})

/** An id of no pair in the catalogue. */
const GONE = 999

it('webhooks of a pair that left the catalogue are in no list, cannot be read, and count towards no limit', async () => {
  const client = await openClient()
  const { accountId } = client
  const quote = { pair: GONE, buy: 1, sell: 2, source: 'test', updatedAt: NOW }
  await insertRow('currentQuotes', quote)
  const ids: string[] = []
  for (const pair of [3, GONE, GONE, GONE, GONE, 3]) {
    const id = await seedWebhook({ accountId, pair })
    ids.push(id)
    await seedDelivery({ accountId, subscriptionId: id, pair, status: 'delivered' })
  }
  const [first, gone, last] = [ids[0]!, ids[1]!, ids.at(-1)!]

  const listed: { id: string }[] = (await client.list()).body.webhooks
  expect(new Set(listed.map(({ id }) => id))).toEqual(new Set([first, last]))
  // No page has a gap.
  const page = await client.deliveries('?limit=1')
  expect(page.body.deliveries).toMatchObject([{ webhookId: last }])
  expect((await client.deliveries(`?limit=1&cursor=${page.body.nextCursor}`)).body).toMatchObject({
    deliveries: [{ webhookId: first }],
    nextCursor: null,
  })
  expect((await client.deliveries(`?webhookId=${gone}`)).body.deliveries).toEqual([])
  for (const answer of [
    await client.read(gone),
    await client.edit(gone, { version: 1, enabled: false }),
    await client.rotate(gone, 1),
    await client.test(gone),
  ])
    expect(answer.status).toBe(404)
  // Its owner could not delete them to make room.
  for (let made = 0; made < 3; made++) await client.made()
  expect((await client.create()).status).toBe(409)
})

async function aWebhook(changes: Record<string, unknown> = {}) {
  const client = await openClient()
  return { client, id: (await client.made(changes)).id }
}
