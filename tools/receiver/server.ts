import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer, type Server } from 'node:https'
import type { Certificate } from '../harness/authority.ts'
import { describeDelivery, verify } from './describe.ts'
import type { Fault } from './options.ts'

/** Most bytes of a body that are read; deliveries are far smaller. */
const MAX_BODY = 1024 * 1024

/** An HTTPS receiver that prints each delivery, and plays its fault if it has one. */
export function createReceiver(
  certificate: Certificate,
  { secrets, fault, print }: { secrets: string[]; fault: Fault | null; print(line: string): void },
): Server {
  const seen = new Set<string>()

  return createServer(certificate, (request, response) => {
    readBody(request)
      .then((body) => {
        const { headers } = request
        const id = String(headers['x-service-delivery-id'])
        const verdict = verify(headers, body, secrets, Math.floor(Date.now() / 1000))
        print(describeDelivery(headers, body, verdict, seen.has(id)))
        seen.add(id)
        answer(response, fault)
      })
      .catch(() => response.destroy())
  })
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > MAX_BODY) throw new Error('body too large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function answer(response: ServerResponse, fault: Fault | null): void {
  switch (fault?.kind) {
    case undefined:
      response.writeHead(204).end()
      return
    case 'status':
      response.writeHead(fault.status).end()
      return
    case 'redirect':
      response.writeHead(302, { Location: fault.location }).end()
      return
    case 'drip': {
      response.writeHead(200)
      const timer = setInterval(() => response.write('.'), 500)
      response.on('close', () => clearInterval(timer))
      return
    }
    case 'hang':
  }
}
