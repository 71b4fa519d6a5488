import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  ADDRESSES_HEADER,
  EgressFailure,
  FAILURE_HEADER,
} from '../../../workers/delivery/attempt/egress.ts'
import type { EgressClient, EgressRequest } from './client.ts'

/** The header of the token, which the runtime sets and no Worker knows. */
export const TOKEN_HEADER = 'X-Egress-Token'

const [TOKEN, ADDRESSES] = [TOKEN_HEADER, ADDRESSES_HEADER].map((name) => name.toLowerCase()) as [
  string,
  string,
]

/** What a receiver sees of the Worker's headers; the runtime adds others. */
const SENT_ON = /^(?:content-type|user-agent|authorization|(?:x-service|webhook)-[a-z-]+)$/i

/** Serves the `EGRESS` binding of Workers on loopback; only who names the token is served. */
export async function serveEgress(client: EgressClient, token: string, port = 0) {
  // Connections of the runtime stay: one that ends under a request would be a failed attempt.
  const server = createServer({ keepAliveTimeout: 0 }, (request, response) => {
    if (request.headers[TOKEN] === token) void sendOn(client, request, response)
    else response.writeHead(403).end()
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return { port: (server.address() as AddressInfo).port, server }
}

async function sendOn(
  client: EgressClient,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const over = new AbortController()
  // The Worker closes it at its deadline.
  response.once('close', () => over.abort())
  try {
    const { code, retryAfter } = await client.post(await read(request), over.signal)
    if (retryAfter !== null) response.setHeader('Retry-After', retryAfter)
    response.statusCode = code
  } catch (error) {
    response.setHeader(FAILURE_HEADER, error instanceof EgressFailure ? error.errorType : 'network')
    response.statusCode = 502
  }
  response.end()
}

async function read(request: IncomingMessage): Promise<EgressRequest> {
  const { headers, rawHeaders, url: path } = request
  const addresses = String(headers[ADDRESSES] ?? '')
  return {
    host: headers.host!.replace(/^\[|\]$/g, ''),
    path: path!,
    headers: rawHeaders.filter((_, index) => SENT_ON.test(rawHeaders[index - (index % 2)]!)),
    body: await bodyOf(request),
    addresses: addresses === '' ? [] : addresses.split(' '),
  }
}

function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  return new Promise((resolve, reject) => {
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => resolve(Buffer.concat(chunks)))
    request.on('error', reject)
  })
}
