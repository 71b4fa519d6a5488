/** Both egresses (the host's and the platform's), with receivers with every fault, over TLS. */
import { networkInterfaces } from 'node:os'
import { createServer, type Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { type Certificate, createAuthority } from '../../tools/support/authority.ts'
import { listen } from '../../tools/support/listen.ts'
import type { WantedAttempt } from './attempt-worker.ts'
import { delivered, failed, NAMES, attemptTo, useAttempts } from './attempts.ts'
import { answers, type Behaviour, says } from './receiver.ts'
import type { Outcome } from '../../workers/delivery/attempt/attempt.ts'
import { sign, signStandard } from '../../workers/delivery/attempt/headers.ts'

const { authority, attempt, make, receive } = useAttempts()

/** Receivers that end the exchange themselves, with one connection and one request. */
const ENDING: [what: string, Behaviour, Outcome][] = [
  ['204', answers(204), delivered(204)],
  [
    '302 to a private address',
    answers(302, 'Location: https://169.254.169.254/latest/\r\n'),
    failed('redirect', 302),
  ],
  ['401', answers(401, 'WWW-Authenticate: Basic\r\n'), failed('http', 401)],
  ['429 with Retry-After', answers(429, 'Retry-After: 5\r\n'), failed('http', 429, 5)],
  ['503', answers(503, 'retry-after: 1000000000\r\n'), failed('http', 503, 1e9)],
  [
    '103, and 200 a moment later',
    (socket) => {
      socket.write('HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n')
      setTimeout(() => socket.end('HTTP/1.1 200 OK\r\n\r\n'), 50)
    },
    delivered(200),
  ],
  ['HTTP/1.0', says('HTTP/1.0 200 OK\r\n\r\nhello'), delivered(200)],
  ['nothing', (socket) => socket.end(), failed('network')],
  ['a reset', (_socket, _request, reset) => reset(), failed('network')],
  ['half a status line', says('HTTP/1.1 20'), failed('network')],
  ['half a head', says('HTTP/1.1 200 OK\r\nX-A: a\r\n'), failed('network')],
  ['not HTTP', says('SSH-2.0-x\r\n\r\n'), failed('network')],
  ['status 600', says('HTTP/1.1 600 X\r\n\r\n'), failed('network')],
  [
    '200 and 70 KB of headers',
    says(`HTTP/1.1 200 OK\r\n${`X-A: ${'a'.repeat(1000)}\r\n`.repeat(70)}\r\n`),
    delivered(200),
  ],
]

/** Receivers that never send a status line: only the deadline ends the attempt. */
const HANGING: [what: string, Behaviour][] = [
  ['nothing, ever', () => {}],
  [
    'one header byte at a time',
    (socket) => {
      const bytes = [...`HTTP/1.1 200 OK\r\nX-A: ${'a'.repeat(1000)}`]
      const timer = setInterval(() => socket.write(bytes.shift() ?? 'a'), 50)
      socket.on('close', () => clearInterval(timer))
    },
  ],
]

/** Receivers that confirm, and then send an unwanted body. */
const POURING: [what: string, Behaviour][] = [
  ['a body that drips for ever', (socket) => drip(begin(socket, 'Content-Length: 200000000'))],
  ['a body of 200 MB', (socket) => flood(begin(socket, 'Content-Length: 200000000'))],
  ['chunks for ever', (socket) => flood(begin(socket, 'Transfer-Encoding: chunked'), CHUNK)],
  ['a gzip bomb', (socket) => flood(begin(socket, 'Content-Encoding: gzip'), BOMB)],
]

const NONE = { host: failed('network'), platform: failed('network') }

/** Receivers whose response head never ends, with the outcome for each egress. */
const ENDLESS: [what: string, Behaviour, Record<'host' | 'platform', Outcome>][] = [
  [
    'headers',
    (socket) => flood(socket, Buffer.from(`X-A: ${'a'.repeat(1000)}\r\n`), 'HTTP/1.1 200 OK\r\n'),
    NONE,
  ],
  [
    'one header',
    (socket) => flood(socket, Buffer.alloc(65_536, 'a'), 'HTTP/1.1 500 X\r\nX-A: '),
    NONE,
  ],
  [
    'interim answers',
    (socket) => flood(socket, Buffer.from('HTTP/1.1 100 Continue\r\n\r\n'.repeat(1000))),
    { ...NONE, platform: failed('timeout') },
  ],
]

describe.each(['host', 'platform'] as const)('sent by the %s, to a receiver that answers', (by) => {
  const attemptBy = (port: number, change: Partial<WantedAttempt> = {}) =>
    attempt(port, { by, ...change })

  it.each(ENDING)('%s', async (_, behave, expected) => {
    const receiver = await receive(behave)
    const { outcome, ms } = await attemptBy(receiver.port)

    expect(outcome).toEqual(expected)
    expect(receiver.requests).toHaveLength(1)
    expect(receiver.connections).toBe(1)
    expect(ms).toBeLessThan(5000)
  })

  it.each(HANGING)('%s: times out, and the connection is closed', async (_, behave) => {
    const receiver = await receive(behave)
    const { outcome, ms } = await attemptBy(receiver.port, { deadlineMs: 500, lingerMs: 300 })

    expect(outcome).toEqual(failed('timeout'))
    expect(ms).toBeGreaterThanOrEqual(450)
    expect(ms).toBeLessThan(5000)
    expect(receiver.requests).toHaveLength(1)
    expect(receiver.closed[0]).toBeLessThan(Date.now() - 100)
  })

  it.each(POURING)('200 and %s: delivered, and the connection closed', async (_, behave) => {
    const receiver = await receive(behave)
    const { outcome, ms } = await attemptBy(receiver.port, { lingerMs: 300 })

    expect(outcome).toEqual(delivered(200))
    expect(ms).toBeLessThan(5000)
    // Closed by the attempt, not by the end of the invocation.
    expect(receiver.closed[0]).toBeLessThan(Date.now() - 100)
    expect(receiver.written()).toBeLessThan(8e6)
  })

  it.each(ENDLESS)('endless %s: fails, and the connection is closed', async (_, behave, ends) => {
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
  ])('%s: the outcome depends on the client', async (_, head, ends) => {
    const receiver = await receive(says(`HTTP/1.1 ${head}\r\n\r\n`))
    expect((await attemptBy(receiver.port)).outcome).toEqual(ends[by])
    expect([receiver.connections, receiver.requests.length]).toEqual([1, 1])
  })

  it('204: the receiver gets our headers unchanged, and the headers of the transport', async () => {
    const receiver = await receive(answers(204))
    const wanted = attemptTo(receiver.port, { by, authorization: 'Basic dTpw' })
    expect(await make([wanted])).toMatchObject([{ outcome: delivered(204) }])

    const [head, body] = receiver.requests[0]!.split('\r\n\r\n') as [string, string]
    const [line, ...headers] = head.split('\r\n')
    const timestamp = Number(/X-Service-Timestamp: (\d+)/.exec(head)![1])
    const deliveryId = '019a0000-0000-7000-8000-000000000001'
    const standard = await signStandard(wanted.secret, { deliveryId, timestamp }, body)
    const transport =
      by === 'host'
        ? ['connection: close', 'content-length: 29', `host: ${NAMES[0]}`]
        : // `localhost` replaces the name there.
          [
            expect.stringMatching(/^CF-Worker: /),
            'Content-Length: 29',
            `Host: localhost:${receiver.port}`,
          ]
    expect([line, body]).toEqual(['POST /hook?a=b HTTP/1.1', wanted.body])
    expect(headers).toHaveLength(13)
    expect(headers).toEqual(
      expect.arrayContaining([
        ...transport,
        'Authorization: Basic dTpw',
        'Content-Type: application/json',
        'User-Agent: Service/2.0',
        `X-Service-Delivery-Id: ${deliveryId}`,
        `X-Service-Signature: ${await sign(wanted.secret, timestamp, body)}`,
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
  ])('%s instead of a handshake: network error', async (_, hangUp) => {
    await using server = await listen(
      createServer((socket) => socket.on('error', () => {}).once('data', () => hangUp(socket))),
    )
    const { outcome } = await attemptBy(server.port)
    expect(outcome).toEqual(failed('network'))
  })

  it('nothing, because nobody listens: network error', async () => {
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
  ])('%s: network error, and no request is sent', async (_, options, issue) => {
    const receiver = await receive(answers(200), options, issue?.())
    expect((await attemptBy(receiver.port)).outcome).toEqual(failed('network'))
    expect(receiver.requests).toEqual([])
  })
})

const hasIpv6 = networkInterfaces()['lo']?.some(({ address }) => address === '::1') ?? false

it('reaches a host with only an IPv6 address, if this machine has IPv6', async () => {
  const receiver = await receive(answers(204), hasIpv6 ? { host: '::1' } : {})
  const { port } = receiver
  const { outcome } = await attempt(port, { endpoints: [{ address: '::1', port }] })

  expect(outcome).toEqual(hasIpv6 ? delivered(204) : failed('network'))
  expect(receiver.names).toEqual(hasIpv6 ? ['hooks.example.com'] : [])
})

const endpointsOf = (...ports: number[]) => ({
  endpoints: ports.map((port) => ({ address: '127.0.0.1', port })),
})

describe('the host client, with several addresses', () => {
  it('tries the next address when connecting fails', async () => {
    const receiver = await receive(answers(204))
    const closed = await receive(answers(204))
    await closed.close()
    const { outcome } = await attempt(0, endpointsOf(closed.port, receiver.port))
    expect(outcome).toEqual(delivered(204))
  })

  it('tries the next address when the handshake fails', async () => {
    const wrong = await receive(answers(204), {}, authority.issue(['other.example.com']))
    const right = await receive(answers(204))
    const { outcome } = await attempt(0, endpointsOf(wrong.port, right.port))

    expect(outcome).toEqual(delivered(204))
    expect(wrong.requests).toEqual([])
  })

  it('tries at most eight addresses', async () => {
    const wrong = await receive(answers(204), {}, authority.issue(['other.example.com']))
    const { outcome } = await attempt(0, endpointsOf(...Array(20).fill(wrong.port)))
    expect(outcome).toEqual(failed('network'))
    expect(wrong.connections).toBe(8)
  })

  it('never sends a second POST after the request may have been sent', async () => {
    const resets = await receive((socket) => socket.destroy())
    const other = await receive(answers(204))
    const { outcome } = await attempt(0, endpointsOf(resets.port, other.port))

    expect(outcome).toEqual(failed('network'))
    expect([resets.requests.length, other.requests.length]).toEqual([1, 0])
  })
})

const BY_PLATFORM = { by: 'platform' } as const

describe('the platform', () => {
  it('never follows a redirect, although its target is reachable', async () => {
    const elsewhere = await receive(answers(204))
    const receiver = await receive(
      answers(307, `Location: https://localhost:${elsewhere.port}/\r\n`),
    )

    expect((await attempt(receiver.port, BY_PLATFORM)).outcome).toEqual(failed('redirect', 307))
    expect(elsewhere.connections).toBe(0)
  })

  it('does not send a POST twice when the receiver closes a kept connection', async () => {
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

const CHUNK = Buffer.from(`8000\r\n${'x'.repeat(0x8000)}\r\n`)

/** 20 MB of zeros in 20 KB. Sent repeatedly, it is one long bomb. */
const BOMB = gzipSync(Buffer.alloc(20e6))

function begin(socket: TLSSocket, header: string): TLSSocket {
  socket.write(`HTTP/1.1 200 OK\r\n${header}\r\n\r\n`)
  return socket
}

function drip(socket: TLSSocket): void {
  const timer = setInterval(() => socket.write('x'), 20)
  socket.on('close', () => clearInterval(timer))
}

/** Sends as fast as the client reads, 200 MB at most. */
function flood(socket: TLSSocket, bytes: Uint8Array = new Uint8Array(65_536), start = ''): void {
  socket.write(start)
  const pour = () => {
    while (socket.writable && socket.bytesWritten < 200e6 && socket.write(bytes));
  }
  socket.on('drain', pour)
  pour()
}
