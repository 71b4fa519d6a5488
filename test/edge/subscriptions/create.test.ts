import { describe, expect, it } from 'vitest'
import { env } from '../../support/env.ts'
import { KINDS, openClient, tally, times } from '../../support/account-client.ts'
import { readRows } from '../../support/rows.ts'
import { NOW, seedWebhook } from '../../support/webhooks.ts'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

describe.each(KINDS)('%s:', (kind) => {
  it('two accounts may use the same operation id, and get different secrets', async () => {
    const operationId = crypto.randomUUID()
    const ana = await (await openClient({ kind })).made({ operationId })
    const beto = await openClient({ kind, email: 'beto@ejemplo.com.ar' })
    expect((await beto.made({ operationId })).secret).not.toBe(ana.secret)
  })

  it('20 concurrent requests make one, and one of them gets the secret; later ones are reconciled, whatever their body', async () => {
    const client = await openClient({ kind })
    const operationId = crypto.randomUUID()
    const answers = await times(20, () => client.create({ operationId }))

    expect(tally(answers)).toEqual({ 200: 19, 201: 1 })
    expect(answers.filter(({ text }) => text.includes('secret'))).toHaveLength(1)
    expect(answers.filter(({ body }) => body.reconciled)).toHaveLength(19)
    const [made, ...others] = new Set(answers.map(({ body }) => JSON.stringify(body[kind])))
    expect(others).toEqual([])

    const again = await client.create({ operationId, origin: 'BNA', url: 'https://otro.example/' })
    expect(again.body).toEqual({ [kind]: JSON.parse(made!), reconciled: true })
  })

  it('an account has a limit, under concurrency too; the other kind does not count towards it', async () => {
    const client = await openClient({ kind })
    const { accountId } = client
    const other = await openClient({ kind: kind === 'alert' ? 'webhook' : 'alert', accountId })
    await times(5, () => other.made())
    const { operationId } = await client.made()
    const limit = { webhook: 5, alert: 20 }[kind]
    await times(limit - 3, () => client.made({ enabled: false }))
    expect(tally(await times(20, () => client.create()))).toEqual({ 201: 2, 409: 18 })
    expect((await client.create({ operationId })).status).toBe(200)
    expect((await other.list()).body[`${kind === 'alert' ? 'webhook' : 'alert'}s`]).toHaveLength(5)
  })

  it('nothing is made for an account that was deleted meanwhile', async () => {
    const client = await openClient({ kind })
    await env.DB.prepare(
      `create trigger gone after update on api_keys begin delete from accounts; END`,
    ).run()

    expect((await client.create()).status).not.toBe(201)
    expect(await readRows('subscriptions')).toEqual([])
  })

  it('nothing is made while admission is closed; a repeated creation is answered', async () => {
    const open = await openClient({ kind })
    const { operationId, secret: _, ...made } = await open.made()
    const { accountId } = open
    const client = await openClient({ kind, accountId, env: { WEBHOOK_ADMISSION: 'closed' } })

    const refused = await client.create()
    expect(refused.status).toBe(503)
    expect(refused.body.error).toContain('en preparación')
    expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThanOrEqual(1)
    const again = await client.create({ operationId })
    expect(again).toMatchObject({ status: 200, body: { [kind]: made, reconciled: true } })
    expect(again.body).not.toHaveProperty('secret')
  })
})

it('a creation answers every field of the webhook, and its secret only once', async () => {
  const client = await openClient()
  const operationId = crypto.randomUUID()
  const created = await client.create({ operationId, enabled: undefined })

  expect(created.status).toBe(201)
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
  const { webhook } = created.body
  const url = 'https://receptor.example/hooks/una-ruta?clave=una-clave'
  expect((await client.read(webhook.id)).body).toEqual({ webhook: { ...webhook, url } })
  expect((await client.list()).body).toEqual({ webhooks: [webhook], limit: 5 })
  expect(client.sent).toEqual([])
  const paused = (await client.create({ enabled: false })).body.webhook
  expect(paused).toMatchObject({ enabled: false, state: 'manual' })
})

it('inherited webhooks count towards the limit of five', async () => {
  const client = await openClient()
  const { accountId } = client
  const inherited = { accountId, state: 'inherited', enabled: false, source: 'v1' } as const
  const ids = await times(6, () => seedWebhook(inherited))
  expect((await client.create()).status).toBe(409)
  for (const id of ids.slice(0, 2)) expect((await client.remove(id, 1)).status).toBe(200)
  expect(tally(await times(2, () => client.create()))).toEqual({ 201: 1, 409: 1 })
})
