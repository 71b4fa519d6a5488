import { connect } from 'node:net'
import { SECOND_MS } from '../../../../shared/argentine-time.ts'
import { headerOf, type SentRequest } from '../request.ts'
import { BrokenAnswer, readAnswer, readHead, type WireAnswer } from './read-answer.ts'

const PATIENCE_MS = 10 * SECOND_MS
/** The head comes in the first of them. */
const PARTS_OF_HEAD = 4

export type Exchange =
  | { kind: 'answered'; answer: WireAnswer; ms: number }
  | { kind: 'failed'; why: string; ms: number }

/** The right answer to a request that was cut short. */
export const ENDED_SILENTLY = 'the connection ended without an answer'

/**
 * Sends one request to a loopback port, on a connection of its own, and reads its answer. It writes
 * raw bytes, because every HTTP client repairs or refuses such requests. Never rejects: a failure is
 * a finding.
 */
export async function exchange(port: number, request: SentRequest): Promise<Exchange> {
  const begin = performance.now()
  const result = await send(port, request).then(
    (answer) => ({ kind: 'answered' as const, answer }),
    (error: Error) => ({ kind: 'failed' as const, why: error.message }),
  )
  return { ...result, ms: performance.now() - begin }
}

async function send(port: number, request: SentRequest): Promise<WireAnswer> {
  const socket = connect(port, '127.0.0.1').setNoDelay()
  const timer = setTimeout(
    () => socket.destroy(new BrokenAnswer(`no whole answer within ${PATIENCE_MS / SECOND_MS} s`)),
    PATIENCE_MS,
  )
  const bytes = requestBytes(request, `127.0.0.1:${port}`)
  if (request.framing.startsWith('short')) socket.end(bytes)
  else socket.write(bytes)

  const parts: Buffer[] = []
  try {
    for await (const part of socket as AsyncIterable<Buffer>) {
      const stream = parts.push(part) <= PARTS_OF_HEAD && readStream(parts, request.method)
      if (stream) return stream
    }
  } catch (error) {
    if (error instanceof BrokenAnswer) throw error
    // A reset: what came before it counts.
  } finally {
    clearTimeout(timer)
    socket.destroy()
  }
  if (parts.length === 0) throw new BrokenAnswer(ENDED_SILENTLY)
  return readAnswer(Buffer.concat(parts), request.method)
}

/** A stream of events has no end, so it is whole with its head. */
function readStream(parts: readonly Buffer[], method: string): WireAnswer | null {
  const head = method === 'GET' ? readHead(Buffer.concat(parts)) : null
  const isStream = headerOf(head?.headers ?? [], 'content-type')?.startsWith('text/event-stream')
  return head && isStream
    ? { status: head.status, headers: head.headers, body: Buffer.alloc(0) }
    : null
}

/** Bytes of each chunk. Some chunks end in the middle of a character. */
const CHUNK = 1021

/** A request as HTTP/1.1 bytes; nothing is checked, escaped or corrected. */
function requestBytes(request: SentRequest, host: string): Buffer {
  const { method, target, headers, body, framing } = request
  const isChunked = framing === 'chunked' || framing === 'short chunks'
  const own = [
    ...(headerOf(headers, 'host') === undefined ? [`Host: ${host}`] : []),
    'Connection: close',
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
