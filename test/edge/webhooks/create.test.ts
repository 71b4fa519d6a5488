import { describe, expect, it } from 'vitest'
import { NOW, openClient, tally, times, WEBHOOKS } from '../../support/webhook-client.ts'
import { seedWebhook } from '../../support/webhooks.ts'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

describe('POST /api/v2/webhooks', () => {
  it('makes a webhook and shows its secret once', async () => {
    const client = await openClient()
    const operationId = crypto.randomUUID()
    const created = await client.create({ operationId })

    expect(created.status).toBe(201)
    expect(created.headers.get('Cache-Control')).toBe('no-store')
    expect(created.body).toEqual({
      webhook: {
        id: expect.stringMatching(UUID),
        operationId,
        currency: 'USD',
        origin: 'BLUE',
        destination: 'https://receptor.example/***',
        enabled: true,
        receiverAuthorizationConfigured: false,
        state: 'active',
        source: 'v2',
        version: 1,
        needsSync: false,
        createdAt: new Date(NOW).toISOString(),
      },
      secret: expect.stringMatching(/^[0-9a-f]{64}$/),
      reconciled: false,
    })

    const read = await client.read(created.body.webhook.id)
    expect(read.body).toEqual({
      webhook: {
        ...created.body.webhook,
        url: 'https://receptor.example/hooks/una-ruta?clave=una-clave',
      },
    })
    const list = await client.call('GET', WEBHOOKS)
    expect(list.body).toEqual({ webhooks: [created.body.webhook], limit: 5 })
    expect(client.sent).toEqual([])
  })

  it('makes it paused where asked, and on where nothing is said', async () => {
    const client = await openClient()

    expect((await client.create({ enabled: false })).body.webhook).toMatchObject({
      enabled: false,
      state: 'manual',
    })
    expect((await client.create({ enabled: undefined })).body.webhook).toMatchObject({
      enabled: true,
      state: 'active',
    })
  })

  it('makes five of 20 different at once', async () => {
    const client = await openClient()
    const answers = await times(20, () => client.create())

    expect(tally(answers)).toEqual({ 201: 5, 409: 15 })
    expect((await client.call('GET', WEBHOOKS)).body.webhooks).toHaveLength(5)
  })

  it('returns an earlier webhook when the account is full', async () => {
    const client = await openClient()
    const operationId = crypto.randomUUID()
    await client.create({ operationId })
    await times(4, () => client.create())

    expect((await client.create()).status).toBe(409)
    expect((await client.create({ operationId })).status).toBe(200)
  })

  it('counts inherited webhooks, and takes another when one is deleted', async () => {
    const client = await openClient()
    const inherited = await Promise.all(
      [1, 2, 3, 4, 5, 6].map(() =>
        seedWebhook({
          accountId: client.accountId,
          state: 'inherited',
          enabled: false,
          source: 'v1',
        }),
      ),
    )
    expect((await client.create()).status).toBe(409)

    for (const { id } of inherited.slice(0, 2))
      expect((await client.remove(id, 1)).status).toBe(200)
    expect((await client.create()).status).toBe(201)
    expect((await client.create()).status).toBe(409)
  })

  it.each(['CLP/BLUE', 'ARG/BNA', 'EUR/RIESGO'])('refuses %s, which is no pair', async (key) => {
    const client = await openClient()
    const [currency, origin] = key.split('/')
    const refused = await client.create({ currency, origin })

    expect(refused.status).toBe(400)
    expect(refused.body).toEqual({ error: expect.any(String) })
  })
})
