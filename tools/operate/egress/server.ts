import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import {
  ACCOUNT_HEADER,
  ADDRESSES_HEADER,
  EgressFailure,
  FAILURE_HEADER,
} from '../../../workers/delivery/attempt/egress.ts'
import type { EgressClient, EgressRequest } from './client.ts'

const ADDRESSES = ADDRESSES_HEADER.toLowerCase()
const ACCOUNT = ACCOUNT_HEADER.toLowerCase()

/** What a receiver sees of the Worker's headers; the runtime adds others. */
const SENT_ON = /^(?:content-type|user-agent|authorization|(?:x-service|webhook)-[a-z-]+)$/i

/**
 * Serves the `EGRESS` binding of Workers on a Unix socket: who may open its folder is served. GET
 * says that it is there.
 */
export async function serveEgress(client: EgressClient, path: string): Promise<Server> {
  // Connections of the runtime stay: one that ends under a request would be a failed attempt.
  const server = createServer({ keepAliveTimeout: 0 }, (request, response) => {
    if (request.method === 'POST') void sendOn(client, request, response)
    else response.writeHead(204).end()
  })
  // Left by one that was killed.
  rmSync(path, { force: true })
  server.listen(path)
  await once(server, 'listening')
  return server
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
    accountId: String(headers[ACCOUNT] ?? ''),
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
