import { it } from 'vitest'
import { MINUTE_MS } from '../../../shared/argentine-time.ts'
import { change, openAlertClient } from '../../support/alerts.ts'
import { ofExtension, operationOf, pathOf } from '../../support/documented.ts'
import { expectManaged, rebuilt } from '../../support/managed-answers.ts'
import { seeEveryAnswer } from '../../support/seen-answers.ts'
import { NOW, times, anAlert } from '../../support/webhook-client.ts'

const operations = ofExtension('Alertas')
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

it('alerts: the gate, other methods and bad bodies on every route', () =>
  expectManaged(operations, expectAnswer, { id: SOME_ID }))
