import { expect, it } from 'vitest'
import { alerts } from '../../../shared/subscriptions/alerts.ts'
import { change } from '../../support/alerts.ts'
import { openWithOne } from '../../support/account-client.ts'
import {
  insertDelivery,
  management,
  NOW,
  readDelivery,
  readDeliveries,
  readOutstanding,
  seedQuote,
} from '../../support/webhooks.ts'

const AGAINST = { currency: 'USD', origin: 'OFICIAL', side: 'sell' }

/** A client with an armed alert on the blue dollar, which costs 1430. */
async function openAlert(fields: Record<string, unknown> = {}) {
  await seedQuote('usd/blue', 1410, 1430)
  await seedQuote('usd/oficial', 1380, 1400)
  const client = await openWithOne({ kind: 'alert' }, fields)
  const edit = (version: number, changes: object) => client.edit(client.id, { version, ...changes })
  return { ...client, edit }
}

it('an edit to another level arms an alert again, or makes it wait if that level is met already', async () => {
  const { edit } = await openAlert()

  const { body } = await edit(1, { threshold: 1400 })
  const alert = { threshold: 1400, phase: 'waiting', isMet: true, version: 2 }
  expect(body).toMatchObject({ alert, reconciled: false })
  const again = await edit(2, { threshold: 1431 })
  expect(again.body.alert).toMatchObject({ phase: 'armed', version: 3 })
})

it('an edit with enabled true arms an alert that is done again', async () => {
  const { id, edit, read } = await openAlert()
  await change({ 'USD/BLUE': 1500 }, NOW)
  await change({ 'USD/BLUE': 1430 }, NOW + 1)
  const firedAt = new Date(NOW).toISOString()
  expect((await read(id)).body.alert).toMatchObject({ phase: 'done', firedAt })

  const { body } = await edit(1, { enabled: true })
  expect(body.alert).toMatchObject({ phase: 'armed', version: 2 })
  await change({ 'USD/BLUE': 1510 }, NOW + 2)
  expect(await readDeliveries()).toHaveLength(2)
})

it('a pause of an alert cancels what waits, and it begins again when it is activated', async () => {
  const { edit } = await openAlert({ repeat: true })
  await change({ 'USD/BLUE': 1500 }, NOW)

  const paused = await edit(1, { enabled: false })
  expect(paused.body.alert).toMatchObject({ enabled: false, state: 'manual' })
  expect(await readDeliveries()).toMatchObject([{ status: 'cancelled' }])
  expect(await readOutstanding()).toBe(0)
  await change({ 'USD/BLUE': 1400 }, NOW + 1)
  await change({ 'USD/BLUE': 1510 }, NOW + 2)

  const activated = await edit(2, { enabled: true })
  expect(activated.body.alert).toMatchObject({ state: 'active', phase: 'waiting', isMet: true })
  expect(await readDeliveries()).toHaveLength(1)
})

it('an edit to another condition drops the numbers of the other unit', async () => {
  const { edit } = await openAlert({ hysteresis: 100 })

  expect((await edit(1, { condition: 'change' })).status).toBe(400)
  const gap = await edit(1, { condition: 'gap', threshold: 5, against: AGAINST })
  const ofGap = { hysteresis: 0, against: AGAINST, percent: 2.14, phase: 'armed' }
  expect(gap.body.alert).toMatchObject(ofGap)
  const back = await edit(2, { condition: 'below', threshold: 1400 })
  expect(back.body.alert).toMatchObject({ against: null, percent: null })
})

it('an edit moves an alert between webhook and e-mail, and cancels its waiting deliveries and redeliveries', async () => {
  const { id, edit, redeliver } = await openAlert({ receiverAuthorization: 'Bearer x' })
  for (const type of ['automatic', 'manual'] as const) {
    const row = await insertDelivery(id, { type, status: 'dead', attempts: 4 })
    expect((await redeliver((await readDelivery(row)).deliveryId)).status).toBe(202)
  }

  const mailed = await edit(1, { channel: 'email' })
  expect(mailed.body.alert).toMatchObject({
    channel: 'email',
    destination: null,
    receiverAuthorizationConfigured: false,
  })
  expect(await readDeliveries()).toMatchObject([{ status: 'cancelled' }, { status: 'cancelled' }])
  expect(await readOutstanding()).toBe(0)
  expect((await edit(2, { channel: 'webhook' })).status).toBe(400)
  const moved = await edit(2, { channel: 'webhook', url: 'https://otro.example/' })
  const destination = 'https://otro.example'
  expect(moved.body.alert).toMatchObject({ channel: 'webhook', destination })
})

it.each([
  [{ version: 1, against: AGAINST }, /solo de la condición gap/],
  [{ version: 1, channel: 'email', url: 'https://receptor.example/' }, /no lleva url/],
])('an edit of an alert is refused: %j', async (edit, error) => {
  const client = await openAlert()
  const before = (await client.list()).body
  const { status, body } = await client.call('PATCH', `/api/v2/alerts/${client.id}`, edit)

  expect([status, body]).toEqual([400, { error: expect.stringMatching(error) }])
  expect((await client.list()).body).toEqual(before)
})

it('a test by e-mail makes no delivery, and asks for a sweep at once', async () => {
  const { id, test, sent } = await openAlert({ channel: 'email', url: undefined })
  const { status, body } = await test(id)

  expect([status, body]).toEqual([202, { id: null, deliveryId: null, status: 'pending' }])
  expect(await readDeliveries()).toEqual([])
  expect(sent).toEqual([{ v: 1, sweep: true }])
})

it('two tests by e-mail in the same millisecond count as one test', async () => {
  const { id, accountId } = await openAlert({ channel: 'email', url: undefined })
  const testAt = async (now: number) => {
    const tested = await alerts.test(management({ now }), { accountId, id })
    return tested.ok || tested.refusal
  }
  for (let open = 1; open < 50; open += 1) await testAt(NOW + open)
  const answers = [await testAt(NOW + 60), await testAt(NOW + 60), await testAt(NOW + 61)]
  expect(answers).toEqual([true, true, 'capacity_exhausted'])
})
