import { describe, expect, it } from 'vitest'
import { openKeyring } from '../../../shared/crypto/keyring.ts'
import { unseal } from '../../../shared/crypto/sealed-box.ts'
import { env } from '../../support/env.ts'
import {
  ALERTS,
  KINDS,
  NOW,
  openClient,
  tally,
  times,
  WEBHOOKS,
} from '../../support/webhook-client.ts'
import {
  readDeliveries,
  readOutstanding,
  readWebhook,
  seedDelivery,
} from '../../support/webhooks.ts'
import { changeRows, insertRow, readRows } from '../../support/rows.ts'

const ROOT = { webhook: WEBHOOKS, alert: ALERTS }
const NOT_FOUND = { webhook: 'Webhook no encontrado', alert: 'Alerta no encontrada' }

describe.each(KINDS)('%s:', (kind) => {
  describe('rotate-secret', () => {
    it('shows a new secret once and keeps everything else', async () => {
      const client = await openClient({ kind })
      const { secret, ...created } = await client.made()
      const { id } = created
      await seedDelivery({ subscriptionId: id })
      const rotated = await client.rotate(id, 1)

      expect(rotated.status).toBe(200)
      expect(rotated.body).toEqual({
        [kind]: { ...created, version: 2 },
        secret: expect.stringMatching(/^[0-9a-f]{64}$/),
        reconciled: false,
      })
      expect(rotated.body.secret).not.toBe(secret)
      expect(await secretOf(id)).toBe(rotated.body.secret)
      expect(await readDeliveries()).toMatchObject([{ status: 'pending' }])
    })

    it('lets one of 20 at once through', async () => {
      const client = await openClient({ kind })
      const { id } = await client.made()
      const answers = await times(20, () => client.rotate(id, 1))

      expect(tally(answers)).toEqual({ 200: 1, 409: 19 })
      const winner = answers.find(({ status }) => status === 200)!
      expect(await secretOf(id)).toBe(winner.body.secret)
    })

    it('is refused while an attempt holds its lease, tests too, and works after it', async () => {
      const client = await openClient({ kind })
      const { id } = await client.made()
      const leaseUntil = NOW + 20_000
      await seedDelivery({ subscriptionId: id, type: 'manual', status: 'sending', leaseUntil })

      const refused = await client.rotate(id, 1)
      expect(refused.status).toBe(409)
      expect(refused.body.error).toContain('en curso')
      expect((await readWebhook(id)).version).toBe(1)

      client.clock.now = leaseUntil
      expect((await client.rotate(id, 1)).status).toBe(200)
    })

    it('does not care for another’s attempt', async () => {
      const client = await openClient({ kind })
      const { id } = await client.made()
      await seedDelivery({ status: 'sending', leaseUntil: NOW + 20_000 })

      expect((await client.rotate(id, 1)).status).toBe(200)
    })

    it('works while admission is closed', async () => {
      const client = await openClient({ kind, env: { WEBHOOK_ADMISSION: 'closed' } })
      const open = await openClient({ kind, email: 'b@ejemplo.com' })
      const { id } = await open.made()
      await changeRows('subscriptions', { accountId: client.accountId })

      expect((await client.rotate(id, 1)).status).toBe(200)
    })
  })

  describe('DELETE', () => {
    it('removes it, its deliveries, its notices and their capacity, a send in flight too', async () => {
      const client = await openClient({ kind })
      const { id } = await client.made()
      const { accountId } = client
      await seedDelivery({
        subscriptionId: id,
        accountId,
        status: 'sending',
        leaseUntil: NOW + 20_000,
      })
      await seedDelivery({ subscriptionId: id, accountId, type: 'manual' })
      await seedDelivery({ subscriptionId: id, accountId, status: 'delivered' })
      const other = await seedDelivery({ accountId })
      await insertRow('notices', { subscriptionId: id, episode: 1, createdAt: 0 })

      const removed = await client.remove(id, 1)
      expect(removed.status).toBe(200)
      expect(removed.body).toEqual({ deleted: true })

      expect(await readDeliveries()).toMatchObject([{ id: other }])
      expect(await readOutstanding()).toBe(1)
      const left = (await readDeliveries())[0]!.subscriptionId
      expect(await readRows('subscriptions')).toMatchObject([{ id: left }])
      expect(await readRows('notices')).toEqual([])
      expect((await client.read(id)).status).toBe(404)
      expect((await client.remove(id, 1)).status).toBe(404)
    })

    it('lets one of 20 at once through, and none with another version', async () => {
      const client = await openClient({ kind })
      const { id } = await client.made()
      await seedDelivery({ subscriptionId: id, accountId: client.accountId })

      expect((await client.remove(id, 2)).status).toBe(409)
      expect(await readDeliveries()).toHaveLength(1)
      expect(tally(await times(20, () => client.remove(id, 1)))).toEqual({ 200: 1, 404: 19 })
      expect(await readOutstanding()).toBe(0)
    })

    it('frees the operation id', async () => {
      const client = await openClient({ kind })
      const operationId = crypto.randomUUID()
      const { id } = await client.made({ operationId })
      await client.remove(id, 1)
      const again = await client.create({ operationId })

      expect(again.status).toBe(201)
      expect(again.body[kind].id).not.toBe(id)
    })
  })

  describe('one of another, of nobody, or deleted', () => {
    it('answers the same 404 to every method', async () => {
      const ana = await openClient({ kind })
      const beto = await openClient({ kind, email: 'beto@ejemplo.com.ar' })
      const foreign = (await beto.made()).id
      const deleted = (await ana.made()).id
      await ana.remove(deleted, 1)

      for (const id of [foreign, deleted, crypto.randomUUID()]) {
        const answers = [
          await ana.read(id),
          await ana.edit(id, { version: 1, enabled: false }),
          await ana.edit(id, { version: 9, currency: 'UYU' }),
          await ana.rotate(id, 1),
          await ana.test(id),
          await ana.remove(id, 1),
        ]
        for (const { status, body, headers } of answers) {
          expect({ status, body }).toEqual({ status: 404, body: { error: NOT_FOUND[kind] } })
          expect(headers.get('Cache-Control')).toBe('no-store')
        }
      }
      expect((await beto.read(foreign)).body[kind].version).toBe(1)
    })

    it.each(['AAAAAAAA-0000-4000-8000-00000000000A', '1', 'system', '..%2F', 'a'.repeat(300)])(
      'and an id "%s" that is no UUID in lower case too',
      async (id) => {
        const client = await openClient({ kind })
        for (const answer of [
          await client.read(id),
          await client.edit(id, { version: 1 }),
          await client.rotate(id, 1),
          await client.test(id),
          await client.remove(id, 1),
        ])
          expect(answer.status).toBe(404)
      },
    )
  })

  describe('without a key', () => {
    it.each([
      ['GET', ''],
      ['POST', ''],
      ['GET', '/00000000-0000-4000-8000-000000000000'],
      ['PATCH', '/00000000-0000-4000-8000-000000000000'],
      ['DELETE', '/00000000-0000-4000-8000-000000000000'],
      ['POST', '/00000000-0000-4000-8000-000000000000/rotate-secret'],
      ['POST', '/00000000-0000-4000-8000-000000000000/test'],
      ['GET', '/deliveries'],
    ])('%s %s is 401, and a key in the query is none', async (method, path) => {
      const client = await openClient({ kind })
      const { key } = client
      for (const query of ['', `?api_key=${key}`, `?key=${key}&access_token=${key}`]) {
        const refused = await client.send(method, `${ROOT[kind]}${path}${query}`, {
          headers: { 'x-api-key': '' },
        })
        expect(refused.status).toBe(401)
        expect(refused.headers.get('Cache-Control')).toBe('no-store')
      }
    })
  })

  it.each([
    ['POST', '/deliveries', 'GET, HEAD, OPTIONS'],
    ['PATCH', '/deliveries', 'GET, HEAD, OPTIONS'],
    ['DELETE', '', 'GET, HEAD, POST, OPTIONS'],
    ['POST', '/00000000-0000-4000-8000-000000000000', 'GET, HEAD, PATCH, DELETE, OPTIONS'],
    ['GET', '/00000000-0000-4000-8000-000000000000/test', 'POST, OPTIONS'],
  ])('%s %s is 405', async (method, path, allow) => {
    const client = await openClient({ kind })
    const refused = await client.send(method, `${ROOT[kind]}${path}`)

    expect(refused.status).toBe(405)
    expect(refused.headers.get('Allow')).toBe(allow)
  })
})

async function secretOf(id: string): Promise<string | null> {
  const { secretSealed } = await readWebhook(id)
  const address = { table: 'subscriptions', column: 'secret_sealed', id }
  const opened = await unseal(openKeyring(env.KEY_ENCRYPTION_KEYS), address, secretSealed)
  return opened.ok ? opened.value : null
}
