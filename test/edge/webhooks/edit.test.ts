import { describe, expect, it } from 'vitest'
import { type Client, openClient, tally, times } from '../../support/webhook-client.ts'
import {
  readDeliveries,
  readOutstanding,
  readWebhook,
  seedDelivery,
  seedQuote,
  seedWebhook,
  setOutstanding,
} from '../../support/webhooks.ts'
import { changeRows } from '../../support/rows.ts'

describe('PATCH', () => {
  it('changes what is given and tells the webhook', async () => {
    const { client, id } = await aWebhook()
    const edited = await client.edit(id, {
      version: 1,
      url: 'https://OTRO.example',
      currency: 'EUR',
      origin: 'BNA',
      receiverAuthorization: 'Bearer x',
    })

    expect(edited.status).toBe(200)
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
  })

  it('takes an origin alone, and refuses the pair that does not exist', async () => {
    const { client, id } = await aWebhook()

    expect((await client.edit(id, { version: 1, origin: 'CCL' })).body.webhook).toMatchObject({
      currency: 'USD',
      origin: 'CCL',
    })
    expect((await client.edit(id, { version: 2, currency: 'UYU' })).status).toBe(400)
    expect((await client.read(id)).body.webhook.version).toBe(2)
  })

  it('removes the receiver authorization with null', async () => {
    const { client, id } = await aWebhook({ receiverAuthorization: 'Bearer x' })
    const edited = await client.edit(id, { version: 1, receiverAuthorization: null })

    expect(edited.body.webhook.receiverAuthorizationConfigured).toBe(false)
    expect((await readWebhook(id)).authorizationSealed).toBeNull()
  })

  it('refuses a destination with its reason, changing nothing', async () => {
    const { client, id } = await aWebhook()
    const refused = await client.edit(id, { version: 1, url: 'https://127.0.0.1/' })

    expect(refused.status).toBe(400)
    expect(refused.body.error).toBe('La dirección IP de la URL no es pública')
    expect((await client.read(id)).body.webhook.version).toBe(1)
  })

  it('lets one of 20 at once through', async () => {
    const { client, id } = await aWebhook()
    const answers = await times(20, (index) =>
      client.edit(id, { version: 1, url: `https://receptor.example/${index}` }),
    )

    expect(tally(answers)).toEqual({ 200: 1, 409: 19 })
    const winner = answers.findIndex(({ status }) => status === 200)
    const { webhook } = (await client.read(id)).body
    expect(webhook).toMatchObject({ version: 2, url: `https://receptor.example/${winner}` })
  })

  it('that changes nothing grows the version and touches nothing else', async () => {
    await seedQuote('usd/blue', 1420, 1440)
    const { client, id } = await aWebhook({ receiverAuthorization: 'Bearer x' })
    const waiting = await seedDelivery({ subscriptionId: id })
    for (const [index, body] of [
      {},
      { enabled: true },
      { url: 'HTTPS://receptor.example:443/hooks/una-ruta?clave=una-clave' },
      { currency: 'USD', origin: 'BLUE' },
      { receiverAuthorization: 'Bearer x' },
    ].entries()) {
      const edited = await client.edit(id, { version: index + 1, ...body })
      expect(edited.status).toBe(200)
      expect(edited.body.webhook).toMatchObject({ version: index + 2, needsSync: false })
    }
    expect(await readDeliveries()).toMatchObject([{ id: waiting, status: 'pending' }])
  })
})

