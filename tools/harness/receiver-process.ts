import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Arrival } from './arrivals-receiver.ts'
import type { Certificate } from './authority.ts'

/**
 * A receiver that answers 204. It has its own process, so that it takes no time from the sender.
 */
export interface ReceiverProcess extends Disposable {
  port: number
  arrivals(): Promise<Arrival[]>
}

export async function openReceiverProcess(certificate: Certificate): Promise<ReceiverProcess> {
  const child = fork(join(import.meta.dirname, 'arrivals-receiver.ts'))
  child.send(certificate)
  const [port] = (await once(child, 'message')) as [number]

  return {
    port,
    async arrivals() {
      child.send('arrivals')
      const [list] = (await once(child, 'message')) as [Arrival[]]
      return list
    },
    [Symbol.dispose]: () => child.kill(),
  }
}
