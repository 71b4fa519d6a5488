/** Both ways out of workerd, on receivers with every fault, over TLS on loopback. */
import { networkInterfaces } from 'node:os'
import { createServer, type Socket } from 'node:net'
import { describe, expect, it } from 'vitest'
import { type Certificate, createAuthority } from '../../tools/support/authority.ts'
import { listen } from '../../tools/support/listen.ts'
import type { AttemptOrder } from './attempt-worker.ts'
import { NAMES, orderTo, useAttempts } from './attempts.ts'
import { COSTLY, delivered, ENDING, ENDLESS, failed, HANGING, POURING } from './faults.ts'
import { answers, type Behaviour, says } from './receiver.ts'
import { sign, signStandard } from '../../workers/delivery/attempt/headers.ts'

const { authority, attempt, make, processorMs, receive } = useAttempts()

/** How many attempts a cost is measured by: the kernel counts in hundredths of a second. */
const ATTEMPTS = 10

describe.each(['host', 'platform'] as const)('by the %s, a receiver that answers', (by) => {
  const attemptBy = (port: number, change: Partial<AttemptOrder> = {}) =>
    attempt(port, { by, ...change })

  it.each(ENDING)('%s', async (_, behave, expected) => {
    const receiver = await receive(behave)
    const { outcome, ms } = await attemptBy(receiver.port)

    expect(outcome).toEqual(expected)
    expect(receiver.requests).toHaveLength(1)
    expect(receiver.connections).toBe(1)
    expect(ms).toBeLessThan(5000)
  })

  it.each(HANGING)('%s: a time-out at the deadline, the connection closed', async (_, behave) => {
    const receiver = await receive(behave)
    const { outcome, ms } = await attemptBy(receiver.port, { deadlineMs: 500, lingerMs: 300 })

    expect(outcome).toEqual(failed('timeout'))
    expect(ms).toBeGreaterThanOrEqual(450)
    expect(ms).toBeLessThan(5000)
    expect(receiver.requests).toHaveLength(1)
    expect(receiver.closed[0]).toBeLessThan(Date.now() - 100)
  })

  it.each(POURING)('200 and %s: delivered at once, the connection closed', async (_, behave) => {
    const receiver = await receive(behave)
    const { outcome, ms } = await attemptBy(receiver.port, { lingerMs: 300 })

    expect(outcome).toEqual(delivered(200))
    expect(ms).toBeLessThan(5000)
    // By us, and not by the end of the invocation.
    expect(receiver.closed[0]).toBeLessThan(Date.now() - 100)
    expect(receiver.written()).toBeLessThan(8e6)
  })

  /** The processor time of an attempt, of a number of them. */
  async function cost(behave: Behaviour): Promise<number> {
    const receiver = await receive(behave)
    const order = orderTo(receiver.port, { by })
    await make([order])
    const before = processorMs()
    await make(Array(ATTEMPTS).fill(order))
    return (processorMs() - before) / ATTEMPTS
  }

  it.each(COSTLY)('and a head of %s: costs at most 100 ms of our processor', async (_, behave) => {
    // Beside what the connection and the request cost.
    expect((await cost(behave)) - (await cost(answers(200)))).toBeLessThan(100)
  })

  it.each(ENDLESS)('a head of endless %s: none, the connection closed', async (_, behave, ends) => {
    const receiver = await receive(behave)
    const deadlineMs = by === 'host' ? 10_000 : 400
    const { outcome, ms } = await attemptBy(receiver.port, { deadlineMs, lingerMs: 300 })
    expect(outcome).toEqual(ends[by])
    expect(ms).toBeLessThan(5000)
    expect(receiver.closed[0]).toBeLessThan(Date.now() - 100)
  })

  it.each([
    [
      'an interim answer that nobody asked for',
      '100 Continue\r\n\r\nHTTP/1.1 204 X',
      { host: failed('network'), platform: delivered(204) },
    ],
    [
      'another protocol',
      '101 X\r\nUpgrade: h2c\r\nConnection: Upgrade',
      { host: failed('network'), platform: failed('http', 101) },
    ],
  ])('%s: as its client has it', async (_, head, ends) => {
    const receiver = await receive(says(`HTTP/1.1 ${head}\r\n\r\n`))
    expect((await attemptBy(receiver.port)).outcome).toEqual(ends[by])
    expect([receiver.connections, receiver.requests.length]).toEqual([1, 1])
  })

  it('204 got our headers unchanged, and those of the transport', async () => {
    const receiver = await receive(answers(204))
    const order = orderTo(receiver.port, { by, authorization: 'Basic dTpw' })
    expect(await make([order])).toMatchObject([{ outcome: delivered(204) }])

    const [head, body] = receiver.requests[0]!.split('\r\n\r\n') as [string, string]
    const [line, ...headers] = head.split('\r\n')
    const timestamp = Number(/X-Service-Timestamp: (\d+)/.exec(head)![1])
    const deliveryId = '019a0000-0000-7000-8000-000000000001'
    const standard = await signStandard(order.secret, { deliveryId, timestamp }, body)
    const transport =
      by === 'host'
        ? ['connection: keep-alive', 'content-length: 29', `host: ${NAMES[0]}`]
        : // `localhost` stands for the name there.
          [
            expect.stringMatching(/^CF-Worker: /),
            'Content-Length: 29',
            `Host: localhost:${receiver.port}`,
          ]
    expect([line, body]).toEqual(['POST /hook?a=b HTTP/1.1', order.body])
    expect(headers).toHaveLength(13)
    expect(headers).toEqual(
      expect.arrayContaining([
        ...transport,
        'Authorization: Basic dTpw',
        'Content-Type: application/json',
        'User-Agent: Service/2.0',
        `X-Service-Delivery-Id: ${deliveryId}`,
        `X-Service-Signature: ${await sign(order.secret, timestamp, body)}`,
        `X-Service-Timestamp: ${timestamp}`,
        'X-Service-Webhook-Id: 00000000-0000-4000-8000-000000000001',
        `webhook-id: ${deliveryId}`,
        `webhook-signature: ${standard}`,
        `webhook-timestamp: ${timestamp}`,
      ]),
    )
    expect(receiver.names).toEqual([by === 'host' ? NAMES[0] : 'localhost'])
  })

  it.each<[string, (socket: Socket) => void]>([
    ['a reset', (socket) => socket.resetAndDestroy()],
    ['an end', (socket) => socket.end()],
    ['plain HTTP', (socket) => socket.end('HTTP/1.1 200 OK\r\n\r\n')],
  ])('no handshake but %s: network', async (_, hangUp) => {
    await using server = await listen(
      createServer((socket) => socket.on('error', () => {}).once('data', () => hangUp(socket))),
    )
    const { outcome } = await attemptBy(server.port)
    expect(outcome).toEqual(failed('network'))
  })

  it('nothing, for nobody listens: network', async () => {
    const closed = await receive(answers(204))
    await closed.close()
    expect((await attemptBy(closed.port)).outcome).toEqual(failed('network'))
  })

  it.each<[string, Parameters<typeof receive>[1], (() => Certificate)?]>([
    ['a handshake, and closes', { onConnect: (socket) => socket.destroy() }],
    [
      'in TLS older than 1.2',
      { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' },
    ],
    ['with a certificate of another name', {}, () => authority.issue(['other.example.com'])],
    ['with a certificate that has expired', {}, () => authority.issue(NAMES, -2)],
    ['with one of another authority', {}, () => createAuthority().issue(NAMES)],
  ])('%s: network, before any request', async (_, options, issue) => {
    const receiver = await receive(answers(200), options, issue?.())
    expect((await attemptBy(receiver.port)).outcome).toEqual(failed('network'))
    expect(receiver.requests).toEqual([])
  })
})

const hasIpv6 = networkInterfaces()['lo']?.some(({ address }) => address === '::1') ?? false

it('reaches a host that has only an IPv6 address, where this machine has IPv6', async () => {
  const receiver = await receive(answers(204), hasIpv6 ? { host: '::1' } : {})
  const { port } = receiver
  const { outcome } = await attempt(port, { endpoints: [{ address: '::1', port }] })

  expect(outcome).toEqual(hasIpv6 ? delivered(204) : failed('network'))
  expect(receiver.names).toEqual(hasIpv6 ? ['hooks.example.com'] : [])
})

const endpointsOf = (...ports: number[]) => ({
  endpoints: ports.map((port) => ({ address: '127.0.0.1', port })),
})

describe('the host, of several addresses', () => {
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

  it('tries eight at most', async () => {
    const wrong = await receive(answers(204), {}, authority.issue(['other.example.com']))
    const { outcome } = await attempt(0, endpointsOf(...Array(20).fill(wrong.port)))
    expect(outcome).toEqual(failed('network'))
    expect(wrong.connections).toBe(8)
  })

  it('never sends a second POST once the request has left', async () => {
    const resets = await receive((socket) => socket.destroy())
    const other = await receive(answers(204))
    const { outcome } = await attempt(0, endpointsOf(resets.port, other.port))

    expect(outcome).toEqual(failed('network'))
    expect([resets.requests.length, other.requests.length]).toEqual([1, 0])
  })
})

const BY_PLATFORM = { by: 'platform' } as const

describe('the platform', () => {
  it('never visits where a redirect leads, though it could', async () => {
    const elsewhere = await receive(answers(204))
    const receiver = await receive(
      answers(307, `Location: https://localhost:${elsewhere.port}/\r\n`),
    )

    expect((await attempt(receiver.port, BY_PLATFORM)).outcome).toEqual(failed('redirect', 307))
    expect(elsewhere.connections).toBe(0)
  })

  it('on a kept connection that the receiver drops, a POST is lost and none is sent twice', async () => {
    const receiver = await receive((socket) => {
      if (receiver.requests.length === 1)
        socket.write('HTTP/1.1 204 X\r\nContent-Length: 0\r\n\r\n')
      else socket.destroy()
    })

    expect((await attempt(receiver.port, BY_PLATFORM)).outcome).toEqual(delivered(204))
    expect((await attempt(receiver.port, BY_PLATFORM)).outcome).toEqual(failed('network'))
    expect([receiver.connections, receiver.requests.length]).toEqual([1, 2])
  })

  it.each(['https://93.184.216.34/', 'https://[2606:4700::1111]/'])(
    'does not connect to the address %s',
    async (url) => {
      const receiver = await receive(answers(204))
      expect((await attempt(receiver.port, { url, ...BY_PLATFORM })).outcome).toEqual(
        failed('destination'),
      )
      expect(receiver.connections).toBe(0)
    },
  )
})