describe('an edit of an active webhook', () => {
  it('cancels what waits of the prior revision and makes one sync of the value in effect', async () => {
    await seedQuote('usd/bna', 1400, 1450.5)
    const { client, id } = await aWebhook()
    const delivered = await seedDelivery({ subscriptionId: id, status: 'delivered' })
    const pending = await seedDelivery({ subscriptionId: id })
    const failed = await seedDelivery({ subscriptionId: id, status: 'failed', attempts: 1 })
    const sync = await seedDelivery({ subscriptionId: id, type: 'sync' })
    const test = await seedDelivery({ subscriptionId: id, type: 'manual' })
    const sending = await seedDelivery({ subscriptionId: id, status: 'sending' })
    const others = await seedDelivery({ subscriptionId: crypto.randomUUID() })

    const edited = await client.edit(id, { version: 1, origin: 'BNA' })
    expect(edited.body.webhook).toMatchObject({ state: 'active', needsSync: true, version: 2 })

    const deliveries = await readDeliveries()
    const statusOf = (id: number) => deliveries.find((row) => row.id === id)?.status
    expect([pending, failed, sync].map(statusOf)).toEqual(['cancelled', 'cancelled', 'cancelled'])
    expect([test, sending, delivered, others].map(statusOf)).toEqual([
      'pending',
      'sending',
      'delivered',
      'pending',
    ])

    const made = deliveries.at(-1)!
    expect(made).toMatchObject({
      subscriptionId: id,
      type: 'sync',
      status: 'pending',
      revision: 2,
      pair: 2,
    })
    expect(JSON.parse(made.body)).toEqual({
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
    expect(client.sent).toEqual([{ v: 1, deliveryId: made.id }])
    expect(await readOutstanding()).toBe(4)
  })

  it('waits in capacity when there is none for its sync', async () => {
    await seedQuote('usd/blue', 1400, 1450)
    const { client, id } = await aWebhook({}, { DELIVERY_CAPACITY: '10' })
    await setOutstanding(10)
    const edited = await client.edit(id, { version: 1, url: 'https://otro.example/' })

    expect(edited.body.webhook).toMatchObject({
      state: 'capacity',
      enabled: true,
      needsSync: true,
      version: 2,
    })
    expect(await readDeliveries()).toEqual([])
    expect(await readOutstanding()).toBe(10)
  })

  it('owes the sync while its pair has no quote, and while admission is closed', async () => {
    const { client, id } = await aWebhook()
    const unquoted = await client.edit(id, { version: 1, url: 'https://otro.example/' })
    expect(unquoted.body.webhook).toMatchObject({ state: 'active', needsSync: true })

    await seedQuote('usd/blue', 1400, 1450)
    const closed = await openClient({
      email: 'b@ejemplo.com',
      env: { WEBHOOK_ADMISSION: 'closed' },
    })
    const mine = await seedWebhook({ accountId: closed.accountId })
    const edited = await closed.edit(mine.id!, { version: 1, url: 'https://otro.example/' })
    expect(edited.status).toBe(200)
    expect(edited.body.webhook).toMatchObject({ state: 'active', needsSync: true })
    expect(await readDeliveries()).toEqual([])
  })

  it('succeeds when the queue refuses the hint', async () => {
    await seedQuote('usd/blue', 1400, 1450)
    const { client, id } = await aWebhook({}, { DELIVERIES: brokenQueue })
    const edited = await client.edit(id, { version: 1, url: 'https://otro.example/' })

    expect(edited.status).toBe(200)
    expect(await readDeliveries()).toMatchObject([{ type: 'sync', status: 'pending' }])
  })
})

describe('a pause', () => {
  it('cancels what waits, clears needsSync and keeps tests', async () => {
    const { client, id } = await aWebhook()
    await changeRows('subscriptions', { needsSync: true })
    await seedDelivery({ subscriptionId: id })
    await seedDelivery({ subscriptionId: id, type: 'sync', status: 'failed' })
    await seedDelivery({ subscriptionId: id, type: 'manual' })
    await seedDelivery({ subscriptionId: id, status: 'sending' })

    const paused = await client.edit(id, { version: 1, enabled: false })
    expect(paused.body.webhook).toMatchObject({
      state: 'manual',
      enabled: false,
      needsSync: false,
      version: 2,
    })
    expect((await readDeliveries()).map(({ status }) => status)).toEqual([
      'cancelled',
      'cancelled',
      'pending',
      'sending',
    ])
    expect(await readOutstanding()).toBe(2)
  })

  it('works while admission is closed', async () => {
    const client = await openClient({ env: { WEBHOOK_ADMISSION: 'closed' } })
    const { id } = await seedWebhook({ accountId: client.accountId })

    expect((await client.edit(id!, { version: 1, enabled: false })).status).toBe(200)
  })

  it('of a paused webhook leaves its state as it is', async () => {
    const client = await openClient()
    for (const state of ['manual', 'failure', 'inherited'] as const) {
      const { id } = await seedWebhook({ accountId: client.accountId, state, enabled: false })
      const paused = await client.edit(id!, { version: 1, enabled: false })
      expect(paused.body.webhook).toMatchObject({ state, version: 2, needsSync: false })
    }
  })
})

describe('an activation', () => {
  it.each(['manual', 'failure', 'inherited'] as const)(
    'of %s starts anew with one sync',
    async (state) => {
      await seedQuote('usd/blue', 1400, 1450)
      const client = await openClient()
      const { id } = await seedWebhook({
        accountId: client.accountId,
        state,
        enabled: false,
        consecutiveFailures: 10,
        episode: 3,
        revision: 4,
      })
      const answers = await times(20, () => client.edit(id!, { version: 1, enabled: true }))

      expect(tally(answers)).toEqual({ 200: 1, 409: 19 })
      expect(await readWebhook(id!)).toMatchObject({
        state: 'active',
        enabled: true,
        consecutiveFailures: 0,
        episode: 4,
        revision: 5,
        syncedRevision: 5,
        needsSync: true,
      })
      expect(await readDeliveries()).toMatchObject([{ type: 'sync', revision: 5 }])
      expect(client.sent).toHaveLength(1)
      expect(await readOutstanding()).toBe(1)
    },
  )

  it('is refused while admission is closed', async () => {
    const client = await openClient({ env: { WEBHOOK_ADMISSION: 'closed' } })
    const { id } = await seedWebhook({
      accountId: client.accountId,
      state: 'manual',
      enabled: false,
    })
    const refused = await client.edit(id!, { version: 1, enabled: true })

    expect(refused.status).toBe(503)
    expect(refused.headers.has('Retry-After')).toBe(true)
    expect((await readWebhook(id!)).version).toBe(1)
  })

  it('leaves at most five on, however many want to at once', async () => {
    await seedQuote('usd/blue', 1400, 1450)
    const client = await openClient()
    const inherited = await times(9, () =>
      seedWebhook({ accountId: client.accountId, state: 'inherited', enabled: false }),
    )
    const answers = await Promise.all(
      inherited.map(({ id }) => client.edit(id!, { version: 1, enabled: true })),
    )

    expect(tally(answers)).toEqual({ 200: 5, 409: 4 })
    expect(await readDeliveries()).toHaveLength(5)
  })

  it('counts those that wait for capacity as on', async () => {
    const client = await openClient()
    for (let index = 0; index < 5; index++)
      await seedWebhook({ accountId: client.accountId, state: 'capacity' })
    const { id } = await seedWebhook({
      accountId: client.accountId,
      state: 'manual',
      enabled: false,
    })

    const refused = await client.edit(id!, { version: 1, enabled: true })
    expect(refused.status).toBe(409)
    expect(refused.body.error).toContain('límite')
  })

  it('of a webhook in capacity leaves it so', async () => {
    await seedQuote('usd/blue', 1400, 1450)
    const client = await openClient()
    const { id } = await seedWebhook({
      accountId: client.accountId,
      state: 'capacity',
      needsSync: true,
    })
    const edited = await client.edit(id!, { version: 1, enabled: true })
    expect(edited.body.webhook).toMatchObject({ state: 'capacity', needsSync: true, version: 2 })

    const moved = await client.edit(id!, { version: 2, url: 'https://otro.example/' })
    expect(moved.body.webhook).toMatchObject({ state: 'capacity', needsSync: true, version: 3 })
    expect(await readDeliveries()).toEqual([])
  })
})

const brokenQueue = {
  sendBatch: async () => {
    throw new Error('Too Many Requests')
  },
}

async function aWebhook(
  changes: Record<string, unknown> = {},
  variables: Record<string, unknown> = {},
): Promise<{ client: Client; id: string }> {
  const client = await openClient({ env: variables })
  const { body } = await client.create(changes)
  return { client, id: body.webhook.id }
}
