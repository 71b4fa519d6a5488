/** Where a body ends: after so many bytes, or with its last chunk. */
export type BodyFraming = { kind: 'length'; bytes: number } | { kind: 'chunked' }

const STATUS_LINE = /^HTTP\/1\.1 (2\d\d)(?: [\t\x20-\x7e]*)?\r$/
const NAME = /^[\w!#$%&'*+.^`|~-]+$/
/** Whole seconds that a server announces; under two are too short to be sure. */
const SHORT = /(?:^|[\s,;])timeout=[01](?!\d)/
const LENGTH = /^\d{1,9}$/

/**
 * Reads from a head where its response ends (RFC 9112, section 6.3), and is sure of it or says
 * nothing. Every doubt is one: another version, an interim response, a line that is no header, a
 * length twice, `Connection` with anything but `keep-alive`. A connection on which the end of one
 * response is in doubt must never carry another: a rest could pass for the next answer.
 */
export class FramingReader {
  #isSure = true
  #code: number | null = null
  #length: number | null = null
  #isChunked = false
  #saysConnection = false

  /** Whether what was read so far leaves no doubt; when not, lines need not be read. */
  get isSure(): boolean {
    return this.#isSure
  }

  /** A line of the head with its CR; only the first bytes of one too long, which is not whole. */
  read(line: string, isWhole: boolean): void {
    if (!this.#isSure) return
    if (this.#code === null) this.#readStatus(line)
    else this.#readHeader(line, isWhole)
  }

  /** There was an interim response, or empty lines before one. */
  doubt(): void {
    this.#isSure = false
  }

  /** Null: unknown, or the receiver will close the connection. */
  get framing(): BodyFraming | null {
    if (!this.#isSure || this.#code === null) return null
    if (this.#code === 204 && this.#isChunked) return null
    if (this.#code === 204 && (this.#length ?? 0) === 0) return { kind: 'length', bytes: 0 }
    if (this.#code === 204 || (this.#isChunked && this.#length !== null)) return null
    if (this.#isChunked) return { kind: 'chunked' }
    return this.#length === null ? null : { kind: 'length', bytes: this.#length }
  }

  #readStatus(line: string): void {
    const [, code] = STATUS_LINE.exec(line) ?? []
    if (code === undefined) this.#isSure = false
    else this.#code = Number(code)
  }

  #readHeader(line: string, isWhole: boolean): void {
    const colon = line.indexOf(':')
    const name = line.slice(0, Math.max(0, colon)).toLowerCase()
    const isLine = isWhole ? line.indexOf('\r') === line.length - 1 : !line.includes('\r')
    // A space before it is a folded line, one behind the name an old way to smuggle.
    this.#isSure = isLine && NAME.test(name) && this.#accepts(name, line.slice(colon + 1), isWhole)
  }

  #accepts(name: string, text: string, isWhole: boolean): boolean {
    const value = text.trim().toLowerCase()
    switch (name) {
      case 'content-length':
        if (!isWhole || this.#length !== null || !LENGTH.test(value)) return false
        this.#length = Number(value)
        return true
      case 'transfer-encoding': {
        const isFirst = !this.#isChunked
        this.#isChunked = true
        return isWhole && isFirst && value === 'chunked'
      }
      case 'connection': {
        const isFirst = !this.#saysConnection
        this.#saysConnection = true
        return isWhole && isFirst && value === 'keep-alive'
      }
      case 'keep-alive':
        return isWhole && !SHORT.test(value)
      case 'upgrade':
      case 'trailer':
        return false
      default:
        return true
    }
  }
}
