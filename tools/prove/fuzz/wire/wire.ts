import { connect, type Socket } from 'node:net'
import { SECOND_MS } from '../../../../shared/argentine-time.ts'
import { headerOf, type SentRequest } from '../request.ts'
import { readAnswer, type WireAnswer } from './read-answer.ts'

const PATIENCE_MS = 10 * SECOND_MS

export type Exchange =
  | { kind: 'answered'; answer: WireAnswer; ms: number }
  | { kind: 'failed'; why: string; ms: number }

interface Line {
  socket: Socket
  received: Buffer
  ended: boolean
  /** Called for everything that arrives while a request waits for its answer. */
  notice: (() => void) | null
}

/** The right answer to a request that was cut short. */
export const ENDED_SILENTLY = 'the connection ended without an answer'

/**
 * One connection to a loopback port, kept open between requests as clients do. It writes raw bytes,
 * because every HTTP client repairs or refuses such requests.
 */
export class Wire {
  #line: Line | null = null
  readonly #port: number

  constructor(port: number) {
    this.#port = port
  }

  /** Sends one request and reads its answer. Never rejects: a failure is a finding. */
  async exchange(request: SentRequest): Promise<Exchange> {
    const bytes = requestBytes(request, `127.0.0.1:${this.#port}`)
    const isReused = this.#line !== null
    const exchange = await this.#attempt(bytes, request)
    // The server may close an idle connection just when a request is sent. That is no answer to it.
    const isRace = isReused && exchange.kind === 'failed' && exchange.why === ENDED_SILENTLY
    return isRace ? this.#attempt(bytes, request) : exchange
  }

  close(): void {
    this.#line?.socket.destroy()
    this.#line = null
  }

  async #attempt(bytes: Buffer, { method, framing }: SentRequest): Promise<Exchange> {
    const begin = performance.now()
    const line = (this.#line ??= this.#open())
    const isShort = framing.startsWith('short')
    const result = await this.#answerOn(line, bytes, method, isShort)
    line.notice = null
    if ('why' in result || result.answer.closes || isShort) this.close()

    const ms = performance.now() - begin
    return 'why' in result ? { kind: 'failed', ...result, ms } : { kind: 'answered', ...result, ms }
  }

  #answerOn(
    line: Line,
    bytes: Buffer,
    method: string,
    isShort: boolean,
  ): Promise<{ answer: WireAnswer } | { why: string }> {
    if (line.received.length > 0)
      return Promise.resolve({ why: 'bytes came after the answer before this one' })

    return new Promise((resolve) => {
      const why = `no whole answer within ${PATIENCE_MS / SECOND_MS} s`
      const timer = setTimeout(() => resolve({ why }), PATIENCE_MS)
      line.notice = () => {
        const result =
          line.ended && line.received.length === 0
            ? ({ state: 'broken', why: ENDED_SILENTLY } as const)
            : readAnswer(line.received, method, line.ended)
        if (result.state === 'more') return

        clearTimeout(timer)
        if (result.state === 'broken') return resolve({ why: result.why })
        line.received = result.rest
        resolve({ answer: result.answer })
      }
      if (isShort) line.socket.end(bytes)
      else line.socket.write(bytes)
    })
  }

  #open(): Line {
    const socket = connect(this.#port, '127.0.0.1').setNoDelay()
    const line: Line = { socket, received: Buffer.alloc(0), ended: false, notice: null }
    const end = () => {
      line.ended = true
      if (line.notice) line.notice()
      else if (this.#line === line) this.close()
    }
    socket.on('data', (data: Buffer) => {
      line.received = Buffer.concat([line.received, data])
      line.notice?.()
    })
    for (const event of ['end', 'error', 'close']) socket.on(event, end)
    return line
  }
}

/** Bytes of each chunk. Some chunks end in the middle of a character. */
const CHUNK = 1021

/** A request as HTTP/1.1 bytes; nothing is checked, escaped or corrected. */
function requestBytes(request: SentRequest, host: string): Buffer {
  const { method, target, headers, body, framing } = request
  const isChunked = framing === 'chunked' || framing === 'short chunks'
  const own = [
    ...(headerOf(headers, 'host') === undefined ? [`Host: ${host}`] : []),
    ...(body && isChunked ? ['Transfer-Encoding: chunked'] : []),
    ...(body && framing === 'length' ? [`Content-Length: ${body.length}`] : []),
    ...(body && framing === 'short' ? [`Content-Length: ${body.length + 10}`] : []),
  ]
  const lines = headers.map(([name, value]) => `${name}: ${value}`)
  const head = [`${method} ${target} HTTP/1.1`, ...own, ...lines, '', ''].join('\r\n')

  return Buffer.concat([
    Buffer.from(head, 'utf8'),
    ...(body ? (isChunked ? chunksOf(body) : [body]) : []),
    ...(body && framing === 'chunked' ? [Buffer.from('0\r\n\r\n')] : []),
  ])
}

function chunksOf(body: Uint8Array): Uint8Array[] {
  const chunks: Uint8Array[] = []
  for (let at = 0; at < body.length; at += CHUNK) {
    const chunk = body.subarray(at, at + CHUNK)
    chunks.push(Buffer.from(`${chunk.length.toString(16)}\r\n`), chunk, Buffer.from('\r\n'))
  }
  return chunks
}
