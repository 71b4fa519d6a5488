/** A loopback HTTPS receiver in a separate process. It notes when each delivery arrived. */
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { Certificate } from '../../../support/authority.ts'

/** The delivery's id, and when it arrived. */
export type Arrival = [deliveryId: string, at: number]

let arrivals: Arrival[] = []

process.once('message', (certificate: Certificate) => {
  const server = createServer(certificate, (request, response) => {
    request.resume().on('end', () => {
      arrivals.push([String(request.headers['x-service-delivery-id']), Date.now()])
      response.writeHead(204).end()
    })
  })
  server.listen(0, '127.0.0.1', () => process.send!((server.address() as AddressInfo).port))
  process.on('message', () => {
    process.send!(arrivals)
    arrivals = []
  })
})
process.once('disconnect', () => process.exit())
