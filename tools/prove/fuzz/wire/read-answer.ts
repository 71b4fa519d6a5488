import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib'
import type { Header } from '../request.ts'

/** A whole answer, its body as it was before any Content-Encoding. */
export interface WireAnswer {
  status: number
  headers: readonly Header[]
  body: Buffer
  closes: boolean
}

export type ReadAnswer =
  | { state: 'whole'; answer: WireAnswer; rest: Buffer }
  | { state: 'more' }
  | { state: 'broken'; why: string }

const MORE = { state: 'more' } as const
const DECODERS = { gzip: gunzipSync, br: brotliDecompressSync, deflate: inflateSync }

/**
 * Reads one HTTP/1.1 answer from the bytes that came so far (RFC 9112). Strict about what could mix
 * up two answers: lengths, chunks, and no body for HEAD, 204 and 304. A stream of events has no
 * end, so it is whole with its head.
 */
export function readAnswer(bytes: Buffer, method: string, ended: boolean): ReadAnswer {
  const headEnd = bytes.indexOf('\r\n\r\n')
  if (headEnd === -1) return ended ? broken('the connection ended within the head') : MORE

  const [statusLine = '', ...lines] = bytes.subarray(0, headEnd).toString('latin1').split('\r\n')
  const status = Number(/^HTTP\/1\.1 (\d{3})(?: |$)/.exec(statusLine)?.[1])
  if (!status) return broken(`no status line: ${statusLine.slice(0, 60)}`)
  const rest = bytes.subarray(headEnd + 4)
  if (status < 200) return readAnswer(rest, method, ended)

  const headers = lines.map((line): Header => {
    const colon = line.indexOf(':')
    return [line.slice(0, colon), line.slice(colon + 1).trim()]
  })
  const valueOf = (name: string) => headers.find(([key]) => key.toLowerCase() === name)?.[1]
  const isEndless = method === 'GET' && valueOf('content-type')?.startsWith('text/event-stream')
  const closes = valueOf('connection')?.toLowerCase() === 'close' || isEndless === true
  const whole = (body: Buffer, rest: Buffer): ReadAnswer => {
    const decoded = decode(body, valueOf('content-encoding'))
    if (decoded === null) return broken('the body does not decode as its Content-Encoding')
    return { state: 'whole', answer: { status, headers, body: decoded, closes }, rest }
  }

  if (method === 'HEAD' || status === 204 || status === 304) return whole(Buffer.alloc(0), rest)
  if (isEndless) return whole(Buffer.alloc(0), Buffer.alloc(0))
  if (valueOf('transfer-encoding') === 'chunked') {
    const chunks = readChunks(rest)
    if (chunks === 'more') return ended ? broken('the connection ended within a chunk') : MORE
    return chunks === null ? broken('a chunk without its length') : whole(chunks.body, chunks.rest)
  }
  const length = valueOf('content-length')
  if (length === undefined) return ended ? whole(rest, Buffer.alloc(0)) : MORE
  if (rest.length < Number(length))
    return ended ? broken('the body is shorter than announced') : MORE
  return whole(rest.subarray(0, Number(length)), rest.subarray(Number(length)))
}

function readChunks(bytes: Buffer): { body: Buffer; rest: Buffer } | 'more' | null {
  const parts: Buffer[] = []
  let at = 0

  for (;;) {
    const lineEnd = bytes.indexOf('\r\n', at)
    if (lineEnd === -1) return 'more'
    const line = bytes.subarray(at, lineEnd).toString('latin1')
    if (!/^[0-9a-f]+(;.*)?$/i.test(line)) return null

    const from = lineEnd + 2
    const to = from + Number.parseInt(line, 16)
    if (bytes.length < to + 2) return 'more'
    parts.push(bytes.subarray(from, to))
    at = to + 2
    if (to === from) return { body: Buffer.concat(parts), rest: bytes.subarray(at) }
  }
}

function decode(body: Buffer, encoding: string | undefined): Buffer | null {
  if (encoding === undefined || body.length === 0) return body
  try {
    return DECODERS[encoding as keyof typeof DECODERS](body)
  } catch {
    return null
  }
}

function broken(why: string): ReadAnswer {
  return { state: 'broken', why }
}
