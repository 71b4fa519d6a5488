/** A loopback HTTPS receiver in a separate process. It notes when each delivery arrived. */
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'

export interface ReceiverOrder {
  cert: string
  key: string
}

/** A request: the delivery's id, when it arrived, and the number of its connection. */
export type Arrival = [deliveryId: string, at: number, connection: number]

let arrivals: Arrival[] = []
let connections = 0

process.once('message', ({ cert, key }: ReceiverOrder) => {
  const numbers = new WeakMap<object, number>()
  const server = createServer({ cert, key }, (request, response) => {
    request.resume().on('end', () => {
      const id = String(request.headers['x-service-delivery-id'])
      arrivals.push([id, Date.now(), numbers.get(request.socket)!])
      response.writeHead(204).end()
    })
  })
  server.on('secureConnection', (socket) => numbers.set(socket, (connections += 1)))
  server.listen(0, '127.0.0.1', () => process.send!((server.address() as AddressInfo).port))
  process.on('message', () => {
    process.send!(arrivals)
    arrivals = []
  })
})
process.once('disconnect', () => process.exit())
