import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { MINUTE_MS } from '../../../shared/argentine-time.ts'
import { CommandError } from '../../support/arguments.ts'
import type { EgressOrder, LocalReceivers } from './client.ts'

/** The first wait before it is started again; each further one is twice as long, up to the last. */
const FIRST_WAIT_MS = 100
const LAST_WAIT_MS = MINUTE_MS / 2

/**
 * Starts the way out of deliveries, and again whenever it ends, until it is disposed of. Those to
 * the names of `receivers` go to their places on this machine, all others to public addresses only.
 * TLS is verified for the name in either case, by the usual authorities and those of
 * `NODE_EXTRA_CA_CERTS`.
 */
export async function openEgress(receivers: LocalReceivers = {}) {
  // Of mode 0700: nobody else can ask it for a delivery, or take its place while it is away.
  const folder = mkdtempSync(join(tmpdir(), 'egress-'))
  const order = { receivers, path: join(folder, 'socket') }
  let isOver = false
  let child = spawn(order)
  await untilServing(child)
  void keep()

  return {
    pid: () => child.pid!,
    path: order.path,
    service: serviceOf(order.path),
    [Symbol.dispose]() {
      isOver = true
      child.kill()
      rmSync(folder, { recursive: true, force: true })
    },
  }

  async function keep(): Promise<void> {
    let wait = FIRST_WAIT_MS
    for (;;) {
      const startedAt = performance.now()
      await ended(child)
      if (performance.now() - startedAt > LAST_WAIT_MS) wait = FIRST_WAIT_MS
      if (!isOver) console.error(`the way out of deliveries ended; next start in ${wait} ms`)
      await sleep(wait, undefined, { ref: false })
      if (isOver) return
      child = spawn(order)
      wait = Math.min(2 * wait, LAST_WAIT_MS)
    }
  }
}

/** What a Worker's binding `EGRESS` is, for miniflare. */
export function serviceOf(path: string) {
  return { external: { address: `unix:${path}`, http: {} } }
}

function spawn(order: EgressOrder): ChildProcess {
  // In a group of its own: Ctrl-C in a terminal goes to this process alone, which then ends it.
  const child = fork(join(import.meta.dirname, 'process.ts'), { detached: true })
  // One that could not be started, or was told to end: its exit says so.
  child.on('error', () => {})
  child.send(order, () => {})
  // It ends with this process and does not keep it.
  child.unref()
  child.channel?.unref()
  return child
}

async function untilServing(child: ChildProcess): Promise<void> {
  // A pending exit alone would not keep this process.
  child.ref()
  const isServing = await Promise.race([
    once(child, 'message').then(() => true),
    ended(child).then(() => false),
  ])
  child.unref()
  if (!isServing) {
    const how = child.signalCode ?? `code ${child.exitCode}`
    throw new CommandError(`the way out of deliveries ended with ${how} before it served`)
  }
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
}
