import { it } from 'vitest'
import { MINUTE_MS } from '../../../../shared/argentine-time.ts'
import { seedAccount } from '../../../support/accounts.ts'
import { change, openAlertClient } from '../../../support/alerts.ts'
import { type Documented, ofExtra, operationOf, pathOf } from '../../../support/documented.ts'
import { openEdge } from '../../../support/edge.ts'
import { failing } from '../../../support/failing-database.ts'
import { seeEveryAnswer } from '../../../support/seen-answers.ts'
import { type Answer, NOW, times, ALERTS, anAlert } from '../../../support/webhook-client.ts'

const operations = ofExtra('Alertas')
const expectAnswer = seeEveryAnswer(operations)
const SOME_ID = '00000000-0000-4000-8000-000000000000'
const AGAINST = { currency: 'USD', origin: 'OFICIAL' }

it('alerts: what works, what is not there and what conflicts', async () => {
  const client = await openAlertClient()
  await change({ 'USD/BLUE': [1410, 1430], 'USD/OFICIAL': 1400 }, NOW - MINUTE_MS)
  const expectCall = async (id: string, status: number, values = {}, body?: object, query = '') => {
    client.clock.now += MINUTE_MS
    const operation = operationOf(id)
    const answer = await client.call(operation.method, pathOf(operation, values) + query, body)
    await expectAnswer(operation, rebuilt(answer), status)
    return answer.body
  }

  const body = anAlert()
  const { alert } = await expectCall('createAlert', 201, {}, body)
  await expectCall('createAlert', 200, {}, body)
  await expectCall('createAlert', 201, {}, anAlert({ channel: 'email', url: undefined }))
  const gap = { condition: 'gap', threshold: 5, against: AGAINST, repeat: true }
  await expectCall('createAlert', 201, {}, anAlert(gap))
  await expectCall('createAlert', 201, {}, anAlert({ condition: 'change', threshold: 2 }))
  const mine = { id: alert.id }
  const other = { id: SOME_ID }
  await expectCall('listAlerts', 200)
  await expectCall('listAlerts', 400, {}, undefined, '?limit=1')
  await expectCall('readAlert', 200, mine)
  await expectCall('readAlert', 400, mine, undefined, '?version=1')
  await expectCall('readAlert', 404, other)
  await expectCall('testAlert', 202, mine, {})
  await expectCall('testAlert', 404, other, {})
  const unquoted = await expectCall('createAlert', 201, {}, anAlert({ origin: 'CCL' }))
  await expectCall('testAlert', 409, { id: unquoted.alert.id }, {})
  await change({ 'USD/BLUE': 1500 }, NOW)
  await expectCall('listAlertDeliveries', 200)
  await expectCall('listAlertDeliveries', 200, {}, undefined, '?limit=1')
  await expectCall('listAlertDeliveries', 404, {}, undefined, '?cursor=v1:999')
  await expectCall('listAlertDeliveries', 400, {}, undefined, '?webhookId=x')
  await expectCall('listAlerts', 200)
  await expectCall('editAlert', 200, mine, { version: 1, threshold: 1600 })
  await expectCall('editAlert', 409, mine, { version: 1, threshold: 1700 })
  await expectCall('editAlert', 404, other, { version: 1 })
  await expectCall('rotateAlertSecret', 200, mine, { version: 2 })
  await expectCall('rotateAlertSecret', 409, mine, { version: 2 })
  await expectCall('rotateAlertSecret', 404, other, { version: 2 })
  await times(15, () => client.create())
  await expectCall('createAlert', 409, {}, anAlert())
  await expectCall('deleteAlert', 409, mine, { version: 1 })
  await expectCall('deleteAlert', 404, other, { version: 1 })
  await expectCall('deleteAlert', 200, mine, { version: 3 })
})

it('alerts: the gate, other methods and bad bodies on every route', async () => {
  const { key } = await seedAccount()
  const headers = { 'x-api-key': key }
  const edge = openEdge({ now: NOW })
  const broken = openEdge({ now: NOW, env: { DB: failing('down') } as never })
  const ask = (operation: Documented, init: RequestInit = {}, at = edge) =>
    at.fetch(pathOf(operation, { id: SOME_ID }), { method: operation.method, headers, ...init })

  for (const operation of operations) {
    edge.clock.now += MINUTE_MS
    await expectAnswer(operation, await ask(operation, { headers: {} }), 401)
    await expectAnswer(operation, await ask(operation, {}, broken), 503)
    await expectAnswer(operation, await ask(operation, { method: 'PUT' }), 405)
    if (!operation.requestBody) continue
    const send = (body: string, type: string) =>
      ask(operation, { body, headers: { ...headers, 'Content-Type': type } })
    await expectAnswer(operation, await send('{"otro":1}', 'application/json'), 400)
    await expectAnswer(operation, await send(' '.repeat(20_000), 'application/json'), 413)
    await expectAnswer(operation, await send('{}', 'text/plain'), 415)
  }

  await times(30, () => edge.fetch(ALERTS, { headers }))
  for (const operation of operations) await expectAnswer(operation, await ask(operation), 429)
})

/** The client has read the answer: this is it again, whole. */
function rebuilt({ status, headers, text }: Answer): Response {
  return new Response(text, { status, headers })
}
