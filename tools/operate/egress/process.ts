/**
 * The process behind the `EGRESS` binding: a process of its own, for the runtime's other work would
 * share a processor with TLS.
 */
import { rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { printLogLine } from '../../support/log-line.ts'
import { type LocalReceivers, locateBeside, serveEgress } from './server.ts'

const [path, receivers] = process.argv.slice(2) as [string, string]

serveEgress(path, locateBeside(JSON.parse(receivers) as LocalReceivers)).then(
  () => process.send!('serving'),
  ({ message }: Error) => {
    printLogLine(`the way out of deliveries: ${message}`)
    process.exit(1)
  },
)
process.once('disconnect', () => {
  rmSync(dirname(path), { recursive: true, force: true })
  process.exit()
})
