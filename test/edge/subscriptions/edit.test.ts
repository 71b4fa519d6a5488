import { describe, expect, it } from 'vitest'
import { unseal } from '../../../shared/crypto/sealed-box.ts'
import { createFixture } from '../../support/delivery-fixture.ts'
import {
  also,
  CLOSED,
  KINDS,
  openClient,
  openWithOne,
  OTHER,
  tally,
  times,
} from '../../support/account-client.ts'
import {
  insertDelivery,
  keyring,
  NOW,
  readDeliveries,
  readDelivery,
  readOutstanding,
  readWebhook,
  seedQuote,
  seedWebhook,
} from '../../support/webhooks.ts'
import { changeRows, insertRow, readRows } from '../../support/rows.ts'

const NOT_FOUND = { webhook: 'Webhook no encontrado', alert: 'Alerta no encontrada' }

const CHANGED = {
  webhook: 'El webhook cambió: su versión ya no es la indicada',
  alert: 'La alerta cambió: su versión ya no es la indicada',
}

const IN_FLIGHT = { status: 'sending', leaseUntil: NOW + 20_000 }
const urlOf = (index: number) => `https://receptor.example/${index}`

describe.each(KINDS)('%s:', (kind) => {
  it.each(['edit', 'rotation'])('of 20 concurrent requests one succeeds: %s', async (what) => {
    const { id, ...client } = await openWithOne({ kind })
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
    const { id, ...client } = await openWithOne({ kind }, { receiverAuthorization: 'Bearer x' })
    const before = (await client.read(id)).body[kind]
    await insertDelivery(id)
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
    expect(await readDeliveries()).toMatchObject([{ status: 'pending' }])
  })

  it('rotate-secret shows a new secret and changes nothing else, even while other webhooks send or admission is closed', async () => {
    const client = await openClient({ kind })
    const { secret, ...created } = await client.made()
    const { id } = created
    await insertDelivery(id)
    await insertDelivery(await seedWebhook(), IN_FLIGHT)
    const closed = await also(client, CLOSED)
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

  it('rotate-secret is refused while an attempt, also of a test, holds its lease, and works after it', async () => {
    const { id, ...client } = await openWithOne({ kind })
    await insertDelivery(id, { ...IN_FLIGHT, type: 'manual' })

    const refused = await client.rotate(id, 1)
    expect(refused.status).toBe(409)
    expect(refused.body.error).toContain('en curso')
    client.clock.now = IN_FLIGHT.leaseUntil
    expect((await client.rotate(id, 1)).status).toBe(200)
  })

  it('DELETE removes it with its deliveries, notices and firings, and frees their capacity, even with an attempt in flight', async () => {
    const { id, ...client } = await openWithOne({ kind })
    for (const row of [IN_FLIGHT, { type: 'manual' }, { status: 'delivered' }] as const)
      await insertDelivery(id, row)
    const other = await seedWebhook({ accountId: client.accountId })
    await insertDelivery(other)
    await insertRow('notices', { subscriptionId: id, createdAt: 0 })
    const fired = { alertId: id, at: NOW, kind: 'triggered', body: '{}' } as const
    if (kind === 'alert') await insertRow('alertFirings', fired)

    expect((await client.remove(id, 2)).status).toBe(409)
    expect((await client.remove(id, 1)).body).toEqual({ deleted: true })

    expect(await readDeliveries()).toMatchObject([{ subscriptionId: other }])
    expect(await readOutstanding()).toBe(1)
    expect(await readRows('subscriptions')).toMatchObject([{ id: other }])
    for (const table of ['notices', 'alerts', 'alertFirings'] as const)
      expect(await readRows(table), table).toEqual([])
    expect((await client.remove(id, 1)).status).toBe(404)
  })

  it('a subscription of another account, of the other kind, unknown or deleted is the same 404 to every method', async () => {
    const { id: deleted, ...ana } = await openWithOne({ kind })
    const beto = await openWithOne({ kind, email: 'beto@ejemplo.com.ar' })
    const ofOtherKind = await also(ana, { kind: OTHER[kind] })
    const kept = [beto.id, (await ofOtherKind.made()).id]
    await ana.remove(deleted, 1)
    for (const id of kept) {
      const foreign = await readDelivery(await insertDelivery(id, { status: 'dead' }))
      const { status, body } = await ana.redeliver(foreign.deliveryId)
      expect([status, body]).toEqual([404, { error: 'Entrega no encontrada' }])
    }

    const noUuid = ['AAAAAAAA-0000-4000-8000-00000000000A', 'system', '..%2F', 'a'.repeat(300)]
    for (const id of [...kept, deleted, crypto.randomUUID(), ...noUuid]) {
      const error = noUuid.includes(id) ? 'Recurso no encontrado' : NOT_FOUND[kind]
      for (const { status, body } of [
        await ana.read(id),
        await ana.edit(id, { version: 1, enabled: false }),
        await ana.edit(id, { version: 9, currency: 'UYU' }),
        await ana.rotate(id, 1),
        await ana.test(id),
        await ana.redeliverSince(id, '2020-01-01T00:00:00Z'),
        await ana.remove(id, 1),
      ])
        expect([id, status, body]).toEqual([id, 404, { error }])
    }
    for (const id of kept)
      expect(await readWebhook(id)).toMatchObject({ version: 1, state: 'active' })
    expect(await readDeliveries()).toMatchObject([{ status: 'dead' }, { status: 'dead' }])
    expect((await ana.list()).body[`${kind}s`]).toEqual([])
  })
})

it('PATCH changes the given fields of a webhook and answers it', async () => {
  const { id, ...client } = await openWithOne()
  const eur = { currency: 'EUR', origin: 'BNA', receiverAuthorization: 'Bearer x' }
  const edited = await client.edit(id, { version: 1, url: 'https://OTRO.example', ...eur })
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

it('an edit leaves a webhook that waits for capacity waiting', async () => {
  const { id, ...client } = await openWithOne()
  await changeRows('subscriptions', { state: 'capacity', sync: 'owed' })
  for (const [index, body] of [{ enabled: true }, { origin: 'CCL' }].entries()) {
    const { webhook } = (await client.edit(id, { version: index + 1, ...body })).body
    const waits = { state: 'capacity', enabled: true, needsSync: true }
    expect(webhook).toMatchObject({ ...waits, version: index + 2 })
  }
})

it('while admission is closed an edit keeps the sync for later, and a webhook can be paused but not activated', async () => {
  const { id, ...client } = await openWithOne()
  const closed = await also(client, CLOSED)
  const edited = await closed.edit(id, { version: 1, origin: 'BNA' })
  expect(edited.body.webhook).toMatchObject({ state: 'active', needsSync: true })

  expect((await closed.edit(id, { version: 2, enabled: false })).status).toBe(200)
  expect((await closed.edit(id, { version: 3, enabled: true })).status).toBe(503)
  expect((await readWebhook(id)).version).toBe(3)
})

it.each([
  ['an edit', { origin: 'BNA' }, { state: 'active', needsSync: true }],
  ['a pause', { enabled: false }, { state: 'manual', needsSync: false }],
])('%s cancels the waiting deliveries of the prior revision', async (_, edit, webhook) => {
  await seedQuote('usd/bna', 1400, 1450.5)
  const { id, ...client } = await openWithOne()
  await changeRows('subscriptions', { sync: webhook.needsSync ? null : 'made' })
  const rows = [
    [{ status: 'delivered' }, 'delivered'],
    [{}, 'cancelled'],
    [{ status: 'failed', attempts: 1 }, 'cancelled'],
    [{ type: 'sync' }, 'cancelled'],
    [{ type: 'manual' }, 'pending'],
    [{ status: 'sending' }, 'sending'],
  ] as const
  for (const [row] of rows) await insertDelivery(id, row)
  await insertDelivery(await seedWebhook())

  const edited = await client.edit(id, { version: 1, ...edit })
  expect(edited.body.webhook).toMatchObject({ ...webhook, version: 2 })
  const statuses = [...rows.map(([, status]) => status), 'pending']
  expect((await readDeliveries()).map(({ status }) => status)).toEqual(statuses)
  expect(await readOutstanding()).toBe(3)

  await createFixture().sweep()
  const made = (await readDeliveries()).slice(statuses.length)
  if (!webhook.needsSync) return void expect(made).toEqual([])
  expect(client.sent).toEqual([{ v: 1, sweep: true }])
  const sync = { subscriptionId: id, type: 'sync', status: 'pending', revision: 2, pair: 2 }
  expect(made).toMatchObject([sync])
  expect(JSON.parse(made[0]!.body)).toMatchObject({
    event: 'rate.updated',
    origin: 'BNA',
    buy: 1400,
    sell: 1450.5,
    prevBuy: 1400,
    prevSell: 1450.5,
    changePct: 0,
    updatedAt: '2026-03-02T14:55:00.000Z',
    timestamp: expect.stringMatching(/^2026-03-02T15:0/),
  })
})

const PAUSED = ['manual', 'failure', 'inherited'] as const

it.each(PAUSED)(
  'a webhook in %s keeps its state when it is paused, and begins again with one sync when it is activated',
  async (state) => {
    await seedQuote('usd/blue', 1400, 1450)
    const client = await openClient()
    const { accountId } = client
    const before = { consecutiveFailures: 10, revision: 4 }
    const id = await seedWebhook({ state, ...before, accountId })
    const { webhook } = (await client.edit(id, { version: 1, enabled: false })).body
    expect(webhook).toMatchObject({ state, enabled: false, version: 2 })
    const answers = await times(20, () => client.edit(id, { version: 2, enabled: true }))

    expect(tally(answers)).toEqual({ 200: 1, 409: 19 })
    expect(client.sent).toHaveLength(1)
    await createFixture().sweep()
    expect(await readWebhook(id)).toMatchObject({
      state: 'active',
      consecutiveFailures: 0,
      revision: 5,
      sync: 'made',
    })
    expect(await readDeliveries()).toMatchObject([{ type: 'sync', revision: 5 }])
    expect(await readOutstanding()).toBe(1)
  },
)

it('a webhook is activated only while fewer than five are enabled; those that wait for capacity count', async () => {
  const client = await openClient()
  const { accountId } = client
  await seedWebhook({ accountId, state: 'capacity' })
  const ids = await times(7, (index) => seedWebhook({ accountId, state: PAUSED[index % 3]! }))
  const answers = await Promise.all(ids.map((id) => client.edit(id, { version: 1, enabled: true })))

  expect(tally(answers)).toEqual({ 200: 4, 409: 3 })
  const refused = answers.find(({ status }) => status === 409)!
  expect(refused.body.error).toContain('límite')
})

async function secretOf(id: string): Promise<string | null> {
  const { secretSealed } = await readWebhook(id)
  const address = { table: 'subscriptions', column: 'secret_sealed', id }
  const opened = await unseal(keyring(), address, secretSealed)
  return opened.ok ? opened.value : null
}
