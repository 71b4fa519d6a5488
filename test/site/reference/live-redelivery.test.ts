import { describe, expect, it } from 'vitest'
import { aDeliveryId } from '../../support/delivery-id.ts'
import { ofExtension, operationOf, pathOf } from '../../support/documented.ts'
import { expectManaged, rebuilt } from '../../support/managed-answers.ts'
import { seeEveryAnswer } from '../../support/seen-answers.ts'
import { KINDS, NOW, openClient } from '../../support/webhook-client.ts'
import { seedDelivery } from '../../support/webhooks.ts'

const operations = ofExtension('Reenvíos')
const expectAnswer = seeEveryAnswer(operations)
const SOME = {
  id: '00000000-0000-4000-8000-000000000000',
  deliveryId: '019cae55-2c00-7000-8000-000000000000',
}

describe.each(KINDS)('%s:', (kind) => {
  const name = kind === 'webhook' ? 'Webhook' : 'Alert'

  it('what works, what is not there and what conflicts', async () => {
    const client = await openClient({ kind })
    const { id: subscriptionId } = await client.made()
    const seed = async (status: 'dead' | 'cancelled' | 'pending') => {
      const id = aDeliveryId(NOW)
      const own = { subscriptionId, accountId: client.accountId, createdAt: NOW }
      await seedDelivery({ ...own, deliveryId: id, status, attempts: status === 'dead' ? 4 : 0 })
      return id
    }
    const expectCall = async (id: string, status: number, values: object, body?: unknown) => {
      const operation = operationOf(id)
      const path = pathOf(operation, values as Record<string, string>)
      const answer = await client.call('POST', path, body)
      await expectAnswer(operation, rebuilt(answer), status)
      return answer.body
    }

    const dead = { deliveryId: await seed('dead') }
    const queued = await expectCall(`redeliver${name}Delivery`, 202, dead)
    expect(queued).toEqual({ id: 1, ...dead, status: 'pending' })
    expect(client.sent).toEqual([{ v: 1, deliveryId: 1 }])
    await expectCall(`redeliver${name}Delivery`, 409, dead, {})
    await expectCall(`redeliver${name}Delivery`, 404, SOME, {})
    const { deliveries } = (await client.deliveries()).body
    expect(deliveries).toMatchObject([
      { ...dead, status: 'pending', attempts: 0, resolvedAt: null },
    ])

    for (const status of ['cancelled', 'dead', 'pending'] as const) await seed(status)
    const own = { id: subscriptionId }
    const since = { since: '2026-03-02T12:00:00-03:00' }
    const redelivered = await expectCall(`redeliver${name}`, 202, own, since)
    expect(redelivered).toEqual({ redelivered: 2, remaining: 0 })
    expect(client.sent.slice(1)).toEqual([{ v: 1, deliveryId: 2 }])
    await seed('dead')
    const later = { since: new Date(NOW + 1).toISOString() }
    expect(await expectCall(`redeliver${name}`, 202, own, later)).toMatchObject({ redelivered: 0 })
    await expectCall(`redeliver${name}`, 404, SOME, since)
    for (const wrong of ['ayer', '2026-02-30T00:00:00Z', 1772463600000, null])
      await expectCall(`redeliver${name}`, 400, own, { since: wrong })
    await client.edit(subscriptionId, { version: 1, enabled: false })
    await expectCall(`redeliver${name}`, 409, own, since)
  })

  it('another account’s are as absent as none', async () => {
    const [ana, eva] = [await openClient({ kind }), await openClient({ kind, email: 'eva@x.test' })]
    const { id: subscriptionId } = await ana.made()
    const id = aDeliveryId(NOW)
    const own = { subscriptionId, accountId: ana.accountId, createdAt: NOW, deliveryId: id }
    await seedDelivery({ ...own, status: 'dead', attempts: 4 })
    expect((await eva.redeliver(id)).status).toBe(404)
    expect((await eva.redeliverSince(subscriptionId, '2020-01-01T00:00:00Z')).status).toBe(404)
    const other = await openClient({
      kind: kind === 'alert' ? 'webhook' : 'alert',
      accountId: ana.accountId,
    })
    expect((await other.redeliver(id)).status).toBe(404)
    expect((await ana.redeliver(id)).status).toBe(202)
  })
})

it('an alert that goes by e-mail now has nowhere to redeliver to', async () => {
  const client = await openClient({ kind: 'alert' })
  const { id: subscriptionId } = await client.made()
  const id = aDeliveryId(NOW)
  const own = { subscriptionId, accountId: client.accountId, createdAt: NOW, deliveryId: id }
  await seedDelivery({ ...own, status: 'dead', attempts: 4 })
  await client.edit(subscriptionId, { version: 1, channel: 'email' })
  for (const answer of [
    await client.redeliver(id),
    await client.redeliverSince(subscriptionId, '2020-01-01T00:00:00Z'),
  ]) {
    expect(answer.status).toBe(409)
    expect(answer.body.error).toContain('correo')
  }
})

it('the gate, other methods and bad bodies on every route', () =>
  expectManaged(operations, expectAnswer, SOME))
