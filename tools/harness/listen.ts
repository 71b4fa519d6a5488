import type { Server as HttpServer } from 'node:http'
import type { AddressInfo, Server } from 'node:net'

/** A server that listens on a loopback port. */
export interface Listening extends AsyncDisposable {
  port: number
}

/** Listens on a loopback port, any free one by default; rejects when that is taken. */
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
