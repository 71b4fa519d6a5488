import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Authority, Certificate } from './authority.ts'
import { listen, type Listening } from './listen.ts'

/** Deliveries are far smaller. */
const MAX_BODY_BYTES = 1024 * 1024

/** An HTTPS receiver on loopback; `receive` answers each request once its body is read. */
export function openReceiver(
  certificate: Certificate,
  receive: (headers: IncomingHttpHeaders, body: Buffer, response: ServerResponse) => void,
  port?: number,
): Promise<Listening> {
  const server = createServer(certificate, (request, response) => {
    readBody(request)
      .then((body) => receive(request.headers, body, response))
      .catch(() => response.destroy())
  })
  return listen(server, port)
}

/** Options of `npm start` for deliveries to loopback receivers by their host names. */
export function receiverOptions(
  authority: Authority,
  folder: string,
  ports: Readonly<Record<string, number>>,
): { args: string[]; env: Record<string, string> } {
  const file = join(folder, 'authority.pem')
  writeFileSync(file, authority.own.cert)
  return {
    args: Object.entries(ports).flatMap(([name, port]) => [
      '--receiver',
      `${name}=127.0.0.1:${port}`,
    ]),
    env: { NODE_EXTRA_CA_CERTS: file },
  }
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > MAX_BODY_BYTES) throw new Error('body too large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
