/**
 * The egress of deliveries where we run workerd: it connects to the addresses that the Worker
 * validated for the attempt, with the name in `Host` and SNI, and verifies the certificate for it.
 */
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { Agent, buildConnector, type Dispatcher, Pool } from 'undici'
import { isGlobalAddress } from '../../../shared/webhooks/destination/address.ts'
import {
  ACCOUNT_HEADER,
  ADDRESSES_HEADER,
  type EgressAnswer,
  EgressFailure,
} from '../../../workers/delivery/attempt/egress.ts'

export interface Endpoint {
  address: string
  port: number
}

/** Receivers on this machine by their names. */
export type LocalReceivers = Readonly<Record<string, Endpoint>>

/** The endpoints for a request to a name, in order; throws an `EgressFailure`. */
type Locate = (host: string, addresses: readonly string[]) => readonly Endpoint[]

/** A kept connection carries only requests of the same account, name and endpoints. */
interface Place {
  accountId: string
  /** Without brackets when it is an address. */
  host: string
  endpoints: readonly Endpoint[]
}

/** The Worker's headers that the receiver gets; the runtime adds others. */
const SENT_ON = /^(?:content-type|user-agent|authorization|(?:x-service|webhook)-[a-z-]+)$/i

/** The most addresses of a name that are tried. */
const MAX_ADDRESSES = 8

/** How long a connection waits for the next request, unless its receiver announces less. */
const KEEP_MS = 1000

/** The Worker's deadline for an attempt ends sooner; this limit frees requests that it forgot. */
const LIMIT_MS = 10_000

/** A response with a longer head counts as no response. */
const MAX_HEAD_BYTES = 128 * 1024

/** A longer or slower body closes its connection. The body is not used. */
const MAX_BODY_BYTES = 4096
const BODY_MS = 100

/** Names in `receivers` are on this machine; the addresses of all others are checked once more. */
export function locateBeside(receivers: LocalReceivers): Locate {
  return (host, addresses) => {
    if (Object.hasOwn(receivers, host)) return [receivers[host]!]
    if (addresses.length === 0 || !addresses.every((address) => isGlobalAddress(address)))
      throw new EgressFailure('destination')
    return addresses.map((address) => ({ address, port: 443 }))
  }
}

/**
 * Serves the `EGRESS` binding of Workers on a Unix socket, for everyone who may open its folder.
 * GET tells that the server runs.
 */
export async function serveEgress(path: string, locate: Locate): Promise<void> {
  const post = createPost()
  // Keeps the runtime's connections: a connection that ends under a request is a failed attempt.
  const server = createServer({ keepAliveTimeout: 0 }, (request, response) => {
    if (request.method === 'POST') void sendOn(post, locate, request, response)
    else response.writeHead(204).end()
  })
  // A killed server leaves its socket.
  rmSync(path, { force: true })
  server.listen(path)
  await once(server, 'listening')
}

async function sendOn(
  post: ReturnType<typeof createPost>,
  locate: Locate,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const over = new AbortController()
  // The Worker closes the request at its deadline.
  response.once('close', () => over.abort())
  let answer: EgressAnswer
  try {
    const sent = Buffer.concat((await request.toArray()) as Buffer[])
    response.writeHead(200).flushHeaders()
    const { statusCode, headers, body } = await post(placeOf(request, locate), {
      path: request.url!,
      headers: request.rawHeaders.filter((_, index, all) =>
        SENT_ON.test(all[index - (index % 2)]!),
      ),
      body: sent,
      signal: over.signal,
    })
    const late = setTimeout(() => body.destroy(), BODY_MS)
    body.once('close', () => clearTimeout(late))
    void body.dump({ limit: MAX_BODY_BYTES })
    answer = { code: statusCode, retryAfter: [headers['retry-after']].flat()[0] ?? null }
  } catch (error) {
    answer = { failure: error instanceof EgressFailure ? error.errorType : 'network' }
  }
  response.end(JSON.stringify(answer))
}

function placeOf({ headers }: IncomingMessage, locate: Locate): Place {
  const host = headers.host!.replace(/^\[|\]$/g, '')
  const addresses = String(headers[ADDRESSES_HEADER.toLowerCase()] ?? '')
  return {
    accountId: String(headers[ACCOUNT_HEADER.toLowerCase()] ?? ''),
    host,
    endpoints: locate(host, addresses === '' ? [] : addresses.split(' ')),
  }
}

type Request = Pick<Dispatcher.RequestOptions, 'path' | 'headers' | 'body' | 'signal'>

/** Sends requests over connections that are kept per place. */
function createPost() {
  /** The number of requests of a place that have no response head yet. */
  const waiting = new Map<string, number>()
  // An agent keeps connections per origin. Here the place takes the role of the origin.
  const agent = new Agent({
    factory: (place) =>
      openPool(JSON.parse(String(place)) as Place, () => waiting.has(String(place))),
  })

  return async (to: Place, request: Request): Promise<Dispatcher.ResponseData> => {
    const place = JSON.stringify(to)
    waiting.set(place, (waiting.get(place) ?? 0) + 1)
    try {
      return await agent.request({ ...request, origin: place, method: 'POST' })
    } finally {
      const left = waiting.get(place)! - 1
      if (left > 0) waiting.set(place, left)
      else waiting.delete(place)
    }
  }
}

function openPool({ host, endpoints }: Place, isWaiting: () => boolean): Pool {
  const connect = buildConnector({ timeout: LIMIT_MS })
  return new Pool(host.includes(':') ? `https://[${host}]` : `https://${host}`, {
    connect: (options, callback) => connectTo(endpoints.slice(0, MAX_ADDRESSES), options, callback),
    headersTimeout: LIMIT_MS,
    keepAliveTimeout: KEEP_MS,
    keepAliveMaxTimeout: KEEP_MS,
    maxHeaderSize: MAX_HEAD_BYTES,
  })

  /**
   * Tries the next address when connecting or the handshake fails, but never after the request may
   * have been sent: a delivery is one POST.
   */
  function connectTo(
    [endpoint, ...others]: readonly Endpoint[],
    options: buildConnector.Options,
    callback: buildConnector.Callback,
  ): void {
    // After an aborted request undici connects again, though nothing is left to send.
    if (!endpoint || !isWaiting()) return callback(new Error('nothing to send, or nowhere'), null)
    const { address, port } = endpoint
    connect({ ...options, hostname: address, port: String(port) }, (...result) => {
      if (result[0]) connectTo(others, options, callback)
      else callback(...result)
    })
  }
}
