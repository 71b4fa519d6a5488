import { join } from 'node:path'
import type { DueRow } from '../../../../shared/webhooks/enqueue.ts'
import type { PairKey } from '../../../../shared/market/catalog.ts'
import { openDeliveryWorker } from '../../harness/delivery-worker.ts'
import { openScratch } from '../../../support/scratch.ts'
import { type Certificate, openAuthority } from '../../../support/authority.ts'
import type { Spent } from '../measured.ts'
import type { Arrival } from '../../harness/arrivals-receiver.ts'
import type { BareOrder, Change } from './worker.ts'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'

export interface DeliveryRuntime extends AsyncDisposable {
  db: D1Database
  /** Makes a change of a pair in workerd, which the webhooks of the pair follow. */
  change(pair: PairKey): Promise<Change>
  /** Sends the hints of rows in workerd, as the scraper does: from here each batch would pass a proxy. */
  enqueue(rows: readonly DueRow[]): Promise<void>
  /** Sends by the Worker's way out alone; POSTs a second. */
  bare(order: BareOrder): Promise<number>
  /** Claims and settles what is open, and sends nothing. */
  settleUnsent(): Promise<void>
  /** What D1 counted since `forget`. */
  spent(): Promise<Spent>
  forget(): Promise<void>
  /** Milliseconds of processor time: of workerd with D1 and the queue, and of the way out. */
  processorMs(): { workerd: number; egress: number }
  /**
   * Whether a delivery is open. Asked inside workerd: `db.prepare` here blocks this process, and
   * workerd waits for it to read its log, so the two could wait for each other.
   */
  hasOpen(): Promise<boolean>
  arrivals(): Promise<Arrival[]>
}

/**
 * The delivery Worker in workerd, with the queue settings of wrangler.toml, and a receiver of
 * these names on loopback with a certificate of an authority that the runtime trusts.
 */
export async function openDeliveryRuntime(
  names: string[],
  own: Certificate,
): Promise<DeliveryRuntime> {
  const scratch = openScratch()
  const folder = scratch.path
  const authority = openAuthority(own)
  const receiver = await openReceiverProcess(authority.issue(names))
  const place = { address: '127.0.0.1', port: receiver.port }
  const places = Object.fromEntries(names.map((name) => [name, [place]]))

  const worker = await openDeliveryWorker({
    folder,
    source: join(import.meta.dirname, 'worker.ts'),
    receivers: places,
    onLog: (line) => process.env['BENCH_LOGS'] && console.error(line),
  })
  const { url, db } = worker
  const ask = async (path: string, body?: object | string) => {
    const response = await fetch(new URL(path, url), {
      method: 'POST',
      body: JSON.stringify(body ?? null),
    })
    if (!response.ok) throw new Error(`${path} answered ${response.status}`)
    return response
  }

  return {
    db,
    change: async (pair) => (await (await ask('/change', pair)).json()) as Change,
    enqueue: async (rows) => void (await ask('/enqueue', rows)),
    async bare(order) {
      const { ms, failed } = (await (await ask('/bare', order)).json()) as Record<string, number>
      if (failed! > 0) throw new Error(`the receiver refused ${failed}`)
      return (order.count * 1000) / ms!
    },
    settleUnsent: async () => void (await ask('/settle-unsent')),
    spent: async () => (await (await ask('/spent')).json()) as Spent,
    forget: async () => void (await ask('/forget')),
    processorMs: () => ({
      workerd: processorMsOf(worker.processes().workerd),
      egress: processorMsOf(worker.processes().egress),
    }),
    hasOpen: async () => (await (await ask('/open')).json()) as boolean,
    arrivals: async () => receiver.arrivals(),
    async [Symbol.asyncDispose]() {
      await worker[Symbol.asyncDispose]()
      receiver[Symbol.dispose]()
      scratch[Symbol.dispose]()
    },
  }
}

/**
 * A receiver that answers 204. It has its own process, so that it takes no time from the sender.
 */
async function openReceiverProcess(certificate: Certificate) {
  const child = fork(join(import.meta.dirname, '../../harness/arrivals-receiver.ts'))
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

/**
 * Milliseconds of processor time that a process has used, the kernel's work for it included. The
 * kernel counts in hundredths of a second.
 */
export function processorMsOf(pid: number | string): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const [user, system] = stat.slice(stat.lastIndexOf(')')).split(' ').slice(12, 14).map(Number)
  return (user! + system!) * 10
}
