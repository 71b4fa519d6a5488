/** The egress in its own process, as for the local start, but to any endpoint that a test names. */
import { type Endpoint, serveEgress } from '../../tools/operate/egress/server.ts'

/** An endpoint as it stands among the addresses of a request: ADDRESS/PORT. */
function asEndpoint(text: string): Endpoint {
  const [address, port] = text.split('/') as [string, string]
  return { address, port: Number(port) }
}

process.once('message', (path: string) => {
  void serveEgress(path, (_, addresses) => addresses.map(asEndpoint)).then(() =>
    process.send!('serving'),
  )
})
process.once('disconnect', () => process.exit())
