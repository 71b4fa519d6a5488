import { createServer, type Server, type TLSSocket } from 'node:tls'
import type { AddressInfo, Socket } from 'node:net'
import type { TlsOptions } from 'node:tls'
import type { Certificate } from '../../tools/support/authority.ts'

/** A receiver of raw bytes over TLS, so that it can be as wrong as receivers are. */
export interface Receiver {
  port: number
  /** Server names of the handshakes that were completed. */
  names: (string | false | null)[]
  /** Whole requests, as bytes. */
  requests: string[]
  connections: number
  /** The number of the connection that each request came on. */
  carriers: number[]
  open: Set<TLSSocket>
  /** When each connection was closed. */
  closed: number[]
  /** Bytes that it could write. */
  written: () => number
  close(): Promise<void>
}

/** What it does once a request is there whole; `reset` breaks the connection without a word. */
export type Behaviour = (socket: TLSSocket, request: string, reset: () => void) => void

export async function startReceiver(
  certificate: Certificate,
  behave: Behaviour,
  options: TlsOptions & { host?: string; onConnect?: (socket: TLSSocket) => void } = {},
): Promise<Receiver> {
  let bytes = 0
  const raw = new Map<number | undefined, Socket>()
  const server: Server = createServer({ ...certificate, ...options }, (socket) => {
    receiver.names.push(socket.servername)
    receiver.open.add(socket)
    const number = receiver.names.length
    options.onConnect?.(socket)
    let text = ''
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString('utf8')
      if (!isWhole(text)) return
      receiver.requests.push(text)
      receiver.carriers.push(number)
      behave(socket, text, () => raw.get(socket.remotePort)?.resetAndDestroy())
      text = ''
    })
    socket.on('error', () => {})
    socket.on('close', () => {
      bytes += socket.bytesWritten
      receiver.open.delete(socket)
      receiver.closed.push(Date.now())
    })
  })
  server.on('connection', (socket) => {
    receiver.connections += 1
    raw.set(socket.remotePort, socket)
  })
  server.on('tlsClientError', () => {})
  await new Promise<void>((resolve) => server.listen(0, options.host ?? '127.0.0.1', resolve))

  const receiver: Receiver = {
    port: (server.address() as AddressInfo).port,
    names: [],
    requests: [],
    connections: 0,
    carriers: [],
    open: new Set(),
    closed: [],
    written: () => bytes,
    async close() {
      for (const socket of receiver.open) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return receiver
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
