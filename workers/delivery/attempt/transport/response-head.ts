import { isStatusCode, type ResponseHead } from '../outcome.ts'
import { type BodyFraming, FramingReader } from './framing.ts'

/**
 * Most bytes of head that are read, interim responses included. A receiver that goes on has sent its
 * status line, and that line decides.
 */
export const MAX_HEAD_BYTES = 64 * 1024

/** Most chunks that are read: each costs more than its bytes. */
const MAX_PIECES = 256

/** Most bytes of a line that are kept; the two lines that are read need far fewer. */
const MAX_LINE_BYTES = 256

const LF = 0x0a
const CR = 0x0d
const RETRY_AFTER = 'retry-after:'

/** Enough for its status; what follows is for people. */
const STATUS_LINE = /^HTTP\/1\.\d (\d{3})(?!\d)/

/**
 * Reads the head of the final response from the bytes of a connection. Only the status and
 * `Retry-After` matter, and for a connection that may be kept where the body ends. Each byte is read
 * once. One line of spaces could keep a general parser busy for seconds, and everyone in the isolate
 * with it.
 */
export class ResponseHeadReader {
  readonly #line = new Uint8Array(MAX_LINE_BYTES)
  /** Of the line so far, the bytes that are not kept included. */
  #length = 0
  #seen = 0
  #pieces = 0
  /** Null: the next line is a status line. */
  #code: number | null = null
  #retryAfter: string | null = null
  readonly #framing = new FramingReader()
  #rest: Uint8Array = new Uint8Array()

  /** How the body behind the head ends; null when that is in doubt. */
  get framing(): BodyFraming | null {
    return this.#framing.framing
  }

  /** The bytes behind the head that came with its last piece. */
  get rest(): Uint8Array {
    return this.#rest
  }

  /**
   * The head once it is complete, or null while more bytes are needed. Throws for bytes that are
   * not HTTP/1.x and for a flood without a final status line.
   */
  push(chunk: Uint8Array): ResponseHead | null {
    this.#pieces += 1
    let at = 0
    for (const byte of chunk.subarray(0, MAX_HEAD_BYTES - this.#seen)) {
      this.#seen += 1
      at += 1
      if (byte !== LF) {
        if (this.#length < MAX_LINE_BYTES) this.#line[this.#length] = byte
        this.#length += 1
        continue
      }
      const isLast = this.#endLine()
      if (!isLast) continue
      this.#rest = chunk.subarray(at)
      return this.#head()
    }
    if (this.#seen < MAX_HEAD_BYTES && this.#pieces < MAX_PIECES) return null
    if (this.#code === null || isInterim(this.#code)) throw new Error('endless head')
    this.#framing.doubt()
    return this.#head()
  }

  /** Whether the head of the final response ends here. */
  #endLine(): boolean {
    const length = this.#length
    this.#length = 0
    if (length === 0) this.#framing.doubt()
    if (length === 0 || (length === 1 && this.#line[0] === CR)) return this.#endHead()

    const isWhole = length <= MAX_LINE_BYTES
    const mayBeRead = this.#retryAfter === null && isWhole && length > RETRY_AFTER.length
    if (this.#code !== null && !this.#framing.isSure && !mayBeRead) return false

    const line = this.#text(Math.min(length, MAX_LINE_BYTES))
    this.#framing.read(line, isWhole)
    if (this.#code === null) this.#code = codeOf(line)
    else if (mayBeRead) this.#retryAfter = retryAfterOf(line)
    return false
  }

  /** Empty lines before a status line are passed over, as are interim responses. */
  #endHead(): boolean {
    if (this.#code !== null && !isInterim(this.#code)) return true
    this.#framing.doubt()
    this.#code = null
    this.#retryAfter = null
    return false
  }

  #text(length: number): string {
    return String.fromCharCode(...this.#line.subarray(0, length))
  }

  #head(): ResponseHead {
    const code = this.#code!
    if (!isStatusCode(code)) throw new Error('status out of range')
    return { code, retryAfter: this.#retryAfter }
  }
}

function codeOf(line: string): number {
  const [, code] = STATUS_LINE.exec(line) ?? []
  if (code === undefined) throw new Error('not HTTP/1.x')
  return Number(code)
}

/** Null for every other header, and for a folded line: it begins with a space. */
function retryAfterOf(line: string): string | null {
  const isIt = line.slice(0, RETRY_AFTER.length).toLowerCase() === RETRY_AFTER
  return isIt ? line.slice(RETRY_AFTER.length).trim() : null
}

/** 1xx is skipped, but 101 is final: we never asked for another protocol. */
function isInterim(code: number): boolean {
  return code >= 100 && code < 200 && code !== 101
}
