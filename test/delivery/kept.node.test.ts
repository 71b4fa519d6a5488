/** The host client's kept connections, tested with receivers that break every rule. */
import type { TLSSocket } from 'node:tls'
import { describe, expect, it } from 'vitest'
import type { WantedAttempt } from './attempt-worker.ts'
import { delivered, failed, NAMES, attemptTo, useAttempts } from './attempts.ts'
import type { Outcome } from '../../workers/delivery/attempt/attempt.ts'

const { make, receive } = useAttempts([...NAMES, 'other.example.com'])

/** Starts a receiver with these answers at these requests; other requests get a good answer. */
async function receiveInTurn(turns: Record<number, Answer>, options = {}) {
  const receiver = await receive((socket, request, reset) => {
    // Sends each write at once.
    socket.setNoDelay(true)
    const turn = receiver.requests.length - 1
    const answer = turns[turn] ?? well
    answer(socket, 200 + turn, { request, reset })
  }, options)
  return receiver
}

/** Sends an answer with the request's own code, so that a mixed-up answer is visible. */
type Answer = (
  socket: TLSSocket,
  code: number,
  more: { request: string; reset: () => void },
) => void

const well: Answer = (socket, code) =>
  socket.write(`HTTP/1.1 ${code} X\r\nContent-Length: 2\r\n\r\nok`)

/** Sends a text in which `CODE` stands for the code, then further pieces in separate writes. */
const says =
  (...pieces: string[]): Answer =>
  (socket, code) => {
    for (const piece of pieces) socket.write(piece.replace('CODE', String(code)))
  }

/** Sends a head of these lines with a body in the same write, then further pieces. */
const head = (lines: string, body = '', ...pieces: string[]) =>
  says(`HTTP/1.1 CODE X\r\n${lines}\r\n\r\n${body}`, ...pieces)

const then =
  (first: Answer, ms: number, next: (socket: TLSSocket, reset: () => void) => void): Answer =>
  (socket, code, more) => {
    first(socket, code, more)
    setTimeout(() => next(socket, more.reset), ms)
  }

/** Makes attempts one after the other. */
async function deliver(port: number, changes: Partial<WantedAttempt>[]) {
  const wanted = changes.map((change) => attemptTo(port, change))
  return (await make(wanted)).map(({ outcome }) => outcome)
}

const EMPTY = 'HTTP/1.1 CODE X\r\nContent-Length: 0\r\n\r\n'
const STRAY = EMPTY.replace('CODE', '299')

const FOUR = [{}, {}, {}, {}]
const ALL_DELIVERED = [200, 201, 202, 203].map(delivered)

describe('one connection carries all deliveries to a receiver that answers', () => {
  it.each<[string, Answer, Outcome[]?]>([
    ['with a length', well],
    ['in chunks', head('Transfer-Encoding: chunked', '2\r\nok\r\n0\r\n\r\n')],
    ['with an interim answer first', says(`HTTP/1.1 103 X\r\n\r\n${EMPTY}`)],
    ['204', says('HTTP/1.1 204 X\r\n\r\n'), Array(4).fill(delivered(204))],
  ])('%s', async (_, answer, expected = ALL_DELIVERED) => {
    const receiver = await receiveInTurn({ 0: answer, 1: answer, 2: answer, 3: answer })
    expect(await deliver(receiver.port, FOUR)).toEqual(expected)
    expect(receiver.carriers).toEqual([1, 1, 1, 1])
  })
})

it('a connection is closed after a second without a request', async () => {
  const receiver = await receiveInTurn({})
  await deliver(receiver.port, [{}])
  const restsSince = Date.now()

  await expect.poll(() => receiver.closed.length, { timeout: 5000, interval: 50 }).toBe(1)
  expect(receiver.closed[0]! - restsSince).toBeGreaterThan(500)
})

