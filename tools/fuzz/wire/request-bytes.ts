import { headerOf, type SentRequest } from '../request.ts'

/** Bytes of each chunk of a chunked body: some land in the middle of a character. */
const CHUNK = 1021

/** A request as HTTP/1.1 bytes; nothing is checked, escaped or put right. */
export function requestBytes(request: SentRequest, host: string): Buffer {
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
