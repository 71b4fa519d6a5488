import type { Server as HttpServer } from 'node:http'
import { type AddressInfo, createServer, type Server } from 'node:net'

export interface Listening extends AsyncDisposable {
  port: number
}

/** Listens on a loopback port, by default any free port. Rejects when the port is taken. */
export async function listen(server: Server | HttpServer, port = 0): Promise<Listening> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })

  return {
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      if ('closeAllConnections' in server) server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

export function isFree(port: number): Promise<boolean> {
  return takeOnce(port).then(
    () => true,
    () => false,
  )
}

const given = new Set<number>()

/**
 * A free loopback port, never the same port twice in this process. Use the port at once, before
 * another process takes it.
 */
export async function freePort(): Promise<number> {
  while (true) {
    const port = await takeOnce(0)
    if (given.has(port)) continue
    given.add(port)
    return port
  }
}

async function takeOnce(wanted: number): Promise<number> {
  await using server = await listen(createServer(), wanted)
  return server.port
}
