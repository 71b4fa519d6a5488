import { describe, expect, it } from 'vitest'
import { MINUTE_MS } from '../../../shared/argentine-time.ts'
import { alerts } from '../../../shared/subscriptions/alerts.ts'
import { seedAccount } from '../../support/accounts.ts'
import { change, createAlertAt } from '../../support/alerts.ts'
import { openClient, WEBHOOKS } from '../../support/account-client.ts'
import {
  management,
  NOW,
  readDeliveries,
  readOutstanding,
  seedDelivery,
  seedQuote,
} from '../../support/webhooks.ts'

const AGAINST = { currency: 'USD', origin: 'OFICIAL', side: 'sell' }

/** A client with an armed alert on the blue dollar, which costs 1430. */
async function openWithAlert(changes: Record<string, unknown> = {}) {
  const client = await openClient({ kind: 'alert' })
  await change({ 'USD/BLUE': [1410, 1430], 'USD/OFICIAL': [1380, 1400] }, NOW - MINUTE_MS)
  const { body } = await client.create(changes)
  return { client, alert: body.alert, id: body.alert.id as string }
}

describe('editing an alert', () => {
  it('to another level arms it again, or makes it wait if that level is met already', async () => {
    const { client, id } = await openWithAlert()

    const { body } = await client.edit(id, { version: 1, threshold: 1400 })
    const alert = { threshold: 1400, phase: 'waiting', isMet: true, version: 2 }
    expect(body).toMatchObject({ alert, reconciled: false })
    const again = await client.edit(id, { version: 2, threshold: 1431 })
    expect(again.body.alert).toMatchObject({ phase: 'armed', version: 3 })
  })

  it('with enabled true arms an alert that is done again', async () => {
    const { client, id } = await openWithAlert()
    await change({ 'USD/BLUE': 1500 }, NOW)
    await change({ 'USD/BLUE': 1430 }, NOW + 1)
    const firedAt = new Date(NOW).toISOString()
    expect((await client.read(id)).body.alert).toMatchObject({ phase: 'done', firedAt })

    const { body } = await client.edit(id, { version: 1, enabled: true })
    expect(body.alert).toMatchObject({ phase: 'armed', version: 2 })
    await change({ 'USD/BLUE': 1510 }, NOW + 2)
    expect(await readDeliveries()).toHaveLength(2)
  })

  it('pauses it, which cancels what waits, and activates it', async () => {
    const { client, id } = await openWithAlert({ repeat: true })
    await change({ 'USD/BLUE': 1500 }, NOW)

    const paused = await client.edit(id, { version: 1, enabled: false })
    expect(paused.body.alert).toMatchObject({ enabled: false, state: 'manual' })
    expect(await readDeliveries()).toMatchObject([{ status: 'cancelled' }])
    expect(await readOutstanding()).toBe(0)
    await change({ 'USD/BLUE': 1400 }, NOW + 1)
    await change({ 'USD/BLUE': 1510 }, NOW + 2)

    const activated = await client.edit(id, { version: 2, enabled: true })
    expect(activated.body.alert).toMatchObject({ state: 'active', phase: 'waiting', isMet: true })
    expect(await readDeliveries()).toHaveLength(1)
  })

  it('to another condition drops the numbers of the other unit', async () => {
    const { client, id } = await openWithAlert({ hysteresis: 100 })

    expect((await client.edit(id, { version: 1, condition: 'change' })).status).toBe(400)
    const gap = { version: 1, condition: 'gap', threshold: 5, against: AGAINST }
    expect((await client.edit(id, gap)).body.alert).toMatchObject({
      hysteresis: 0,
      against: AGAINST,
      percent: 2.14,
      phase: 'armed',
    })
    const back = { version: 2, condition: 'below', threshold: 1400 }
    expect((await client.edit(id, back)).body.alert).toMatchObject({ against: null, percent: null })
  })

  it('moves it between webhook and e-mail', async () => {
    const { client, id } = await openWithAlert({ receiverAuthorization: 'Bearer x' })

    const mailed = await client.edit(id, { version: 1, channel: 'email' })
    expect(mailed.body.alert).toMatchObject({
      channel: 'email',
      destination: null,
      receiverAuthorizationConfigured: false,
    })
    const back = { version: 2, channel: 'webhook' }
    expect((await client.edit(id, back)).status).toBe(400)
    const edited = await client.edit(id, { ...back, url: 'https://otro.example/' })
    expect(edited.body.alert).toMatchObject({
      channel: 'webhook',
      destination: 'https://otro.example',
    })
  })

  it.each(['automatic', 'manual'] as const)(
    'to go by e-mail cancels a redelivery of type %s',
    async (type) => {
      const { client, id } = await openWithAlert()
      const own = { accountId: client.accountId, subscriptionId: id }
      await seedDelivery({ ...own, type, status: 'dead', attempts: 4 })
      const [{ deliveryId } = { deliveryId: '' }] = await readDeliveries()
      expect((await client.redeliver(deliveryId)).status).toBe(202)

      expect((await client.edit(id, { version: 1, channel: 'email' })).status).toBe(200)
      expect(await readDeliveries()).toMatchObject([{ deliveryId, status: 'cancelled' }])
      expect(await readOutstanding()).toBe(0)
    },
  )

  it.each([
    [{}, 'El campo version falta o no es válido'],
    [{ version: 1, against: AGAINST }, /solo de la condición gap/],
    [{ version: 1, channel: 'email', url: 'https://receptor.example/' }, /no lleva url/],
    [{ version: 1, operationId: crypto.randomUUID() }, 'Hay campos desconocidos'],
  ])('refuses %j', async (edit, error) => {
    const { client, id, alert } = await openWithAlert()
    const { status, body } = await client.edit(id, edit)

    expect([status, body.error]).toEqual([400, expect.stringMatching(error)])
    const { url: _, ...shown } = (await client.read(id)).body.alert
    expect(shown).toEqual(alert)
  })
})

