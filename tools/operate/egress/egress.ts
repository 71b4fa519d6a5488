import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CommandError } from '../../support/arguments.ts'
import type { LocalReceivers } from './server.ts'
import { printLogLine } from '../../support/log-line.ts'

/** The pause before the process is started again. */
const RESTART_MS = 500

/**
 * Starts the egress process, and restarts it whenever it ends, until the result is disposed of.
 * Deliveries to a name in `receivers` go to its endpoint on this machine, all others only to public
 * addresses. TLS is verified for the name in either case, by the usual authorities and those of
 * `NODE_EXTRA_CA_CERTS`.
 */
export async function openEgress(receivers: LocalReceivers = {}) {
  // Of mode 0700: no other user can ask for a delivery, or serve the socket during a restart.
  const folder = mkdtempSync(join(tmpdir(), 'egress-'))
  const path = join(folder, 'socket')
  let isOver = false
  let child = start()
  const serving = once(child, 'message').then(() => null)
  const ended = await Promise.race([serving, once(child, 'exit') as Promise<[number]>])
  if (ended)
    throw new CommandError(`the way out of deliveries ended with code ${ended[0]} before it served`)
  keep(child)

  return {
    pid: () => child.pid!,
    path,
    service: serviceOf(path),
    [Symbol.dispose]() {
      isOver = true
      child.kill()
      rmSync(folder, { recursive: true, force: true })
    },
  }

  function start(): ChildProcess {
    // A process group of its own: Ctrl-C in a terminal ends the start, which then ends this process.
    const args = [path, JSON.stringify(receivers)]
    return fork(join(import.meta.dirname, 'process.ts'), args, { detached: true })
  }

  function keep(started: ChildProcess): void {
    child = started
    // It ends with this process and does not keep it alive.
    child.unref()
    child.channel?.unref()
    child.once('exit', () => {
      if (isOver) return
      printLogLine('the way out of deliveries ended and is started again')
      setTimeout(() => isOver || keep(start()), RESTART_MS).unref()
    })
  }
}

/** What a Worker's binding `EGRESS` is, for miniflare. */
export function serviceOf(path: string) {
  return { external: { address: `unix:${path}`, http: {} } }
}
