/** Checks every documented answer of the operations with a key. */
import { describe, expect, it } from 'vitest'
import { MINUTE_MS } from '../../../shared/argentine-time.ts'
import { seedAccount } from '../../support/accounts.ts'
import { change } from '../../support/alerts.ts'
import {
  addressOf,
  type Documented,
  isPrivate,
  operationOf,
  operations,
  pathOf,
  seeEveryAnswer,
} from '../../support/openapi.ts'
import { openEdge } from '../../support/edge.ts'
import { failing } from '../../support/faulty-database.ts'
import { seedHistory } from '../../support/points.ts'
import {
  aBody,
  anAlert,
  type Client,
  KINDS,
  openClient,
  times,
} from '../../support/account-client.ts'
import { aDeliveryId, NOW, insertDelivery } from '../../support/webhooks.ts'

const privates = operations.filter(isPrivate)
const expectAnswer = seeEveryAnswer(privates)
const SOME = {
  id: '00000000-0000-4000-8000-000000000000',
  deliveryId: '019cae55-2c00-7000-8000-000000000000',
}

/** The names of a kind in the identifiers of its operations. */
const NAMES = {
  webhook: { limit: 5, list: 'listWebhooks', rotate: 'rotateSecret', deliveries: 'listDeliveries' },
  alert: {
    limit: 20,
    list: 'listAlerts',
    rotate: 'rotateAlertSecret',
    deliveries: 'listAlertDeliveries',
  },
}

/** Calls operations, compares the answers with the documents, and returns their bodies. */
function caller(client: Client) {
  return async (id: string, status: number, values = {}, body?: unknown, query = '') => {
    client.clock.now += MINUTE_MS
    const operation = operationOf(id)
    const answer = await client.call(operation.method, pathOf(operation, values) + query, body)
    // A copy of the answer, because the client has read the original.
    await expectAnswer(operation, new Response(answer.text, answer), status)
    return answer.body
  }
}

describe.each(KINDS)('%s:', (kind) => {
  const name = kind === 'webhook' ? 'Webhook' : 'Alert'
  const { limit, list, rotate, deliveries } = NAMES[kind]

  it('answers success and 409', async () => {
    const client = await openClient({ kind })
    const expectCall = caller(client)
    const body = kind === 'webhook' ? aBody() : anAlert()
    const created = await expectCall(`create${name}`, 201, {}, body)
    await expectCall(`create${name}`, 200, {}, body)
    const mine = { id: created[kind].id as string }
    await expectCall(`read${name}`, 200, mine)
    const unquoted = await expectCall(`test${name}`, 409, mine, {})
    expect(unquoted).toEqual({ error: 'quote_unavailable' })
    await change({ 'USD/BLUE': [1410, 1430], 'USD/OFICIAL': 1400 }, NOW)
    await expectCall(`test${name}`, 202, mine, {})
    await insertDelivery(mine.id, { status: 'delivered' })
    for (const query of ['', '?limit=1']) await expectCall(deliveries, 200, {}, undefined, query)
    await expectCall(deliveries, 404, {}, undefined, '?cursor=v1:999')
    await expectCall(deliveries, 400, {}, undefined, '?otro=1')
    await expectCall(`edit${name}`, 200, mine, { version: 1, enabled: false })
    await expectCall(`edit${name}`, 409, mine, { version: 1, enabled: true })
    await expectCall(rotate, 200, mine, { version: 2 })
    await expectCall(rotate, 409, mine, { version: 2 })
    await times(limit - 1, () => client.create())
    await expectCall(`create${name}`, 409, {}, { ...body, operationId: crypto.randomUUID() })
    await expectCall(list, 200)
    await expectCall(`delete${name}`, 409, mine, { version: 1 })
    await expectCall(`delete${name}`, 200, mine, { version: 3 })
  })

  it('redelivers one delivery, and all since an instant', async () => {
    const client = await openClient({ kind })
    const expectCall = caller(client)
    const own = { id: (await client.made()).id }
    const seed = async () => {
      const deliveryId = aDeliveryId(NOW)
      await insertDelivery(own.id, { deliveryId, status: 'dead', attempts: 4 })
      return { deliveryId }
    }

    const dead = await seed()
    const queued = await expectCall(`redeliver${name}Delivery`, 202, dead)
    expect(queued).toEqual({ id: 1, ...dead, status: 'pending' })
    await expectCall(`redeliver${name}Delivery`, 409, dead, {})
    for (let i = 0; i < 2; i++) await seed()
    const since = { since: '2026-03-02T12:00:00-03:00' }
    const redelivered = await expectCall(`redeliver${name}`, 202, own, since)
    expect(redelivered).toEqual({ redelivered: 2, remaining: 0 })
    // Of redeliveries in order only the first gets a hint.
    expect(client.sent).toEqual([1, 2].map((deliveryId) => ({ v: 1, deliveryId })))
    await seed()
    const later = { since: new Date(NOW + 1).toISOString() }
    expect(await expectCall(`redeliver${name}`, 202, own, later)).toMatchObject({ redelivered: 0 })
    await expectCall(`redeliver${name}`, 400, own, { since: '2026-03-02T12:00:00' })
    await client.edit(own.id, { version: 1, enabled: false })
    await expectCall(`redeliver${name}`, 409, own, since)
  })
})

