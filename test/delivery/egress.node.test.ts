/** What only the host's client promises: where the connection goes, and exactly what is sent. */
import { networkInterfaces } from 'node:os'
import { describe, expect, it } from 'vitest'
import { sign, signStandard } from '../../workers/delivery/attempt/headers.ts'
import { orderTo } from './attempts.ts'
import { delivered, ENDLESS, failed } from './faults.ts'
import { answers, says } from './receiver.ts'
import { useAttempts } from './use-attempts.ts'

const { authority, attempts, receive } = useAttempts()

const attempt = (...order: Parameters<typeof orderTo>) => attempts.attempt(orderTo(...order))

it('pins: the dialled address, with Host, SNI and certificate of the name', async () => {
  const receiver = await receive(answers(204))
  const order = orderTo(receiver.port, { authorization: 'Basic dTpw' })
  const { outcome } = await attempts.attempt(order)

  expect(outcome).toEqual(delivered(204))
  expect(receiver.names).toEqual(['hooks.example.com'])
  const [head, body] = receiver.requests[0]!.split('\r\n\r\n') as [string, string]
  const lines = head.split('\r\n')
  const timestamp = Number(/X-Service-Timestamp: (\d+)/.exec(head)![1])
  const deliveryId = '019a0000-0000-7000-8000-000000000001'
  expect(body).toBe(order.body)
  expect(lines[0]).toBe('POST /hook?a=b HTTP/1.1')
  expect(lines.slice(1).toSorted()).toEqual([
    'Authorization: Basic dTpw',
    'Content-Type: application/json',
    'User-Agent: Service/2.0',
    `X-Service-Delivery-Id: ${deliveryId}`,
    `X-Service-Signature: ${await sign(order.secret, timestamp, order.body)}`,
    `X-Service-Timestamp: ${timestamp}`,
    'X-Service-Webhook-Id: 00000000-0000-4000-8000-000000000001',
    'connection: keep-alive',
    'content-length: 29',
    'host: hooks.example.com',
    `webhook-id: ${deliveryId}`,
    `webhook-signature: ${await signStandard(order.secret, { deliveryId, timestamp }, order.body)}`,
    `webhook-timestamp: ${timestamp}`,
  ])
})

const hasIpv6 = networkInterfaces()['lo']?.some(({ address }) => address === '::1') ?? false

it('reaches a host that has only an IPv6 address, where this machine has IPv6', async () => {
  const receiver = await receive(answers(204), hasIpv6 ? { host: '::1' } : {})
  const { port } = receiver
  const { outcome } = await attempt(port, { endpoints: [{ address: '::1', port }] })

  expect(outcome).toEqual(hasIpv6 ? delivered(204) : failed('network'))
  expect(receiver.names).toEqual(hasIpv6 ? ['hooks.example.com'] : [])
})

describe('a head without end', () => {
  const outcomes = {
    headers: failed('network'),
    'one header': failed('network'),
    'interim answers': failed('network'),
  }

  it.each(ENDLESS)('of %s is none, at once, and the connection is closed', async (what, behave) => {
    const receiver = await receive(behave)
    const { outcome, ms } = await attempt(receiver.port, { lingerMs: 300 })

    expect(outcome).toEqual(outcomes[what])
    expect(ms).toBeLessThan(5000)
    expect(receiver.closed[0]).toBeLessThan(Date.now() - 100)
  })
})

it.each([
  ['an interim answer that nobody asked for', '100 Continue\r\n\r\nHTTP/1.1 204 X'],
  ['another protocol', '101 X\r\nUpgrade: h2c\r\nConnection: Upgrade'],
])('%s is no answer', async (_, head) => {
  const receiver = await receive(says(`HTTP/1.1 ${head}\r\n\r\n`))
  expect((await attempt(receiver.port)).outcome).toEqual(failed('network'))
  expect([receiver.connections, receiver.requests.length]).toEqual([1, 1])
})

const endpointsOf = (...ports: number[]) => ({
  endpoints: ports.map((port) => ({ address: '127.0.0.1', port })),
})

describe('several addresses', () => {
  it('tries the next one when connecting fails', async () => {
    const receiver = await receive(answers(204))
    const closed = await receive(answers(204))
    await closed.close()
    const { outcome } = await attempt(0, endpointsOf(closed.port, receiver.port))
    expect(outcome).toEqual(delivered(204))
  })

  it('tries the next one when the handshake fails', async () => {
    const wrong = await receive(answers(204), {}, authority.issue(['other.example.com']))
    const right = await receive(answers(204))
    const { outcome } = await attempt(0, endpointsOf(wrong.port, right.port))

    expect(outcome).toEqual(delivered(204))
    expect(wrong.requests).toEqual([])
  })

  it('never sends a second POST once the request has left', async () => {
    const resets = await receive((socket) => socket.destroy())
    const other = await receive(answers(204))
    const { outcome } = await attempt(0, endpointsOf(resets.port, other.port))

    expect(outcome).toEqual(failed('network'))
    expect([resets.requests.length, other.requests.length]).toEqual([1, 0])
  })
})

it.each(['https://10.0.0.1/', 'https://hooks.localhost/', 'http://hooks.example.com/'])(
  'does not connect to %s',
  async (url) => {
    const receiver = await receive(answers(204))
    expect((await attempt(receiver.port, { url })).outcome).toEqual(failed('destination'))
    expect(receiver.connections).toBe(0)
  },
)
