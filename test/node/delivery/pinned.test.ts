import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { createTestHarness } from 'wrangler'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createAuthority } from '../../../tools/receiver/authority.ts'
import { sign } from '../../../shared/signature.ts'
import type { AttemptOrder } from './attempt-worker.ts'
import { answers, type Behaviour, type Receiver, says, startReceiver } from './receiver.ts'

const NAME = 'hooks.example.com'
const SECRET = '0123456789abcdef'.repeat(4)
const BODY = '{"name":"Dólar ñandú €"}'

const authority = createAuthority()
const certificate = authority.issue([NAME])
const receivers: Receiver[] = []
let harness: ReturnType<typeof createTestHarness>

beforeAll(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'receiver-'))
  writeFileSync(join(folder, 'authority.pem'), authority.own.cert)
  process.env.NODE_EXTRA_CA_CERTS = join(folder, 'authority.pem')
  // Loaded late: the authorities to trust are read when the module is.
  const wrangler = await import('wrangler')
  harness = wrangler.createTestHarness({
    workers: [{ configPath: './test/node/delivery/wrangler.toml' }],
  })
  await harness.listen()
})
afterEach(async () => {
  await Promise.all(receivers.splice(0).map((receiver) => receiver.close()))
})
afterAll(() => harness?.close())

async function receive(behave: Behaviour, options: Parameters<typeof startReceiver>[2] = {}) {
  const receiver = await startReceiver(certificate, behave, options)
  receivers.push(receiver)
  return receiver
}

async function attempt(port: number, change: Partial<AttemptOrder> = {}) {
  const order: AttemptOrder = {
    transport: 'pinned',
    url: `https://${NAME}/hook?a=b`,
    endpoints: [{ address: '127.0.0.1', port }],
    body: BODY,
    secret: SECRET,
    authorization: null,
    deadlineMs: 1500,
    ...change,
  }
  const response = await harness.fetch('http://localhost/', {
    method: 'POST',
    body: JSON.stringify(order),
  })
  return (await response.json()) as { outcome: Record<string, unknown>; ms: number }
}

it('pins: the dialled address, with Host, SNI and certificate of the name', async () => {
  const receiver = await receive(answers(204))
  const { outcome } = await attempt(receiver.port, { authorization: 'Basic dTpw' })

  expect(outcome).toEqual({ status: 'delivered', code: 204 })
  expect(receiver.names).toEqual([NAME])
  const [head, body] = receiver.requests[0]!.split('\r\n\r\n') as [string, string]
  const lines = head.split('\r\n')
  const timestamp = Number(/X-Service-Timestamp: (\d+)/.exec(head)![1])
  expect(body).toBe(BODY)
  expect(lines).toEqual([
    'POST /hook?a=b HTTP/1.1',
    `Host: ${NAME}`,
    'Content-Type: application/json',
    'User-Agent: Service/2.0',
    'X-Service-Delivery-Id: 019a0000-0000-7000-8000-000000000001',
    'X-Service-Webhook-Id: 00000000-0000-4000-8000-000000000001',
    `X-Service-Timestamp: ${timestamp}`,
    `X-Service-Signature: ${await sign(SECRET, timestamp, BODY)}`,
    'Authorization: Basic dTpw',
    'Content-Length: 29',
    'Connection: close',
  ])
})

const delivered = (code: number) => ({ status: 'delivered', code })
const failed = (
  errorType: string,
  code: number | null = null,
  retryAfterSeconds: number | null = null,
) => ({
  status: 'failed',
  code,
  errorType,
  retryAfterSeconds,
})

