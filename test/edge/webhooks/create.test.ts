import { describe, expect, it } from 'vitest'
import { env } from '../../support/env.ts'
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

  it('says that a receiver authorization is configured, never which', async () => {
    const client = await openClient()
    const receiverAuthorization = 'Bearer a-receiver-credential'
    const created = await client.create({ receiverAuthorization })
    const read = await client.read(created.body.webhook.id)

    expect(created.body.webhook.receiverAuthorizationConfigured).toBe(true)
    for (const { text } of [created, read, await client.call('GET', WEBHOOKS)])
      expect(text).not.toContain('a-receiver-credential')
  })

  it('gives the first webhook when an operation is repeated, even with another body', async () => {
    const client = await openClient()
    const operationId = crypto.randomUUID()
    const first = await client.create({ operationId })
    const again = await client.create({ operationId, origin: 'BNA', url: 'https://otro.example/' })

    expect(again.status).toBe(200)
    expect(again.body).toEqual({ webhook: first.body.webhook, reconciled: true })
  })

  it('lets two accounts use the same operation id', async () => {
    const operationId = crypto.randomUUID()
    const ana = await openClient()
    const beto = await openClient({ email: 'beto@ejemplo.com.ar' })

    expect((await ana.create({ operationId })).status).toBe(201)
    expect((await beto.create({ operationId })).status).toBe(201)
  })

  it('makes one of 20 identical at once, and shows its secret to one', async () => {
    const client = await openClient()
    const operationId = crypto.randomUUID()
    const answers = await times(20, () => client.create({ operationId }))

    expect(tally(answers)).toEqual({ 200: 19, 201: 1 })
    expect(answers.filter(({ text }) => text.includes('secret'))).toHaveLength(1)
    expect(answers.filter(({ body }) => body.reconciled)).toHaveLength(19)
    expect(new Set(answers.map(({ body }) => body.webhook.id)).size).toBe(1)
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

  it('refuses an account that was deleted on the way', async () => {
    const client = await openClient()
    await env.DB.prepare(
      `create trigger gone after update on api_keys begin delete from accounts; END`,
    ).run()

    expect((await client.create()).status).not.toBe(201)
    const { results } = await env.DB.prepare('select * from webhooks').all()
    expect(results).toEqual([])
  })
})

describe('while admission is closed', () => {
  const closed = { WEBHOOK_ADMISSION: 'closed' }

  it('says that the feature is in preparation, and when to come back', async () => {
    const client = await openClient({ env: closed })
    const refused = await client.create()

    expect(refused.status).toBe(503)
    expect(refused.body.error).toContain('en preparación')
    expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThanOrEqual(1)
  })

  it('returns what was made before', async () => {
    const client = await openClient({ env: closed })
    const { id, operationId } = await seedWebhook({ accountId: client.accountId })
    const again = await client.create({ operationId })

    expect(again.status).toBe(200)
    expect(again.body).toMatchObject({ webhook: { id }, reconciled: true })
    expect(again.body).not.toHaveProperty('secret')
  })
})
