/** A loopback HTTPS receiver in a separate process. It records when each delivery arrived. */
import type { Certificate } from '../../../support/authority.ts'
import { openReceiver } from '../../../support/receiver.ts'

/** The delivery's id, and when it arrived. */
export type Arrival = [deliveryId: string, at: number]

let arrivals: Arrival[] = []

process.once('message', async (certificate: Certificate) => {
  const { port } = await openReceiver(certificate, (headers, _, response) => {
    arrivals.push([String(headers['x-service-delivery-id']), Date.now()])
    response.writeHead(204).end()
  })
  process.send!(port)
  process.on('message', () => {
    process.send!(arrivals)
    arrivals = []
  })
})
process.once('disconnect', () => process.exit())
