import { type ChildProcess, fork } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { join } from 'node:path'
import type { EgressOrder, LocalReceivers } from './client.ts'
import { TOKEN_HEADER } from './server.ts'

/**
 * Starts the way out of deliveries. Those to the names of `receivers` go to their places on this
 * machine, all others to public addresses only. TLS is verified for the name in either case, by the
 * usual authorities and those of `NODE_EXTRA_CA_CERTS`.
 */
export async function openEgress(receivers: LocalReceivers = {}) {
  const token = randomBytes(24).toString('hex')
  let { child, port } = await start({ receivers, token, port: 0 })
  let isOver = false
  // A way out that was ended is begun anew where the runtime looks for it.
  const watch = () =>
    child.once('exit', () => {
      if (isOver) return
      console.error('the way out of deliveries ended, and is started again')
      void start({ receivers, token, port }).then((again) => {
        child = again.child
        watch()
      })
    })
  watch()

  return {
    pid: () => child.pid!,
    service: serviceOf(port, token),
    [Symbol.dispose]() {
      isOver = true
      child.kill()
    },
  }
}

/** What a Worker's binding `EGRESS` is, for miniflare. */
export function serviceOf(port: number, token: string) {
  const injectRequestHeaders = [{ name: TOKEN_HEADER, value: token }]
  return { external: { address: `127.0.0.1:${port}`, http: { injectRequestHeaders } } }
}

async function start(order: EgressOrder): Promise<{ child: ChildProcess; port: number }> {
  // In a group of its own: Ctrl-C in a terminal goes to this process alone, which then ends it.
  const child = fork(join(import.meta.dirname, 'process.ts'), { detached: true })
  child.send(order)
  const [port] = (await once(child, 'message')) as [number]
  // It ends with this process and does not keep it.
  child.unref()
  child.channel?.unref()
  return { child, port }
}
