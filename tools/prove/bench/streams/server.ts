/** The edge as it is deployed under raw workerd, with the object of the streams and one who publishes. */
import { type ChildProcess, spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Board } from '../../../../shared/board/board.ts'
import { bundle } from '../../../operate/deploy/bundle.ts'
import { freePort } from '../../../support/listen.ts'
import { untilAnswered } from '../edge/raw-workerd.ts'

/** What the local HTTP server does for an event grows with all connections of its socket. */
export const SOCKETS = 100

const PUBLISHER = `export default {
  async fetch(request, env) {
    if (request.method !== 'POST') return new Response(null, { status: 204 })
    await env.QUOTE_STREAM.getByName('quotes').publish(await request.json())
    return new Response(null, { status: 204 })
  }
}`

const NO_KV = `export default { fetch: () => new Response(null, { status: 404 }) }`

export interface StreamServer extends Disposable {
  /** Of the edge, each as good as another. */
  ports: number[]
  pid: number
  inspectorPort: number
  publish(board: Board): Promise<void>
}

export async function openStreamServer(folder: string): Promise<StreamServer> {
  bundle('edge', folder)
  const [publisher, inspectorPort] = [await freePort(), await freePort()]
  const ports = await Promise.all(Array.from({ length: SOCKETS }, freePort))
  writeFileSync(join(folder, 'publisher.js'), PUBLISHER)
  writeFileSync(join(folder, 'kv.js'), NO_KV)
  writeFileSync(join(folder, 'config.capnp'), config(ports, publisher))
  using stack = new DisposableStack()
  const child = stack.adopt(start(folder, inspectorPort), (started) => started.kill('SIGKILL'))
  await untilAnswered({ port: publisher, path: '/' })

  const owned = stack.move()
  return {
    ports,
    pid: child.pid!,
    inspectorPort,
    async publish(board) {
      const { ok } = await fetch(`http://127.0.0.1:${publisher}/`, {
        method: 'POST',
        body: JSON.stringify(board),
      })
      if (!ok) throw new Error('the object took no board')
    },
    [Symbol.dispose]: () => owned.dispose(),
  }
}

function start(folder: string, inspectorPort: number): ChildProcess {
  const { default: workerd } = createRequire(import.meta.url)('workerd') as { default: string }
  const inspector = `--inspector-addr=127.0.0.1:${inspectorPort}`
  return spawn(workerd, ['serve', 'config.capnp', inspector], {
    cwd: folder,
    stdio: ['ignore', 'inherit', 'inherit'],
  })
}

function config(ports: readonly number[], publisher: number): string {
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [ (name = "edge", worker = .edge), (name = "publisher", worker = .publisher), (name = "kv", worker = .kv) ],
  sockets = [
    ${ports.map((port) => `(name = "edge ${port}", address = "127.0.0.1:${port}", http = (), service = "edge")`).join(',\n    ')},
    (name = "publisher", address = "127.0.0.1:${publisher}", http = (), service = "publisher")
  ]
);
const edge :Workerd.Worker = (
  modules = [(name = "index.js", esModule = embed "index.js")],
  compatibilityDate = "2026-10-27", compatibilityFlags = ["enable_request_signal"],
  bindings = [
    (name = "BOARD", kvNamespace = "kv"), (name = "DB", json = "{}"),
    (name = "COMPATIBILITY", text = "off"),
    (name = "QUOTE_STREAM", durableObjectNamespace = "QuoteStream")
  ],
  durableObjectNamespaces = [(className = "QuoteStream", uniqueKey = "streams", enableSql = true)],
  durableObjectStorage = (inMemory = void)
);
const publisher :Workerd.Worker = (
  modules = [(name = "publisher.js", esModule = embed "publisher.js")], compatibilityDate = "2026-10-27",
  bindings = [(name = "QUOTE_STREAM", durableObjectNamespace = (className = "QuoteStream", serviceName = "edge"))]
);
const kv :Workerd.Worker = (
  modules = [(name = "kv.js", esModule = embed "kv.js")], compatibilityDate = "2026-10-27"
);
`
}
