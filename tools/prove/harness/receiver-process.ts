import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Arrival } from './arrivals-receiver.ts'
import type { Certificate } from '../../support/authority.ts'

/**
 * A receiver that answers 204. It has its own process, so that it takes no time from the sender.
 */
export async function openReceiverProcess(certificate: Certificate) {
  const child = fork(join(import.meta.dirname, 'arrivals-receiver.ts'))
  child.send(certificate)
  const [port] = (await once(child, 'message')) as [number]

  return {
    port,
    async arrivals(): Promise<Arrival[]> {
      child.send('arrivals')
      const [list] = (await once(child, 'message')) as [Arrival[]]
      return list
    },
    [Symbol.dispose]: () => child.kill(),
  }
}
