import type { connect as Connect } from 'cloudflare:sockets'
import { abortable, type Connection, openTls } from './connection.ts'
import type { KeptConnections } from './kept-connections.ts'
import { requestBytes } from './request-bytes.ts'
import {
  type DeliveryRequest,
  type Endpoint,
  isOfTheConnection,
  type Transport,
  TransportFailure,
} from './transport.ts'

/** Most addresses of a name that are tried: each attempt costs a connection of the invocation. */
const MAX_ADDRESSES = 8

export interface PinnedDeps {
  connect: typeof Connect
  /** Where connections rest between deliveries; without it each is closed at once. */
  kept?: KeptConnections
}

/** A connection, and the name and address that it was opened for. */
interface Opened {
  key: string
  connection: Connection
}

/**
 * The letter of the specification: the connection goes to an address that was validated for this
 * attempt, with `Host`, SNI and certificate check of the original name. For workerd of our own:
 * Cloudflare's edge ignores `expectedServerHostname` today (workerd issue 6903).
 *
 * When connecting or the handshake fails, the next address is tried; once a byte of the request
 * may have left, never, so that an attempt is one POST. That holds on a kept connection too: one
 * that the receiver closes under a request is a failed attempt.
 */
export function createPinnedTransport({ connect, kept }: PinnedDeps): Transport {
  return async (request, signal) => {
    const isKept = kept !== undefined && request.isFollowed === true
    const bytes = requestBytes(request, { isLast: !isKept })
    if (!kept) return send(bytes, await connectToAny(connect, request, signal), signal)

    return kept.using(async () => {
      const resting = await kept.take(
        addressesOf(request).map((endpoint) => keyOf(request, endpoint)),
      )
      const opened = resting ?? (await connectToAny(connect, request, signal))
      const offer = () => isKept && kept.offer(opened.key, opened.connection, signal)
      try {
        return await send(bytes, opened, signal, offer)
      } catch (error) {
        if (resting && error instanceof TransportFailure) kept.lost(opened.key)
        throw error
      }
    })
  }
}

/** Closes the connection afterwards, unless somebody takes it. */
async function send(
  bytes: Uint8Array,
  { connection }: Opened,
  signal: AbortSignal,
  offer: () => boolean | Promise<boolean> = () => false,
) {
  let isTaken = false
  try {
    // Nothing is sent for an attempt that is over.
    signal.throwIfAborted()
    const head = await abortable(connection, signal, connection.exchange(bytes))
    isTaken = await offer()
    return head
  } finally {
    if (!isTaken) connection.close()
  }
}

async function connectToAny(
  connect: typeof Connect,
  request: DeliveryRequest,
  signal: AbortSignal,
): Promise<Opened> {
  for (const endpoint of addressesOf(request)) {
    try {
      const connection = await openTls(connect, endpoint, request.url.hostname, signal)
      return { key: keyOf(request, endpoint), connection }
    } catch (error) {
      signal.throwIfAborted()
      if (!isOfTheConnection(error)) throw new TransportFailure('interrupted', 'not tried')
    }
  }
  throw new TransportFailure('network', 'no address could be connected to')
}

function addressesOf({ endpoints }: DeliveryRequest): readonly Endpoint[] {
  return endpoints.slice(0, MAX_ADDRESSES)
}

/** Only a connection of the same name, address and port may carry a request. */
function keyOf({ url }: DeliveryRequest, { address, port }: Endpoint): string {
  return `${url.hostname} ${address} ${port}`
}
