import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  MAX_HEAD_BYTES,
  ResponseHeadReader,
} from '../../../workers/delivery/attempt/transport/response-head.ts'

/** The most that an answer may cost of the one processor, in milliseconds. */
const MOST_MS = 20

/** Pushes a text in pieces of so many bytes: the head, null when it is not whole, or `wrong`. */
const read = (text: string, size = Infinity) => readBytes(bytesOf(text), size)

const bytesOf = (text: string) => Uint8Array.from(text, (letter) => letter.charCodeAt(0))

function readBytes(bytes: Uint8Array, size: number) {
  const reader = new ResponseHeadReader()
  try {
    for (let at = 0; at < bytes.length; at += size) {
      const head = reader.push(bytes.subarray(at, Math.min(at + size, bytes.length)))
      if (head) return head
    }
  } catch {
    return 'wrong'
  }
  return null
}

const ok = (retryAfter: string | null = null) => ({ code: 200, retryAfter })

describe('a head', () => {
  it.each([
    ['of a status alone', 'HTTP/1.1 200\r\n\r\n', ok()],
    ['with line feeds alone', 'HTTP/1.0 200 OK\nRetry-After: 5\n\n', ok('5')],
    ['after empty lines', '\r\n\r\nHTTP/1.1 200 OK\r\n\r\n', ok()],
    ['with a body behind it', 'HTTP/1.1 200 OK\r\n\r\nRetry-After: 5\r\n\r\n', ok()],
    ['without its end', 'HTTP/1.1 200 OK\r\nX: y\r\n', null],
    ['of another name in other letters', 'HTTP/1.1 200 X\r\nRETRY-after:\t 7 \r\n\r\n', ok('7')],
    ['of a name that begins alike', 'HTTP/1.1 200 X\r\nRetry-After-X: 7\r\n\r\n', ok()],
    ['with two of it', 'HTTP/1.1 200 X\r\nRetry-After: 1\r\nRetry-After: 2\r\n\r\n', ok('1')],
    ['with an empty one', 'HTTP/1.1 200 X\r\nRetry-After:\r\n\r\n', ok('')],
    ['with a folded line', 'HTTP/1.1 200 X\r\nRetry-After: 1\r\n 2\r\n\r\n', ok('1')],
    ['with one folded line', 'HTTP/1.1 200 X\r\nX: y\r\n Retry-After: 1\r\n\r\n', ok()],
    ['with a value too long', `HTTP/1.1 200 X\r\nRetry-After: ${'1'.repeat(300)}\r\n\r\n`, ok()],
    ['with a reason too long', `HTTP/1.1 200 ${'X'.repeat(400)}\r\n\r\n`, ok()],
    ['with headers that are none', 'HTTP/1.1 200 X\r\n:\r\nX\r\n\u0000\r\n\r\n', ok()],
    ['that contradicts itself', 'HTTP/1.1 200 X\r\nContent-Length: 1, 2\r\n\r\n', ok()],
    [
      'after interim ones',
      'HTTP/1.1 100\r\n\r\nHTTP/1.1 103\r\nX: y\r\n\r\nHTTP/1.1 200\r\n\r\n',
      ok(),
    ],
    [
      'after an interim one with what is not its own',
      'HTTP/1.1 103 X\r\nRetry-After: 9\r\n\r\nHTTP/1.1 200 X\r\n\r\n',
      ok(),
    ],
    ['of 101', 'HTTP/1.1 101 X\r\n\r\n', { code: 101, retryAfter: null }],
    ['of 99', 'HTTP/1.1 099 X\r\n\r\n', 'wrong'],
    ['of 2000', 'HTTP/1.1 2000 X\r\n\r\n', 'wrong'],
    ['of two digits', 'HTTP/1.1 20 X\r\n\r\n', 'wrong'],
    ['of HTTP/2', 'HTTP/2 200 X\r\n\r\n', 'wrong'],
    ['of another protocol', 'SSH-2.0-x\r\n\r\n', 'wrong'],
  ])('%s', (_, text, expected) => {
    for (const size of [2, 7, Infinity]) expect(read(text, size)).toEqual(expected)
  })

  it('is told apart within 256 pieces, or its status line decides', () => {
    expect(read('HTTP/1.1 204 X\r\n' + 'X'.repeat(239), 1)).toBe(null)
    expect(read('HTTP/1.1 204 X\r\n' + 'X'.repeat(240), 1)).toEqual({ code: 204, retryAfter: null })
    expect(read('\n'.repeat(256), 1)).toBe('wrong')
  })

  it.each([
    ['after its status line', 'HTTP/1.1 503 X\r\n', { code: 503, retryAfter: null }],
    ['in its status line', 'HTTP/1.1 503 ', 'wrong'],
    ['after an interim one', 'HTTP/1.1 103 X\r\n', 'wrong'],
    ['before it', '\r\n', 'wrong'],
  ])('without end %s', (_, start, expected) => {
    const text = start.padEnd(MAX_HEAD_BYTES, start === '\r\n' ? '\r\n' : 'X: y ')
    expect(read(text.slice(0, -1), 4096)).toBe(null)
    expect(read(text, 4096)).toEqual(expected)
    expect(read(text + text)).toEqual(expected)
  })
})

/** What a line is made of, and how often: what has cost a parser most has been repetition. */
const part = fc.oneof(
  fc.constantFrom(' ', '\t', ':', 'a', 'r', '\r', '\n', '\r\n', '\u0000', '\u00ff', '1', ',', ';'),
  fc.constantFrom(
    'Retry-After:',
    'retry-after',
    'HTTP/1.1 200 OK',
    'HTTP/1.1 100',
    'HTTP/1.',
    ' :',
  ),
  fc.constantFrom('X:', 'Content-Length: 1', 'Transfer-Encoding: chunked', 'Connection:', ' X'),
  fc.string({ unit: 'binary', maxLength: 5 }),
)
const run = fc.record({
  parts: fc.array(part, { minLength: 1, maxLength: 4 }),
  times: fc.constantFrom(1, 1, 3, 50, 3000, 70_000),
})
const answer = fc.record({
  start: fc.constantFrom('', 'HTTP/1.1 200 X\r\n', 'HTTP/1.1 100 X\r\n', 'HTTP/1.1 200 X\r\nX: y'),
  runs: fc.array(run, { maxLength: 6 }),
  end: fc.constantFrom('', '\r\n\r\n', '\r\nx\r\n\r\n'),
  size: fc.constantFrom(1, 16, 256, 1460, 65_536),
})

it('costs at most 20 ms of our processor, whatever a receiver answers and in whatever pieces', () => {
  fc.assert(
    fc.property(answer, ({ start, runs, end, size }) => {
      const texts = runs.map(({ parts, times }) => parts.join('').repeat(times))
      const bytes = bytesOf(
        start + texts.map((text) => text.slice(0, MAX_HEAD_BYTES)).join('') + end,
      )
      const cost = () => {
        const since = performance.now()
        readBytes(bytes, size)
        return performance.now() - since
      }
      // What else the machine does is not the reader's: the best of three.
      return Math.min(cost(), cost(), cost()) <= MOST_MS
    }),
    { numRuns: 300 },
  )
})