it('a test by e-mail makes no delivery, and asks for a sweep at once', async () => {
  const { client, id } = await openWithAlert({ channel: 'email', url: undefined })
  const { status, body } = await client.test(id)

  expect([status, body]).toEqual([202, { id: null, deliveryId: null, status: 'pending' }])
  expect(await readDeliveries()).toEqual([])
  expect(client.sent).toEqual([{ v: 1, sweep: true }])
  // A second test in the same millisecond counts as the first.
  expect((await client.test(id)).status).toBe(202)
})

it('two tests by e-mail in the same millisecond count as one test', async () => {
  await seedQuote('usd/blue', 1400, 1450)
  const { accountId } = await seedAccount()
  const id = await createAlertAt(NOW, accountId, { channel: 'email', url: undefined })
  const testAt = async (now: number) => {
    const tested = await alerts.test(management({ now }), { accountId, id })
    return tested.ok || tested.refusal
  }
  for (let open = 1; open < 50; open += 1) await testAt(NOW + open)
  const answers = [await testAt(NOW + 60), await testAt(NOW + 60), await testAt(NOW + 61)]
  expect(answers).toEqual([true, true, 'capacity_exhausted'])
})

it('an operation id of a webhook makes no alert, and one of an alert makes no webhook', async () => {
  const client = await openClient({ kind: 'alert' })
  const { operationId, id } = await client.made()
  const webhook = { url: 'https://receptor.example/', currency: 'USD', origin: 'BLUE' }
  const taken = [400, { error: 'El campo operationId ya se usó para otra cosa' }]

  const refused = await client.call('POST', WEBHOOKS, { ...webhook, operationId })
  expect([refused.status, refused.body]).toEqual(taken)
  await client.remove(id, 1)
  expect((await client.call('POST', WEBHOOKS, { ...webhook, operationId })).status).toBe(201)
  const alert = await client.create({ operationId })
  expect([alert.status, alert.body]).toEqual(taken)
})
