import { createServer, type TlsOptions, type TLSSocket } from 'node:tls'
import type { AddressInfo, Socket } from 'node:net'
import type { Certificate } from '../../tools/support/authority.ts'

export type Receiver = Awaited<ReturnType<typeof startReceiver>>

/** What the receiver does after a whole request; `reset` resets the connection without an answer. */
export type Behaviour = (socket: TLSSocket, request: string, reset: () => void) => void

/** A receiver of raw bytes over TLS, which can therefore break every rule. */
export async function startReceiver(
  certificate: Certificate,
  behave: Behaviour,
  options: TlsOptions & { host?: string; onConnect?: (socket: TLSSocket) => void } = {},
) {
  let bytes = 0
  const raw = new Map<number | undefined, Socket>()
  const open = new Set<TLSSocket>()
  const seen = {
    connections: 0,
    /** Server names of the handshakes that were completed. */
    names: [] as (string | false | null)[],
    /** Whole requests, as bytes. */
    requests: [] as string[],
    /** When each connection was closed. */
    closed: [] as number[],
  }
  const server = createServer({ ...certificate, ...options }, (socket) => {
    seen.names.push(socket.servername)
    open.add(socket)
    options.onConnect?.(socket)
    let text = ''
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString('utf8')
      if (!isWhole(text)) return
      seen.requests.push(text)
      behave(socket, text, () => raw.get(socket.remotePort)?.resetAndDestroy())
      text = ''
    })
    socket.on('error', () => {})
    socket.on('close', () => {
      bytes += socket.bytesWritten
      open.delete(socket)
      seen.closed.push(Date.now())
    })
  })
  server.on('connection', (socket) => {
    seen.connections += 1
    raw.set(socket.remotePort, socket)
  })
  server.on('tlsClientError', () => {})
  await new Promise<void>((resolve) => server.listen(0, options.host ?? '127.0.0.1', resolve))

  return Object.assign(seen, {
    port: (server.address() as AddressInfo).port,
    /** The number of bytes that it could write. */
    written: () => bytes,
    async close() {
      for (const socket of open) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  })
}

function isWhole(text: string): boolean {
  const end = text.indexOf('\r\n\r\n')
  const length = /\r\ncontent-length: (\d+)/i.exec(text)?.[1]
  return end >= 0 && Buffer.byteLength(text.slice(end + 4)) >= Number(length ?? 0)
}

/** Answers with bytes and closes. */
export const says =
  (...parts: string[]): Behaviour =>
  (socket) => {
    for (const part of parts) socket.write(part)
    socket.end()
  }

/** Answers a status with a few headers, as an ordinary server does. */
export const answers = (status: number, headers = ''): Behaviour =>
  says(`HTTP/1.1 ${status} X\r\n${headers}Content-Length: 0\r\n\r\n`)
