import type { BodyFraming } from './framing.ts'

/** Most bytes of a body that are read for its end. A longer one costs more than a connection. */
export const MAX_BODY_BYTES = 4096

/** `wrong`: bytes after the end, bytes that are no chunk, or too many. */
export type BodyState = 'more' | 'ended' | 'wrong'

const LF = 0x0a
const CR = 0x0d
const SIZE = /^[\da-f]{1,4}$/i

/**
 * Finds the end of a body, and keeps nothing of it. Chunks are read to the letter (RFC 9112, section
 * 7.1); one with an extension, and trailers, count as wrong, though they are allowed.
 */
export class BodyEnd {
  readonly #isChunked: boolean
  /** Bytes until the end of the body or of the chunk. */
  #left: number
  #seen = 0
  /** Of chunks: what comes next. */
  #next: 'size' | 'data' | 'end of data' | 'last line' = 'size'
  #line = ''

  constructor(framing: BodyFraming) {
    this.#isChunked = framing.kind === 'chunked'
    this.#left = framing.kind === 'length' ? framing.bytes : 0
  }

  push(bytes: Uint8Array): BodyState {
    this.#seen += bytes.length
    if (this.#seen > MAX_BODY_BYTES) return 'wrong'
    if (this.#isChunked) return this.#pushChunks(bytes)

    this.#left -= bytes.length
    if (this.#left < 0) return 'wrong'
    return this.#left === 0 ? 'ended' : 'more'
  }

  #pushChunks(bytes: Uint8Array): BodyState {
    for (const [index, byte] of bytes.entries()) {
      if (this.#next === 'data') {
        this.#left -= 1
        if (this.#left === 0) this.#next = 'end of data'
        continue
      }
      if (byte !== LF) {
        this.#line += String.fromCharCode(byte)
        continue
      }
      const end = this.#endLine()
      if (end === 'ended') return index === bytes.length - 1 ? 'ended' : 'wrong'
      if (end === 'wrong') return 'wrong'
    }
    return 'more'
  }

  #endLine(): BodyState {
    const line = this.#line
    this.#line = ''
    if (line.charCodeAt(line.length - 1) !== CR) return 'wrong'

    const text = line.slice(0, -1)
    if (this.#next === 'size') {
      if (!SIZE.test(text)) return 'wrong'
      this.#left = Number.parseInt(text, 16)
      this.#next = this.#left === 0 ? 'last line' : 'data'
      return 'more'
    }
    if (text !== '') return 'wrong'
    if (this.#next === 'last line') return 'ended'
    this.#next = 'size'
    return 'more'
  }
}