it('alerts of each condition and channel, and operations only alerts have', async () => {
  const client = await openClient({ kind: 'alert' })
  const expectCall = caller(client)
  await change({ 'USD/BLUE': [1410, 1430], 'USD/OFICIAL': 1400 }, NOW - MINUTE_MS)
  const against = { currency: 'USD', origin: 'OFICIAL' }
  for (const fields of [
    { condition: 'gap', threshold: 5, against, repeat: true },
    { condition: 'change', threshold: 2 },
  ])
    await expectCall('createAlert', 201, {}, anAlert(fields))
  const mailed = anAlert({ channel: 'email', url: undefined })
  const { alert } = await expectCall('createAlert', 201, {}, mailed)
  const { id: subscriptionId } = await client.made({ threshold: 1450 })
  await change({ 'USD/BLUE': 1500 }, NOW)
  await expectCall('listAlerts', 200)
  await expectCall('listAlertDeliveries', 200)
  await expectCall('testAlert', 202, alert, {})
  await expectCall('listAlerts', 400, {}, undefined, '?limit=1')
  await expectCall('readAlert', 400, alert, undefined, '?version=1')

  // An alert that now goes by e-mail has no URL for a redelivery.
  const deliveryId = aDeliveryId(NOW)
  await insertDelivery(subscriptionId, { deliveryId, status: 'dead', attempts: 4 })
  await client.edit(subscriptionId, { version: 1, channel: 'email' })
  const since = { since: '2020-01-01T00:00:00Z' }
  const values = { id: subscriptionId, deliveryId }
  for (const refused of [
    await expectCall('redeliverAlertDelivery', 409, values),
    await expectCall('redeliverAlert', 409, values, since),
  ])
    expect(refused.error).toContain('correo')
})

const isPast = ({ tags }: Documented) => ['Historial', 'Series'].includes(tags[0]!)

it.each(privates.filter(isPast))('$operationId with a key', async (operation) => {
  await seedHistory('usd/blue', ['2026-02-28 11:00', 1400, 1420], ['2026-03-01 11:55', 1410, 1430])
  const headers = { 'x-api-key': (await seedAccount()).key }
  const edge = openEdge({ now: NOW })
  const path = addressOf(operation)
  const ask = async (status: number, query: string, asked = path) => {
    const address = `${asked}${asked.includes('?') ? '&' : '?'}${query}`
    await expectAnswer(operation, await edge.fetch(address, { headers }), status)
  }
  await ask(200, '')
  if ('text/csv' in operation.responses['200']!.content!) await ask(200, 'format=csv')
  await ask(400, 'otro=1')
  await ask(404, '', path.replace('usd', 'clp'))
  if (operation.operationId !== 'readSeries') return
  for (const query of ['summary=1&every=month', 'dates=2026-03-01,2026-02-01'])
    await ask(200, query)
})

it('the key check answers 503 once the daily budget is spent', async () => {
  const check = operationOf('checkKey')
  const headers = { 'x-api-key': (await seedAccount()).key }
  const spent = openEdge({ now: NOW, env: { DAILY_PRIVATE_BUDGET: '1' } })
  await expectAnswer(check, await spent.fetch(check.path, { headers }), 200)
  await expectAnswer(check, await spent.fetch(check.path, { headers }), 503)
})

it('every route answers 401, 405, 429, 503, 404 for unknown ids, and refuses bad bodies', async () => {
  const { key } = await openClient()
  const headers = { 'x-api-key': key }
  const edge = openEdge({ now: NOW })
  const broken = openEdge({ now: NOW, env: { DB: failing('down') } })
  const ask = (operation: Documented, init: RequestInit = {}, at = edge) =>
    at.fetch(pathOf(operation, SOME), { method: operation.method, headers, ...init })

  for (const operation of privates) {
    edge.clock.now += MINUTE_MS
    await expectAnswer(operation, await ask(operation, { headers: {} }), 401)
    await expectAnswer(operation, await ask(operation, {}, broken), 503)
    await expectAnswer(operation, await ask(operation, { method: 'PUT' }), 405)
    const example = operation.requestBody?.content['application/json']!.example
    const send = (body = JSON.stringify(example), type = 'application/json') =>
      ask(operation, { body: body ?? null, headers: { ...headers, 'Content-Type': type } })
    if (/\{(id|deliveryId)\}/.test(operation.path)) await expectAnswer(operation, await send(), 404)
    if (!operation.requestBody) continue
    await expectAnswer(operation, await send('{"otro":1}'), 400)
    await expectAnswer(operation, await send(' '.repeat(20_000)), 413)
    await expectAnswer(operation, await send('{}', 'text/plain'), 415)
  }
  for (const id of ['listAlerts', 'listHistory']) await times(30, () => ask(operationOf(id)))
  for (const operation of privates) await expectAnswer(operation, await ask(operation), 429)
})
