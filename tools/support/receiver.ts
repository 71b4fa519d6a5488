import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Authority, Certificate } from './authority.ts'
import { listen, type Listening } from './listen.ts'

/** An HTTPS receiver on loopback. It calls `receive` when it has read the body of a request. */
export function openReceiver(
  certificate: Certificate,
  receive: (headers: IncomingHttpHeaders, body: Buffer, response: ServerResponse) => void,
  port?: number,
): Promise<Listening> {
  const server = createServer(certificate, (request, response) => {
    request
      .toArray()
      .then((chunks) => receive(request.headers, Buffer.concat(chunks as Buffer[]), response))
      .catch(() => response.destroy())
  })
  return listen(server, port)
}

/** Options of `npm start` that send deliveries for these host names to loopback ports. */
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
