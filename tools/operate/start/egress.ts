/**
 * The egress of deliveries where we run workerd: it connects to the addresses that the Worker
 * validated for the attempt, with the name in `Host` and SNI, and verifies the certificate for it.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { buildConnector, Client, type Dispatcher } from 'undici'
import { isGlobalAddress } from '../../../shared/webhooks/destination/address.ts'
import {
  ADDRESSES_HEADER,
  type EgressAnswer,
  EgressFailure,
  type ResponseHead,
} from '../../../workers/delivery/attempt/egress.ts'

export interface Endpoint {
  address: string
  port: number
}

/** Receivers on this machine by their names. */
export type LocalReceivers = Readonly<Record<string, Endpoint>>

/** The endpoints for a request to a name, in order; throws an `EgressFailure`. */
type Locate = (host: string, addresses: readonly string[]) => readonly Endpoint[]

/** The Worker's headers that the receiver gets; the runtime adds others. */
const SENT_ON = /^(?:content-type|user-agent|authorization|(?:x-service|webhook)-[a-z-]+)$/i

/** At most this many addresses of a name are tried. */
const MAX_ADDRESSES = 8

/** Longer than the Worker's deadline of an attempt. Closes connections that the Worker forgot. */
const LIMIT_MS = 10_000

/** A response with a longer head counts as no response. */
const MAX_HEAD_BYTES = 128 * 1024

/** A longer or slower body is cut off. The body is not used. */
const MAX_BODY_BYTES = 4096
const BODY_MS = 100

/** Connects names in `receivers` to this machine. Checks the addresses of other names once more. */
export function locateBeside(receivers: LocalReceivers): Locate {
  return (host, addresses) => {
    if (Object.hasOwn(receivers, host)) return [receivers[host]!]
    if (addresses.length === 0 || !addresses.every((address) => isGlobalAddress(address)))
      throw new EgressFailure('destination')
    return addresses.map((address) => ({ address, port: 443 }))
  }
}

/** The `EGRESS` binding of a Worker, for miniflare. */
export function egressService(locate: Locate) {
  return {
    node: (request: IncomingMessage, response: ServerResponse) => sendOn(locate, request, response),
  }
}

async function sendOn(
  locate: Locate,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const over = new AbortController()
  // The Worker closes the request at its deadline.
  response.once('close', () => over.abort())
  let answer: EgressAnswer
  try {
    const body = Buffer.concat((await request.toArray()) as Buffer[])
    const host = request.headers.host!.replace(/^\[|\]$/g, '')
    const addresses = String(request.headers[ADDRESSES_HEADER.toLowerCase()] ?? '')
    const endpoints = locate(host, addresses === '' ? [] : addresses.split(' '))
    const headers = request.rawHeaders.filter((_, index, all) =>
      SENT_ON.test(all[index - (index % 2)]!),
    )
    answer = await post(host, endpoints, {
      path: request.url!,
      headers,
      body,
      signal: over.signal,
    })
  } catch (error) {
    answer = { failure: error instanceof EgressFailure ? error.errorType : 'network' }
  }
  response.end(JSON.stringify(answer))
}

type Request = Pick<Dispatcher.RequestOptions, 'path' | 'headers' | 'body'> & {
  signal: AbortSignal
}

/**
 * Sends a request over its own new connection. On a reused connection, an earlier answer could
 * arrive late, or the receiver could already have closed the connection.
 */
async function post(
  host: string,
  endpoints: readonly Endpoint[],
  request: Request,
): Promise<ResponseHead> {
  const client = new Client(host.includes(':') ? `https://[${host}]` : `https://${host}`, {
    connect: (options, callback) =>
      connectTo(endpoints.slice(0, MAX_ADDRESSES), request.signal, options, callback),
    headersTimeout: LIMIT_MS,
    maxHeaderSize: MAX_HEAD_BYTES,
    // Disables keep-alive.
    pipelining: 0,
  })
  try {
    const { statusCode, headers, body } = await client.request({ ...request, method: 'POST' })
    const late = setTimeout(() => void client.destroy(), BODY_MS)
    void body.dump({ limit: MAX_BODY_BYTES }).finally(() => {
      clearTimeout(late)
      void client.destroy()
    })
    return { code: statusCode, retryAfter: [headers['retry-after']].flat()[0] ?? null }
  } catch (error) {
    void client.destroy()
    throw error
  }
}

const connect = buildConnector({ timeout: LIMIT_MS })

/**
 * Tries the next address when connecting or the TLS handshake fails, but never after the request
 * may have been sent: a delivery is one POST.
 */
function connectTo(
  [endpoint, ...others]: readonly Endpoint[],
  signal: AbortSignal,
  options: buildConnector.Options,
  callback: buildConnector.Callback,
): void {
  // After an abort, undici connects again, although it has no request left to send.
  if (!endpoint || signal.aborted) return callback(new Error('aborted, or no address left'), null)
  const { address, port } = endpoint
  connect({ ...options, hostname: address, port: String(port) }, (...result) => {
    if (result[0]) connectTo(others, signal, options, callback)
    else callback(...result)
  })
}
