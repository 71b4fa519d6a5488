import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib'
import { type Header, headerOf } from '../request.ts'

/** A whole answer, its body as it was before any Content-Encoding. */
export interface WireAnswer {
  status: number
  headers: readonly Header[]
  body: Buffer
}

const DECODERS = { gzip: gunzipSync, br: brotliDecompressSync, deflate: inflateSync }

/** Bytes that are not a whole answer, or are more than one. */
export class BrokenAnswer extends Error {}

/**
 * The head of an answer (RFC 9112) and the bytes after it; null while it is not whole. Answers
 * before the last one (100, 103) are skipped.
 */
export function readHead(bytes: Buffer) {
  const end = bytes.indexOf('\r\n\r\n')
  if (end === -1) return null

  const [statusLine = '', ...lines] = bytes.subarray(0, end).toString('latin1').split('\r\n')
  const status = Number(/^HTTP\/1\.1 (\d{3})(?: |$)/.exec(statusLine)?.[1])
  if (!status) throw new BrokenAnswer(`no status line: ${statusLine.slice(0, 60)}`)
  const rest = bytes.subarray(end + 4)
  if (status < 200) return readHead(rest)

  const headers = lines.map((line): Header => {
    const colon = line.indexOf(':')
    return [line.slice(0, colon), line.slice(colon + 1).trim()]
  })
  return { status, headers, rest }
}

/** Reads all that came on a connection. Strict about lengths, chunks, and HEAD, 204 and 304. */
export function readAnswer(bytes: Buffer, method: string): WireAnswer {
  const head = readHead(bytes)
  if (!head) throw new BrokenAnswer('the connection ended within the head')

  const { status, headers, rest } = head
  const length = Number(headerOf(headers, 'content-length') ?? rest.length)
  const hasNone = method === 'HEAD' || status === 204 || status === 304
  const isChunked = headerOf(headers, 'transfer-encoding') === 'chunked'
  const body = hasNone ? Buffer.alloc(0) : isChunked ? readChunks(rest) : rest
  if (hasNone ? rest.length > 0 : !isChunked && rest.length !== length)
    throw new BrokenAnswer(`a body of ${rest.length} bytes, not of ${hasNone ? 0 : length}`)
  return { status, headers, body: decode(body, headerOf(headers, 'content-encoding')) }
}

function readChunks(bytes: Buffer): Buffer {
  const parts: Buffer[] = []
  for (let at = 0; ;) {
    const lineEnd = bytes.indexOf('\r\n', at)
    const line = bytes.toString('latin1', at, lineEnd)
    if (lineEnd === -1 || !/^[0-9a-f]+(;.*)?$/i.test(line))
      throw new BrokenAnswer('a chunk without its length')

    const from = lineEnd + 2
    const to = from + Number.parseInt(line, 16)
    if (bytes.length < to + 2) throw new BrokenAnswer('the connection ended within a chunk')
    if (to > from) parts.push(bytes.subarray(from, to))
    else if (bytes.length > to + 2) throw new BrokenAnswer('bytes after the last chunk')
    else return Buffer.concat(parts)
    at = to + 2
  }
}

function decode(body: Buffer, encoding: string | undefined): Buffer {
  if (encoding === undefined || body.length === 0) return body
  try {
    return DECODERS[encoding as keyof typeof DECODERS](body)
  } catch {
    throw new BrokenAnswer('the body does not decode as its Content-Encoding')
  }
}
