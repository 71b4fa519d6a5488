/**
 * The process behind the `EGRESS` binding: a process of its own, for the runtime's other work would
 * share a processor with TLS.
 */
import { EgressClient, type EgressOrder } from './client.ts'
import { serveEgress } from './server.ts'

process.once('message', ({ receivers, token, port }: EgressOrder) => {
  const places = new Map(Object.entries(receivers))
  const client = new EgressClient(({ host }) => places.get(host))
  void serveEgress(client, token, port).then((served) => process.send!(served.port))
})
process.once('disconnect', () => process.exit())
