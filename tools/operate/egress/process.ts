/**
 * The process behind the `EGRESS` binding: a process of its own, for the runtime's other work would
 * share a processor with TLS.
 */
import { rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { EgressClient, type EgressOrder } from './client.ts'
import { serveEgress } from './server.ts'

process.once('message', ({ receivers, path }: EgressOrder) => {
  const places = new Map(Object.entries(receivers))
  const client = new EgressClient(({ host }) => places.get(host))
  serveEgress(client, path).then(
    () => process.send!('serving'),
    ({ message }: Error) => {
      console.error(`the way out of deliveries: ${message}`)
      process.exit(1)
    },
  )
  process.once('disconnect', () => {
    rmSync(dirname(path), { recursive: true, force: true })
    process.exit()
  })
})
