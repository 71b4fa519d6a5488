/** An alert, from the batch that fires it to a real receiver. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { alertStatements } from '../../workers/scraper/db/alerts.ts'
import { findPairByKey } from '../../shared/market/catalog.ts'
import { sign } from '../../workers/delivery/attempt/headers.ts'
import { openEngine, SECRET } from './engine.ts'
import type { Behaviour } from './receiver.ts'
import { insertRows } from '../../tools/prove/harness/rows.ts'

const HOST = 'alertas.example.com'
const BLUE = findPairByKey('usd/blue')!

/** It keeps its connection: a request on one that just ended is sent again, and comes twice. */
const accepts: Behaviour = (socket) => socket.write('HTTP/1.1 204 No Content\r\n\r\n')

let engine: Awaited<ReturnType<typeof openEngine>>
beforeAll(async () => {
  engine = await openEngine({ receiver: { names: [HOST], behave: accepts } })
})
afterAll(() => engine?.[Symbol.asyncDispose]())

it('is fired, found by the sweep and posted over TLS, signed, with the values that met it', async () => {
  // Long enough ago that the sweep looks for it: no hint was sent.
  const at = Date.now() - 60_000
  // It seeds a delivery of its own, too.
  await engine.seed([{ id: 'an-alert', host: HOST, deliveries: 1 }])
  await engine.query(`update subscriptions set kind = 'alert' where id = 'an-alert'`)
  await engine.query(insertRows('alerts', { threshold: 15_000_000 }))
  const value = { buy: 15_050_000, sell: 15_050_000, updatedAt: at }
  const { buy, sell } = value
  await engine.query(insertRows('current_quotes', { buy, sell, updated_at: '?1' }), at)
  const { db } = engine
  const quote = { pair: BLUE, ...value }
  const move = { before: [{ ...quote, sell: 1 }], after: [quote], changed: [BLUE] }
  await db.batch(await alertStatements(db, move, { at, capacity: 100, admitted: true }))

  await engine.sweep()

  const statuses = () => engine.query("select status from deliveries where body <> '{}'")
  await expect.poll(statuses, { timeout: 10_000, interval: 200 }).toEqual([{ status: 'delivered' }])
  const requests = engine.receivers['receiver']!.requests.filter((one) => one.includes('"alertId"'))
  expect(requests).toHaveLength(1)
  const [head, body] = requests[0]!.split('\r\n\r\n') as [string, string]
  const timestamp = Number(/X-Service-Timestamp: (\d+)/.exec(head)![1])
  expect(head).toContain(`X-Service-Signature: ${await sign(SECRET, timestamp, body)}`)
  expect(head).toContain('X-Service-Webhook-Id: an-alert')
  expect(JSON.parse(body)).toMatchObject({
    event: 'alert.triggered',
    alertId: 'an-alert',
    value: 1505,
    threshold: 1500,
  })
})
