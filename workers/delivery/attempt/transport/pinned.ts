import type { connect as Connect } from 'cloudflare:sockets'
import type { ResponseHead } from '../outcome.ts'
import { requestBytes } from './request-bytes.ts'
import { ResponseHeadReader } from './response-head.ts'
import {
  type DeliveryRequest,
  type Endpoint,
  isOfTheConnection,
  type Transport,
  TransportFailure,
} from './transport.ts'

/** Most addresses of a name that are tried: each attempt costs a connection of the invocation. */
const MAX_ADDRESSES = 8

/**
 * The letter of the specification: the connection goes to an address that was validated for this
 * attempt, with `Host`, SNI and certificate check of the original name. For workerd of our own:
 * Cloudflare's edge ignores `expectedServerHostname` today (workerd issue 6903).
 *
 * When connecting or the handshake fails, the next address is tried; once a byte of the request
 * may have left, never, so that an attempt is one POST.
 */
export function createPinnedTransport({ connect }: { connect: typeof Connect }): Transport {
  return async (request, signal) => {
    const bytes = requestBytes(request)
    const socket = await connectToAny(connect, request, signal)

    return closingAfter(socket, signal, () => exchange(socket, bytes))
  }
}

async function connectToAny(
  connect: typeof Connect,
  { endpoints, url }: DeliveryRequest,
  signal: AbortSignal,
): Promise<Socket> {
  for (const endpoint of endpoints.slice(0, MAX_ADDRESSES)) {
    try {
      return await openTls(connect, endpoint, url.hostname, signal)
    } catch (error) {
      signal.throwIfAborted()
      if (!isOfTheConnection(error)) throw new TransportFailure('interrupted', 'not tried')
    }
  }
  throw new TransportFailure('network', 'no address could be connected to')
}

async function openTls(
  connect: typeof Connect,
  { address, port }: Endpoint,
  serverName: string,
  signal: AbortSignal,
): Promise<Socket> {
  const hostname = address.includes(':') ? `[${address}]` : address
  const plain = connect({ hostname, port }, { secureTransport: 'starttls', allowHalfOpen: false })
  plain.closed.catch(() => {})
  await abortable(plain, signal, plain.opened)

  const expectedServerHostname = serverName.replace(/^\[|\]$/g, '')
  const secure = plain.startTls({ expectedServerHostname })
  secure.closed.catch(() => {})
  await abortable(secure, signal, secure.opened)
  return secure
}

/** Sends the request and reads until the head of the final response is there. */
async function exchange(socket: Socket, bytes: Uint8Array): Promise<ResponseHead> {
  const head = new ResponseHeadReader()
  const writer = socket.writable.getWriter()
  const reader = socket.readable.getReader() as ReadableStreamDefaultReader<Uint8Array>

  // Not awaited before reading: a receiver may answer, and close, before it has read everything.
  writer.write(bytes).catch(() => {})
  try {
    while (true) {
      const { value, done } = await reader.read()
      if (done) throw new Error('closed before a response')

      const complete = head.push(value)
      if (complete) return complete
    }
  } catch {
    throw new TransportFailure('network', 'no response')
  } finally {
    // The body is never read: whatever still comes is dropped with the connection. Closed, for
    // after an abort the connection would stay open until the invocation ends.
    reader.cancel().catch(() => {})
    writer.close().catch(() => {})
  }
}

async function closingAfter<Value>(
  socket: Socket,
  signal: AbortSignal,
  work: () => Promise<Value>,
): Promise<Value> {
  try {
    return await abortable(socket, signal, work())
  } finally {
    socket.close().catch(() => {})
  }
}

/** The value of `work`, or the signal's reason as soon as it aborts; then the socket is closed. */
async function abortable<Value>(
  socket: Socket,
  signal: AbortSignal,
  work: Promise<Value>,
): Promise<Value> {
  const aborted = Promise.withResolvers<never>()
  const abort = () => {
    socket.close().catch(() => {})
    aborted.reject(signal.reason)
  }
  work.catch(() => {})
  signal.addEventListener('abort', abort)
  try {
    signal.throwIfAborted()
    return await Promise.race([work, aborted.promise])
  } finally {
    signal.removeEventListener('abort', abort)
  }
}
