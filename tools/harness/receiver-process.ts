import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Arrival } from './arrivals-receiver.ts'
import type { Certificate } from './authority.ts'

/** A receiver that answers 204, in a process of its own, so that the sender does not wait for it. */
export interface ReceiverProcess extends Disposable {
  port: number
  /** What arrived since this was asked last. */
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
