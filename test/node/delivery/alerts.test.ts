/** An alert, from the batch that fires it to a real receiver. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { fireStatements } from '../../../shared/db/alerts/fire.ts'
import { findPairByKey } from '../../../shared/market/catalog.ts'
import { sign } from '../../../shared/webhooks/signature.ts'
import { openEngine, SECRET } from './engine.ts'
import { answers } from './receiver.ts'

const HOST = 'alertas.example.com'
const BLUE = findPairByKey('usd/blue')!

let engine: Awaited<ReturnType<typeof openEngine>>
beforeAll(async () => {
  engine = await openEngine({ receiver: { names: [HOST], behave: answers(204) } })
})
afterAll(() => engine?.[Symbol.asyncDispose]())

it('is fired, found by the sweep and posted over TLS, signed, with the values that met it', async () => {
  // Long enough ago that the sweep looks for it: no hint was sent.
  const at = Date.now() - 60_000
  // It seeds a delivery of its own, too.
  await engine.seed([{ id: 'an-alert', host: HOST, deliveries: 1 }])
  await engine.query(`update webhooks set pair = ? where id = 'an-alert'`, -BLUE.id)
  await engine.query(
    `insert into alerts (id, channel, side, condition, threshold, hysteresis, repeats, phase,
       phase_at) values ('an-alert', 'webhook', 'sell', 'above', 15000000, 0, 0, 'armed', 0)`,
  )
  await engine.query(
    `insert into current_quotes (pair, buy, sell, source, updated_at, last_scraped_at)
     values (?1, 14800000, 15050000, 'test', ?2, ?2)`,
    BLUE.id,
    at,
  )
  const db = await engine.database()
  await db.batch(fireStatements(db, [BLUE], { at, capacity: 100 }))

  await engine.sweep()

  const statuses = () => engine.query('select status from deliveries where pair < 0')
  await expect.poll(statuses, { timeout: 10_000, interval: 200 }).toEqual([{ status: 'delivered' }])
  const requests = engine.receivers['receiver']!.requests.filter((one) => one.includes('alert.'))
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
