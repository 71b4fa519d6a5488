/** What `fetch` does in its own way: the platform's, which these tests pin down. */
import { describe, expect, it } from 'vitest'
import { sign, signStandard } from '../../workers/delivery/attempt/headers.ts'
import { orderTo } from './attempts.ts'
import { delivered, ENDLESS, failed } from './faults.ts'
import { answers, says } from './receiver.ts'
import { useAttempts } from './use-attempts.ts'

const { attempts, receive } = useAttempts()

const attempt = (port: number, change: Parameters<typeof orderTo>[1] = {}) =>
  attempts.attempt(orderTo(port, { by: 'platform', ...change }))

it('sends our headers unchanged, and those of the platform beside them', async () => {
  const receiver = await receive(answers(204))
  const { secret, body: sent } = orderTo(receiver.port)
  await attempt(receiver.port, { authorization: 'Basic dTpw' })

  const [head, body] = receiver.requests[0]!.split('\r\n\r\n') as [string, string]
  const [line, ...headers] = head.split('\r\n')
  const timestamp = Number(/X-Service-Timestamp: (\d+)/.exec(head)![1])
  const deliveryId = '019a0000-0000-7000-8000-000000000001'
  expect(line).toBe('POST /hook?a=b HTTP/1.1')
  expect(body).toBe(sent)
  expect(headers.toSorted()).toEqual([
    'Authorization: Basic dTpw',
    expect.stringMatching(/^CF-Worker: /),
    'Content-Length: 29',
    'Content-Type: application/json',
    // What stands for the name here.
    `Host: localhost:${receiver.port}`,
    'User-Agent: Service/2.0',
    `X-Service-Delivery-Id: ${deliveryId}`,
    `X-Service-Signature: ${await sign(secret, timestamp, body)}`,
    `X-Service-Timestamp: ${timestamp}`,
    'X-Service-Webhook-Id: 00000000-0000-4000-8000-000000000001',
    `webhook-id: ${deliveryId}`,
    `webhook-signature: ${await signStandard(secret, { deliveryId, timestamp }, body)}`,
    `webhook-timestamp: ${timestamp}`,
  ])
})

it('never visits where a redirect leads, though it could', async () => {
  const elsewhere = await receive(answers(204))
  const receiver = await receive(answers(307, `Location: https://localhost:${elsewhere.port}/\r\n`))

  expect((await attempt(receiver.port)).outcome).toEqual(failed('redirect', 307))
  expect(elsewhere.connections).toBe(0)
})

it.each([
  ['an interim answer that nobody asked for', '100 Continue\r\n\r\nHTTP/1.1 204 X', delivered(204)],
  ['another protocol', '101 X\r\nUpgrade: h2c\r\nConnection: Upgrade', failed('http', 101)],
])('after %s the status line decides', async (_, head, expected) => {
  const receiver = await receive(says(`HTTP/1.1 ${head}\r\n\r\n`))
  expect((await attempt(receiver.port)).outcome).toEqual(expected)
})

describe('a head without end', () => {
  const outcomes = {
    headers: failed('network'),
    'one header': failed('network'),
    'interim answers': failed('timeout'),
  }

  it.each(ENDLESS)('of %s: the platform shows us nothing of it', async (what, behave) => {
    const receiver = await receive(behave)
    const order = { deadlineMs: 400, lingerMs: 300 }
    expect((await attempt(receiver.port, order)).outcome).toEqual(outcomes[what])
    expect(receiver.closed[0]).toBeLessThan(Date.now() - 100)
  })
})

it('on a kept connection that the receiver drops, a POST is lost and none is sent twice', async () => {
  const receiver = await receive((socket) => {
    if (receiver.requests.length === 1) socket.write('HTTP/1.1 204 X\r\nContent-Length: 0\r\n\r\n')
    else socket.destroy()
  })

  expect((await attempt(receiver.port)).outcome).toEqual(delivered(204))
  expect((await attempt(receiver.port)).outcome).toEqual(failed('network'))
  expect([receiver.connections, receiver.requests.length]).toEqual([1, 2])
})

it.each([
  'https://10.0.0.1/',
  'https://93.184.216.34/',
  'https://[2606:4700::1111]/',
  'https://hooks.localhost/',
  'http://hooks.example.com/',
])('does not connect to %s', async (url) => {
  const receiver = await receive(answers(204))
  expect((await attempt(receiver.port, { url })).outcome).toEqual(failed('destination'))
  expect(receiver.connections).toBe(0)
})
