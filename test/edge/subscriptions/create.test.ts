/** What creating a webhook and creating an alert have in common. */
import { describe, expect, it } from 'vitest'
import { env } from '../../support/env.ts'
import { KINDS, openClient, tally, times } from '../../support/webhook-client.ts'
import { readRows } from '../../support/rows.ts'

describe.each(KINDS)('%s:', (kind) => {
  it('says that a receiver authorization is configured, never which', async () => {
    const client = await openClient({ kind })
    const receiverAuthorization = 'Bearer a-receiver-credential'
    const created = await client.create({ receiverAuthorization })
    const read = await client.read(created.body[kind].id)

    expect(created.body[kind].receiverAuthorizationConfigured).toBe(true)
    for (const { text } of [created, read, await client.list()])
      expect(text).not.toContain('a-receiver-credential')
  })

  it('gives the first when an operation is repeated, even with another body', async () => {
    const client = await openClient({ kind })
    const operationId = crypto.randomUUID()
    const first = await client.create({ operationId })
    const again = await client.create({ operationId, origin: 'BNA', url: 'https://otro.example/' })

    expect(again.status).toBe(200)
    expect(again.body).toEqual({ [kind]: first.body[kind], reconciled: true })
  })

  it('lets two accounts use the same operation id', async () => {
    const operationId = crypto.randomUUID()
    const ana = await openClient({ kind })
    const beto = await openClient({ kind, email: 'beto@ejemplo.com.ar' })

    expect((await ana.create({ operationId })).status).toBe(201)
    expect((await beto.create({ operationId })).status).toBe(201)
  })

  it('makes one of 20 identical at once, and shows its secret to one', async () => {
    const client = await openClient({ kind })
    const operationId = crypto.randomUUID()
    const answers = await times(20, () => client.create({ operationId }))

    expect(tally(answers)).toEqual({ 200: 19, 201: 1 })
    expect(answers.filter(({ text }) => text.includes('secret'))).toHaveLength(1)
    expect(answers.filter(({ body }) => body.reconciled)).toHaveLength(19)
    expect(new Set(answers.map(({ body }) => body[kind].id)).size).toBe(1)
  })

  it('refuses an account that was deleted on the way', async () => {
    const client = await openClient({ kind })
    await env.DB.prepare(
      `create trigger gone after update on api_keys begin delete from accounts; END`,
    ).run()

    expect((await client.create()).status).not.toBe(201)
    expect(await readRows('subscriptions')).toEqual([])
  })

  describe('while admission is closed', () => {
    const closed = { WEBHOOK_ADMISSION: 'closed' }

    it('says that the feature is in preparation, and when to come back', async () => {
      const client = await openClient({ kind, env: closed })
      const refused = await client.create()

      expect(refused.status).toBe(503)
      expect(refused.body.error).toContain('en preparación')
      expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThanOrEqual(1)
    })

    it('returns what was made before', async () => {
      const open = await openClient({ kind })
      const { operationId, secret: _, ...made } = await open.made()
      const { accountId } = open
      const client = await openClient({ kind, accountId, env: closed })
      const again = await client.create({ operationId })

      expect(again.status).toBe(200)
      expect(again.body).toMatchObject({ [kind]: made, reconciled: true })
      expect(again.body).not.toHaveProperty('secret')
    })
  })
})
