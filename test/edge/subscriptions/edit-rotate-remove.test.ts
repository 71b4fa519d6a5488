import { describe, expect, it } from 'vitest'
import { unseal } from '../../../shared/crypto/sealed-box.ts'
import { KINDS, openClient, tally, times } from '../../support/account-client.ts'
import {
  keyring,
  NOW,
  readDeliveries,
  readOutstanding,
  readWebhook,
  seedDelivery,
  seedQuote,
} from '../../support/webhooks.ts'
import { insertRow, readRows } from '../../support/rows.ts'

const NOT_FOUND = { webhook: 'Webhook no encontrado', alert: 'Alerta no encontrada' }

const CHANGED = {
  webhook: 'El webhook cambió: su versión ya no es la indicada',
  alert: 'La alerta cambió: su versión ya no es la indicada',
}

const urlOf = (index: number) => `https://receptor.example/${index}`

describe.each(KINDS)('%s:', (kind) => {
  it.each(['edit', 'rotation'])('of 20 concurrent requests one succeeds: %s', async (what) => {
    const client = await openClient({ kind })
    const { id } = await client.made()
    const answers = await times(20, (index) =>
      what === 'edit' ? client.edit(id, { version: 1, url: urlOf(index) }) : client.rotate(id, 1),
    )

    expect(tally(answers)).toEqual({ 200: 1, 409: 19 })
    expect(answers.find(({ status }) => status === 409)!.body).toEqual({ error: CHANGED[kind] })
    const winner = answers.findIndex(({ status }) => status === 200)
    const { version, url } = (await client.read(id)).body[kind]
    if (what === 'edit') expect([version, url]).toEqual([2, urlOf(winner)])
    else expect(await secretOf(id)).toBe(answers[winner]!.body.secret)
  })

  it('an edit that changes nothing increments the version and cancels nothing', async () => {
    await seedQuote('usd/blue', 1420, 1440)
    const client = await openClient({ kind })
    const { id } = await client.made({ receiverAuthorization: 'Bearer x' })
    const before = (await client.read(id)).body[kind]
    const waiting = await seedDelivery({ subscriptionId: id })
    const edits = [
      { enabled: true },
      { url: 'HTTPS://receptor.example:443/hooks/una-ruta?clave=una-clave' },
      { currency: 'USD', origin: 'BLUE' },
      { receiverAuthorization: 'Bearer x' },
      ...(kind === 'alert' ? [{ threshold: 1500, repeat: false }] : []),
    ]
    for (const [index, body] of edits.entries()) {
      const version = index + 1
      expect((await client.edit(id, { version, ...body })).status).toBe(200)
      const edited = (await client.read(id)).body[kind]
      expect(edited).toEqual({ ...before, version: version + 1 })
    }
    expect(await readDeliveries()).toMatchObject([{ id: waiting, status: 'pending' }])
  })

  it('rotate-secret shows a new secret and keeps everything else, whatever others send and with admission closed', async () => {
    const client = await openClient({ kind })
    const { secret, ...created } = await client.made()
    const { id } = created
    await seedDelivery({ subscriptionId: id })
    await seedDelivery({ status: 'sending', leaseUntil: NOW + 20_000 })
    const env = { WEBHOOK_ADMISSION: 'closed' }
    const closed = await openClient({ kind, accountId: client.accountId, env })
    const rotated = await closed.rotate(id, 1)

    expect(rotated.body).toEqual({
      [kind]: { ...created, version: 2 },
      secret: expect.stringMatching(/^[0-9a-f]{64}$/),
      reconciled: false,
    })
    const again = (await closed.rotate(id, 2)).body.secret
    expect(new Set([secret, rotated.body.secret, again]).size).toBe(3)
    expect(await secretOf(id)).toBe(again)
    expect(await readDeliveries()).toMatchObject([{ status: 'pending' }, { status: 'sending' }])
  })

  it('rotate-secret is refused while an attempt holds its lease, tests too, and works after it', async () => {
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

  it('DELETE removes it with its deliveries, notices and firings, and frees their capacity, even with an attempt in flight', async () => {
    const client = await openClient({ kind })
    const { id } = await client.made()
    const { accountId } = client
    const own = { subscriptionId: id, accountId }
    await seedDelivery({ ...own, status: 'sending', leaseUntil: NOW + 20_000 })
    await seedDelivery({ ...own, type: 'manual' })
    await seedDelivery({ ...own, status: 'delivered' })
    const other = await seedDelivery({ accountId })
    await insertRow('notices', { subscriptionId: id, episode: 1, createdAt: 0 })
    const fired = { alertId: id, at: NOW, kind: 'triggered', body: '{}' } as const
    if (kind === 'alert') await insertRow('alertFirings', fired)

    expect((await client.remove(id, 2)).status).toBe(409)
    expect((await client.remove(id, 1)).body).toEqual({ deleted: true })

    expect(await readDeliveries()).toMatchObject([{ id: other }])
    expect(await readOutstanding()).toBe(1)
    const left = (await readDeliveries())[0]!.subscriptionId
    expect(await readRows('subscriptions')).toMatchObject([{ id: left }])
    for (const table of ['notices', 'alerts', 'alertFirings'] as const)
      expect(await readRows(table), table).toEqual([])
    expect((await client.read(id)).status).toBe(404)
    expect((await client.remove(id, 1)).status).toBe(404)
  })

  it('a subscription of another account, of the other kind, unknown or deleted is the same 404 to every method', async () => {
    const ana = await openClient({ kind })
    const beto = await openClient({ kind, email: 'beto@ejemplo.com.ar' })
    const other = kind === 'alert' ? 'webhook' : 'alert'
    const ofOtherKind = await openClient({ kind: other, accountId: ana.accountId })
    const kept = [
      [beto, (await beto.made()).id] as const,
      [ofOtherKind, (await ofOtherKind.made()).id] as const,
    ]
    const deleted = (await ana.made()).id
    await ana.remove(deleted, 1)

    const noUuid = ['AAAAAAAA-0000-4000-8000-00000000000A', 'system', '..%2F', 'a'.repeat(300)]
    for (const id of [...kept.map(([, id]) => id), deleted, crypto.randomUUID(), ...noUuid]) {
      const answers = [
        await ana.read(id),
        await ana.edit(id, { version: 1, enabled: false }),
        await ana.edit(id, { version: 9, currency: 'UYU' }),
        await ana.rotate(id, 1),
        await ana.test(id),
        await ana.remove(id, 1),
      ]
      const error = noUuid.includes(id) ? 'Recurso no encontrado' : NOT_FOUND[kind]
      for (const { status, body } of answers)
        expect([id, status, body]).toEqual([id, 404, { error }])
    }
    for (const [client, id] of kept) {
      const { webhook, alert } = (await client.read(id)).body
      expect(webhook ?? alert).toMatchObject({ version: 1, enabled: true })
    }
    expect((await ana.list()).body[`${kind}s`]).toEqual([])
  })
})

async function secretOf(id: string): Promise<string | null> {
  const { secretSealed } = await readWebhook(id)
  const address = { table: 'subscriptions', column: 'secret_sealed', id }
  const opened = await unseal(keyring(), address, secretSealed)
  return opened.ok ? opened.value : null
}
