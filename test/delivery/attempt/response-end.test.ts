/** Where a response ends: for certain, or not at all. */
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { BodyEnd, MAX_BODY_BYTES } from '../../../workers/delivery/attempt/transport/body-end.ts'
import type { BodyFraming } from '../../../workers/delivery/attempt/transport/framing.ts'
import { ResponseHeadReader } from '../../../workers/delivery/attempt/transport/response-head.ts'

const bytesOf = (text: string) => Uint8Array.from(text, (letter) => letter.charCodeAt(0))

function framingOf(head: string): BodyFraming | null {
  const reader = new ResponseHeadReader()
  reader.push(bytesOf(`${head}\r\n\r\n`))
  return reader.framing
}

const length = (bytes: number): BodyFraming => ({ kind: 'length', bytes })

describe('the framing of a response', () => {
  it.each<[string, string, BodyFraming]>([
    ['204', 'HTTP/1.1 204 No Content', length(0)],
    ['204 with a length of 0', 'HTTP/1.1 204\r\nContent-Length: 0', length(0)],
    ['a length', 'HTTP/1.1 200 OK\r\ncontent-length:\t12 ', length(12)],
    ['chunks', 'HTTP/1.1 202 X\r\nTransfer-Encoding: Chunked', { kind: 'chunked' }],
    [
      'a connection that is kept',
      'HTTP/1.1 200 OK\r\nConnection: Keep-Alive\r\nKeep-Alive: timeout=5, max=99\r\nContent-Length: 0',
      length(0),
    ],
    [
      'other lines that are long',
      `HTTP/1.1 200 OK\r\nX: ${'y'.repeat(500)}\r\nContent-Length: 0`,
      length(0),
    ],
  ])('is known of %s', (_, head, framing) => {
    expect(framingOf(head)).toEqual(framing)
  })

  it.each([
    ['another version', 'HTTP/1.0 200 OK\r\nContent-Length: 0'],
    ['a redirect', 'HTTP/1.1 302 X\r\nContent-Length: 0'],
    ['an error', 'HTTP/1.1 500 X\r\nContent-Length: 0'],
    ['no length', 'HTTP/1.1 200 OK'],
    ['a body where none may be', 'HTTP/1.1 204 X\r\nContent-Length: 1'],
    ['chunks where none may be', 'HTTP/1.1 204 X\r\nTransfer-Encoding: chunked'],
    ['a length twice', 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\nContent-Length: 0'],
    ['a list of lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 0, 0'],
    ['a length with a sign', 'HTTP/1.1 200 OK\r\nContent-Length: +1'],
    ['a length that is too long', `HTTP/1.1 200 OK\r\nContent-Length: ${'0'.repeat(10)}`],
    ['chunks twice', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked'],
    ['another encoding', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked'],
    ['a length and chunks', 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\nTransfer-Encoding: chunked'],
    ['a close', 'HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0'],
    ['a close among others', 'HTTP/1.1 200 OK\r\nConnection: x, close\r\nContent-Length: 0'],
    ['a close after all', 'HTTP/1.1 204 X\r\nConnection: keep-alive\r\nConnection: close'],
    ['a short time', 'HTTP/1.1 204 X\r\nKeep-Alive: max=5, timeout=1'],
    ['another protocol', 'HTTP/1.1 204 X\r\nUpgrade: h2c'],
    ['trailers', 'HTTP/1.1 200 OK\r\nTrailer: X\r\nTransfer-Encoding: chunked'],
    ['a folded line', 'HTTP/1.1 200 OK\r\nContent-Length: 1\r\n 0'],
    ['a space before a colon', 'HTTP/1.1 204 X\r\nX : y'],
    ['a line without a colon', 'HTTP/1.1 204 X\r\nX'],
    ['a line without a name', 'HTTP/1.1 204 X\r\n: y'],
    ['a CR inside of a line', 'HTTP/1.1 204 X\r\nX: y\rContent-Length: 5'],
    ['line feeds alone', 'HTTP/1.1 204 X\nX: y'],
    ['empty lines before it', '\r\nHTTP/1.1 204 X'],
    ['an interim answer', 'HTTP/1.1 100 X\r\n\r\nHTTP/1.1 204 X'],
    ['a name too long to be read', `HTTP/1.1 204 X\r\n${'x'.repeat(300)}: y`],
    ['a length too long to be read', `HTTP/1.1 200 X\r\nContent-Length: ${' '.repeat(300)}0`],
    ['a head too long to be read', `HTTP/1.1 204 X\r\nX: ${'y'.repeat(70_000)}`],
  ])('is in doubt of %s', (_, head) => {
    expect(framingOf(head)).toBe(null)
  })

  it('the bytes behind the head are those of the body', () => {
    const reader = new ResponseHeadReader()
    expect(reader.push(bytesOf('HTTP/1.1 200 X\r\nContent-Le'))).toBe(null)
    reader.push(bytesOf('ngth: 2\r\n\r\nok'))
    expect([reader.framing, reader.rest]).toEqual([length(2), bytesOf('ok')])
  })
})

const chunksOf = (parts: readonly string[]) =>
  `${parts.map((part) => `${part.length.toString(16)}\r\n${part}\r\n`).join('')}0\r\n\r\n`

const body = fc.oneof(
  fc.string({ unit: 'binary-ascii', maxLength: 60 }).map((text) => ({
    framing: length(text.length) as BodyFraming,
    text,
  })),
  fc
    .array(fc.string({ unit: 'binary-ascii', minLength: 1, maxLength: 40 }), { maxLength: 5 })
    .map((parts) => ({ framing: { kind: 'chunked' } as BodyFraming, text: chunksOf(parts) })),
)

/** What is said after each piece. */
function push(framing: BodyFraming, text: string, cuts: readonly number[] = []) {
  const end = new BodyEnd(framing)
  const inside = cuts.map((cut) => cut % Math.max(1, text.length)).filter((cut) => cut > 0)
  const at = [0, ...new Set(inside), text.length].toSorted((a, b) => a - b)
  return at.slice(1).map((to, index) => end.push(bytesOf(text.slice(at[index], to))))
}

describe('the end of a body', () => {
  it('is found at its last byte, in whatever pieces it comes', () => {
    fc.assert(
      fc.property(body, fc.array(fc.nat(200), { maxLength: 6 }), ({ framing, text }, cuts) => {
        expect(push(framing, text, cuts).at(-1)).toBe('ended')
      }),
    )
  })

  it('is not there a byte before', () => {
    fc.assert(
      fc.property(body, ({ framing, text }) => {
        fc.pre(text.length > 0)
        expect(push(framing, text.slice(0, -1)).at(-1)).toBe('more')
      }),
    )
  })

  it('is wrong with a byte after it', () => {
    fc.assert(
      fc.property(body, fc.string({ unit: 'binary-ascii', minLength: 1 }), (one, rest) => {
        expect(push(one.framing, one.text + rest).at(-1)).toBe('wrong')
      }),
    )
  })

  it.each([
    ['no number', 'zz\r\n'],
    ['a sign', '+1\r\n'],
    ['an extension', '1;x=y\r\n'],
    ['a space', '1 \r\n'],
    ['a line feed alone', '1\n'],
    ['a size too long', '00001\r\n'],
    ['no end of line behind the data', '1\r\nxx\r\n'],
    ['a trailer', '0\r\nX: y\r\n'],
  ])('chunks are wrong with %s', (_, text) => {
    expect(push({ kind: 'chunked' }, text).at(-1)).toBe('wrong')
  })

  it.each<BodyFraming>([length(MAX_BODY_BYTES + 1), { kind: 'chunked' }])(
    'is not read for beyond 4 KB: %o',
    (framing) => {
      const text = `fff\r\n${'x'.repeat(MAX_BODY_BYTES - 5)}`
      expect(push(framing, text)).toEqual(['more'])
      expect(push(framing, `${text}x`)).toEqual(['wrong'])
    },
  )
})
