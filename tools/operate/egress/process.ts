/**
 * The process behind the `EGRESS` binding. It is a process of its own, so that TLS does not wait
 * for the other work of the start.
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