describe('a receiver that answers', () => {
  it.each<[string, Behaviour, object]>([
    ['200', answers(200), delivered(200)],
    ['201', answers(201), delivered(201)],
    ['299', answers(299), delivered(299)],
    ['301 to itself', answers(301, `Location: https://${NAME}/\r\n`), failed('redirect', 301)],
    [
      '302 to a private address',
      answers(302, 'Location: https://10.0.0.1/\r\n'),
      failed('redirect', 302),
    ],
    ['307 to public', answers(307, 'Location: https://example.com/\r\n'), failed('redirect', 307)],
    ['308 to http', answers(308, 'Location: http://example.com/\r\n'), failed('redirect', 308)],
    ['400', answers(400), failed('http', 400)],
    ['404', answers(404), failed('http', 404)],
    ['410', answers(410), failed('http', 410)],
    ['429 with Retry-After', answers(429, 'Retry-After: 5\r\n'), failed('http', 429, 5)],
    ['429 with garbage', answers(429, 'Retry-After: soon\r\n'), failed('http', 429)],
    ['500', answers(500), failed('http', 500)],
    ['503', answers(503, 'retry-after: 1000000000\r\n'), failed('http', 503, 1e9)],
    [
      '100, then 204',
      says('HTTP/1.1 100 Continue\r\n\r\n', 'HTTP/1.1 204 X\r\n\r\n'),
      delivered(204),
    ],
    [
      '103, then 200',
      says('HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n', 'HTTP/1.1 200 OK\r\n\r\n'),
      delivered(200),
    ],
    [
      '101',
      says('HTTP/1.1 101 X\r\nUpgrade: h2c\r\nConnection: Upgrade\r\n\r\n'),
      failed('http', 101),
    ],
    ['HTTP/1.0', says('HTTP/1.0 200 OK\r\n\r\nhello'), delivered(200)],
    [
      'in chunks',
      says('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n'),
      delivered(200),
    ],
    [
      'with a gzip bomb',
      says('HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n\x1f\x8b'),
      delivered(200),
    ],
    [
      '2xx and a broken body',
      says('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzzz'),
      delivered(200),
    ],
    ['nothing', (socket) => socket.end(), failed('network')],
    ['a reset', (socket) => socket.destroy(), failed('network')],
    ['half a status line', says('HTTP/1.1 20'), failed('network')],
    ['not HTTP', says('SSH-2.0-x\r\n\r\n'), failed('network')],
    ['status 999', says('HTTP/1.1 999 X\r\n\r\n'), failed('network')],
    [
      '200 and 70 KB of headers',
      says(`HTTP/1.1 200 OK\r\n${`X-A: ${'a'.repeat(1000)}\r\n`.repeat(70)}\r\n`),
      delivered(200),
    ],
    ['100 for ever', says('HTTP/1.1 100 Continue\r\n\r\n'.repeat(4000)), failed('network')],
  ])('%s', async (_, behave, expected) => {
    const receiver = await receive(behave)
    const { outcome, ms } = await attempt(receiver.port)

    expect(outcome).toEqual(expected)
    expect(receiver.requests).toHaveLength(1)
    expect(receiver.connections).toBe(1)
    expect(ms).toBeLessThan(1400)
  })

  it.each<[string, Behaviour]>([
    ['nothing, ever', () => {}],
    [
      'one header byte at a time',
      (socket) => {
        const bytes = [...`HTTP/1.1 200 OK\r\nX-A: ${'a'.repeat(1000)}`]
        const timer = setInterval(() => socket.write(bytes.shift() ?? 'a'), 50)
        socket.on('close', () => clearInterval(timer))
      },
    ],
  ])('%s: a time-out at the deadline, the connection closed', async (_, behave) => {
    const receiver = await receive(behave)
    const { outcome, ms } = await attempt(receiver.port)

    expect(outcome).toEqual(failed('timeout'))
    expect(ms).toBeGreaterThanOrEqual(1400)
    expect(ms).toBeLessThan(2500)
    await expect.poll(() => receiver.open.size).toBe(0)
  })

  it.each<[string, (socket: Parameters<Behaviour>[0]) => void]>([
    [
      'a body that drips for ever',
      (socket) => {
        const timer = setInterval(() => socket.write('x'), 20)
        socket.on('close', () => clearInterval(timer))
      },
    ],
    [
      'a body of 200 MB',
      (socket) => {
        const pour = () => {
          while (socket.bytesWritten < 200e6 && socket.write(Buffer.alloc(65_536)));
        }
        socket.on('drain', pour)
        pour()
      },
    ],
  ])('%s: delivered at once, the connection closed', async (_, pour) => {
    const receiver = await receive((socket) => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 200000000\r\n\r\n')
      pour(socket)
    })
    const { outcome, ms } = await attempt(receiver.port)

    expect(outcome).toEqual(delivered(200))
    expect(ms).toBeLessThan(1000)
    await expect.poll(() => receiver.open.size).toBe(0)
    expect(receiver.written()).toBeLessThan(8e6)
  })
})

describe('TLS', () => {
  it.each([
    ['of another name', () => authority.issue(['other.example.com'])],
    ['that has expired', () => authority.issue([NAME], -2)],
    ['of another authority', () => createAuthority().issue([NAME])],
  ])('a certificate %s is refused before any request', async (_, issue) => {
    const receiver = await startReceiver(issue(), answers(200))
    receivers.push(receiver)
    const { outcome } = await attempt(receiver.port)

    expect(outcome).toEqual(failed('network'))
    expect(receiver.requests).toEqual([])
  })

  it('older than 1.2 is refused', async () => {
    const receiver = await receive(answers(200), {
      minVersion: 'TLSv1',
      maxVersion: 'TLSv1.1',
      ciphers: 'DEFAULT@SECLEVEL=0',
    })
    expect((await attempt(receiver.port)).outcome).toEqual(failed('network'))
  })
})

describe('several addresses', () => {
  it('tries the next one when connecting fails', async () => {
    const receiver = await receive(answers(204))
    const closed = await receive(answers(204))
    await closed.close()
    const { outcome } = await attempt(0, {
      endpoints: [
        { address: '127.0.0.1', port: closed.port },
        { address: '127.0.0.1', port: receiver.port },
      ],
    })
    expect(outcome).toEqual(delivered(204))
  })

  it('tries the next one when the handshake fails', async () => {
    const wrong = await startReceiver(authority.issue(['other.example.com']), answers(204))
    const right = await receive(answers(204))
    receivers.push(wrong)
    const { outcome } = await attempt(0, {
      endpoints: [wrong, right].map(({ port }) => ({ address: '127.0.0.1', port })),
    })
    expect(outcome).toEqual(delivered(204))
    expect(wrong.requests).toEqual([])
  })

  it('never sends a second POST once the request has left', async () => {
    const resets = await receive((socket) => socket.destroy())
    const other = await receive(answers(204))
    const { outcome } = await attempt(0, {
      endpoints: [resets, other].map(({ port }) => ({ address: '127.0.0.1', port })),
    })
    expect(outcome).toEqual(failed('network'))
    expect([resets.requests.length, other.requests.length]).toEqual([1, 0])
  })

  it('are all refused: network', async () => {
    const closed = await receive(answers(204))
    await closed.close()
    expect((await attempt(closed.port)).outcome).toEqual(failed('network'))
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
