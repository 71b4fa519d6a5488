/** What receivers do, each once here for both ways out, and how an attempt on them ends. */
import { gzipSync } from 'node:zlib'
import type { TLSSocket } from 'node:tls'
import type { Outcome } from '../../workers/delivery/attempt/attempt.ts'
import { answers, type Behaviour, says } from './receiver.ts'

export const delivered = (code: number): Outcome => ({ status: 'delivered', code })

export const failed = (
  errorType: Extract<Outcome, { status: 'failed' }>['errorType'],
  code: number | null = null,
  retryAfterSeconds: number | null = null,
): Outcome => ({ status: 'failed', code, errorType, retryAfterSeconds })

/** Receivers that end the exchange by themselves: the outcome, and one connection, one request. */
export const ENDING: [what: string, Behaviour, Outcome][] = [
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
  [
    'in chunks',
    says('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n'),
    delivered(200),
  ],
  [
    '2xx and a gzip body that is none',
    says('HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n\x1f\x8b'),
    delivered(200),
  ],
  [
    '2xx and a broken body',
    says('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzzz'),
    delivered(200),
  ],
  [
    '2xx and half of the body',
    (socket, _, reset) => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nhalf')
      // A reset that overtakes the head would be another case.
      setTimeout(reset, 50)
    },
    delivered(200),
  ],
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
  [
    '100 four thousand times',
    says('HTTP/1.1 100 Continue\r\n\r\n'.repeat(4000)),
    failed('network'),
  ],
]

/** Receivers that never come to a status line: only the deadline ends them. */
export const HANGING: [what: string, Behaviour][] = [
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

/** Receivers that confirm, and then send a body that no one wants. */
export const POURING: [what: string, Behaviour][] = [
  ['a body that drips for ever', (socket) => drip(begin(socket, 'Content-Length: 200000000'))],
  ['a body of 200 MB', (socket) => flood(begin(socket, 'Content-Length: 200000000'))],
  ['chunks for ever', (socket) => flood(begin(socket, 'Transfer-Encoding: chunked'), CHUNK)],
  ['a gzip bomb', (socket) => flood(begin(socket, 'Content-Encoding: gzip'), BOMB)],
]

const NONE = { host: failed('network'), platform: failed('network') }

/** Receivers whose head has no end; what each way out makes of it is its own. */
export const ENDLESS: [what: string, Behaviour, Record<'host' | 'platform', Outcome>][] = [
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

/** Heads that keep a parser busy: repetition at each place that one may look at twice. */
export const COSTLY: [what: string, Behaviour][] = [
  ['spaces after a colon', costly(`X:${' '.repeat(65_000)}`)],
  ['spaces and tabs folded', costly(`X: y\r\n${' \t'.repeat(32_000)}`)],
  ['Retry-After again and again', costly('Retry-After: 1\r\n'.repeat(4000))],
  ['a Retry-After of a date', costly(`Retry-After: Mon, ${'('.repeat(65_000)} GMT`)],
  ['lengths that contradict', costly('Content-Length: 1\r\n'.repeat(3400))],
  ['empty lines first', says(`${'\r\n'.repeat(32_000)}HTTP/1.1 200 X\r\n\r\n`)],
  ['interim answers', says('HTTP/1.1 100\n\n'.repeat(4500), 'HTTP/1.1 200 X\r\n\r\n')],
]

function costly(lines: string): Behaviour {
  return says(`HTTP/1.1 200 OK\r\n${lines}\r\n\r\n`)
}

const CHUNK = Buffer.from(`8000\r\n${'x'.repeat(0x8000)}\r\n`)

/** 20 MB of zeros in 20 KB; sent again and again it is one long bomb. */
const BOMB = gzipSync(Buffer.alloc(20e6))

function begin(socket: TLSSocket, header: string): TLSSocket {
  socket.write(`HTTP/1.1 200 OK\r\n${header}\r\n\r\n`)
  return socket
}

function drip(socket: TLSSocket): void {
  const timer = setInterval(() => socket.write('x'), 20)
  socket.on('close', () => clearInterval(timer))
}

/** As fast as it is taken, 200 MB at most. */
function flood(socket: TLSSocket, bytes: Uint8Array = new Uint8Array(65_536), start = ''): void {
  socket.write(start)
  const pour = () => {
    while (socket.writable && socket.bytesWritten < 200e6 && socket.write(bytes));
  }
  socket.on('drain', pour)
  pour()
}
