/** The edge as it is deployed under raw workerd, with the object of the streams and one who publishes. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Board } from '../../../../shared/board/board.ts'
import { bundle } from '../../../operate/deploy/bundle.ts'
import { freePort } from '../../../support/listen.ts'
import { served, startWorkerd, untilAnswered } from '../edge/raw-workerd.ts'

/** What the local HTTP server does for an event grows with all connections of its socket. */
export const SOCKETS = 100

const PUBLISHER = `export default {
  async fetch(request, env) {
    if (request.method === 'POST')
      await env.QUOTE_STREAM.getByName('quotes').publish(await request.json())
    return new Response(null, { status: 204 })
  }
}`

const NO_KV = `export default { fetch: () => new Response(null, { status: 404 }) }`

/** The binding of the object, as the configuration names its class. */
const bindingOf = (where: string) => `(name = "QUOTE_STREAM", durableObjectNamespace = ${where})`

export type StreamServer = Awaited<ReturnType<typeof openStreamServer>>

export async function openStreamServer(folder: string) {
  bundle('edge', folder)
  writeFileSync(join(folder, 'publisher.js'), PUBLISHER)
  const inspectorPort = await freePort()
  const ports = await Promise.all(Array.from({ length: SOCKETS }, freePort))
  const publisher = await served('publisher', 'publisher.js')
  const child = startWorkerd(
    folder,
    [
      {
        name: 'edge',
        file: 'index.js',
        ports,
        bindings: bindingOf('"QuoteStream"'),
        fields: `durableObjectNamespaces = [
          (className = "QuoteStream", uniqueKey = "streams", enableSql = true)],
          durableObjectStorage = (inMemory = void)`,
      },
      { ...publisher, bindings: bindingOf('(className = "QuoteStream", serviceName = "edge")') },
    ],
    { kv: NO_KV, args: [`--inspector-addr=127.0.0.1:${inspectorPort}`] },
  )
  const port = publisher.ports[0]!
  await untilAnswered({ port, path: '/' }).catch((error: unknown) => {
    child.kill('SIGKILL')
    throw error
  })
  return {
    /** Of the edge, each as good as another. */
    ports,
    pid: child.pid!,
    inspectorPort,
    async publish(board: Board): Promise<void> {
      const init = { method: 'POST', body: JSON.stringify(board) }
      const { ok } = await fetch(`http://127.0.0.1:${port}/`, init)
      if (!ok) throw new Error('the object took no board')
    },
    [Symbol.dispose]: () => void child.kill('SIGKILL'),
  }
}
