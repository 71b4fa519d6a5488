import { Buffer } from 'node:buffer'
import { HTTPParser } from 'http-parser-js'
import { isStatusCode, type ResponseHead } from '../outcome.ts'

/**
 * Most bytes of head that are looked at, interim responses included. A receiver that goes on has
 * said its status line, and that line decides.
 */
export const MAX_HEAD_BYTES = 64 * 1024

/** Feeds the bytes of a connection to the parser until the final response's head is there. */
export class ResponseHeadReader {
  #parser = new HTTPParser(HTTPParser.RESPONSE)
  #head: ResponseHead | null = null
  #seen = 0

  constructor() {
    // The library's own bound would end the parse with an error; ours decides by the status line.
    this.#parser.maxHeaderSize = Number.MAX_SAFE_INTEGER
    this.#parser[HTTPParser.kOnHeadersComplete] = ({ statusCode, headers }) => {
      // Interim responses have no body, whatever their headers say: 1 tells the parser so.
      if (isInterim(statusCode)) return 1
      this.#head ??= { code: statusCode, retryAfter: headerOf(headers, 'retry-after') }
    }
  }

  /**
   * The head once it is complete, or null while more bytes are needed. Throws for bytes that are
   * not HTTP/1.x and for a flood without a final status line.
   */
  push(chunk: Uint8Array): ResponseHead | null {
    const rest = chunk.subarray(0, MAX_HEAD_BYTES - this.#seen)
    this.#seen += rest.length

    const parsed = this.#parser.execute(Buffer.from(rest.buffer, rest.byteOffset, rest.byteLength))
    // After the head come body bytes, whose faults are no business of ours.
    if (this.#head) return validated(this.#head)
    if (parsed instanceof Error) throw parsed
    if (this.#seen >= MAX_HEAD_BYTES) return this.#statusOfFlood()
    return null
  }

  #statusOfFlood(): ResponseHead {
    // Kept by the library while it reads headers, though its types do not say so.
    const { statusCode } = (this.#parser as unknown as { info: { statusCode?: number } }).info
    if (statusCode === undefined || isInterim(statusCode)) throw new Error('endless head')
    return validated({ code: statusCode, retryAfter: null })
  }
}

/** 1xx is skipped, but 101 is final: we never asked for another protocol. */
function isInterim(code: number): boolean {
  return code >= 100 && code < 200 && code !== 101
}

function validated(head: ResponseHead): ResponseHead {
  if (!isStatusCode(head.code)) throw new Error('status out of range')
  return head
}

/** The library gives names and values by turns. */
function headerOf(headers: readonly string[], name: string): string | null {
  const index = headers.findIndex((text, at) => at % 2 === 0 && text.toLowerCase() === name)
  return headers[index + 1] && index >= 0 ? headers[index + 1]! : null
}