describe('a connection is not reused, and no answer is taken for another, after', () => {
  /** An answer with a malformed head counts as no answer. */
  const CASES: [what: string, Answer, outcome?: (code: number) => Outcome][] = [
    ['an end without a word', (socket, ...rest) => (well(socket, ...rest), socket.end())],
    ['a reset', then(well, 20, (_, reset) => reset())],
    ['an announced close that never comes', head('Connection: close\r\nContent-Length: 0')],
    ['HTTP/1.0', says('HTTP/1.0 CODE X\r\nContent-Length: 0\r\n\r\n')],
    ['two answers at once', says(EMPTY + STRAY)],
    ['a second answer a moment later', then(well, 20, (socket) => socket.write(STRAY))],
    [
      'a time-out of its own while idle',
      then(well, 20, (socket) => socket.end('HTTP/1.1 408 X\r\nConnection: close\r\n\r\n')),
    ],
    ['one byte too many', head('Content-Length: 2', 'ok!')],
    [
      'a body where none may be',
      says(`HTTP/1.1 204 X\r\nContent-Length: ${STRAY.length}\r\n\r\n${STRAY}`),
      () => delivered(204),
    ],
    ['no length', says('HTTP/1.1 CODE X\r\n\r\n')],
    ['half a body', head('Content-Length: 20', 'ok')],
    ['a body too long', head('Content-Length: 50000', '', 'x'.repeat(5000))],
    ['a chunk that is none', head('Transfer-Encoding: chunked', '', '+2\r\nok\r\n0\r\n\r\n')],
    ['two lengths', head('Content-Length: 0\r\nContent-Length: 2'), () => failed('network')],
    ['bare line feeds', says('HTTP/1.1 CODE X\nContent-Length: 0\n\n'), () => failed('network')],
  ]
  /** The pause between deliveries: long enough for the pieces to arrive. */
  const lingerMs = 60

  it.each(CASES)('%s, on a new or a kept connection', async (_, answer, outcome = delivered) => {
    const receiver = await receiveInTurn({ 0: answer, 2: answer })
    const expected = [outcome(200), delivered(201), outcome(202), delivered(203)]
    expect(await deliver(receiver.port, [{ lingerMs }, {}, { lingerMs }, {}])).toEqual(expected)
    expect(receiver.carriers).toEqual([1, 2, 2, 3])
  })

  it('an answer before any request', async () => {
    const receiver = await receiveInTurn(
      {},
      { onConnect: (socket: TLSSocket) => socket.write(STRAY) },
    )
    // The receiver of the first attempt may answer before it has read the request.
    expect(await deliver(receiver.port, [{ lingerMs }, { lingerMs }, {}])).toEqual(
      Array(3).fill(delivered(299)),
    )
    expect(receiver.carriers).toEqual([1, 2, 3])
  })
})

describe('an attempt is one POST. On a kept connection, a receiver that', () => {
  it.each<[string, Answer]>([
    ['closes when the next request comes', (socket) => socket.end()],
    ['drops the connection then', (socket) => socket.destroy()],
    ['resets it then', (_socket, _code, { reset }) => reset()],
    ['answers with half a head and closes', (socket) => socket.end('HTTP/1.1 20')],
  ])('%s: that attempt fails, is not repeated, and the others arrive', async (_, answer) => {
    const receiver = await receiveInTurn({ 1: answer })
    const expected = ALL_DELIVERED.with(1, failed('network'))

    expect(await deliver(receiver.port, FOUR)).toEqual(expected)
    expect(receiver.requests).toHaveLength(4)
    expect(receiver.carriers).toEqual([1, 1, 2, 2])
  })

  it('hangs: the attempt times out at the deadline, and the connection is closed', async () => {
    const receiver = await receiveInTurn({ 1: () => {} })
    const change = { deadlineMs: 400, lingerMs: 300 }
    expect(await deliver(receiver.port, [{}, change])).toEqual([delivered(200), failed('timeout')])
    expect(receiver.closed[0]).toBeLessThan(Date.now() - 100)
  })
})

describe('a connection is kept for one destination: a new one is opened for', () => {
  it.each<[string, (port: number) => Partial<WantedAttempt>]>([
    [
      'another validated address of the name',
      (port) => ({ endpoints: [{ address: '127.0.0.2', port }] }),
    ],
    ['another name at the address', () => ({ url: 'https://other.example.com/hook' })],
    [
      'another account, so that an extra answer cannot confirm its delivery',
      () => ({ accountId: 'another' }),
    ],
  ])('%s', async (_, other) => {
    const receiver = await receiveInTurn({}, { host: '0.0.0.0' })
    await deliver(receiver.port, [{}, other(receiver.port), {}])
    expect(receiver.carriers).toEqual([1, 2, 1])
  })
})
