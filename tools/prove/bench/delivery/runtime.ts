import { join } from 'node:path'
import type { PairKey } from '../../../../shared/market/catalog.ts'
import { openDeliveryWorker } from '../../harness/delivery-worker.ts'
import { openReceiverProcess } from '../../harness/receiver-process.ts'
import { openScratch } from '../../../support/scratch.ts'
import { processorMsOf } from '../../harness/processor-time.ts'
import { EgressClient } from '../../../operate/egress/client.ts'
import { type Certificate, openAuthority } from '../../../support/authority.ts'
import type { Spent } from '../measured.ts'
import type { Arrival } from '../../harness/arrivals-receiver.ts'
import type { BareOrder, Change } from './worker.ts'

export interface DeliveryRuntime extends AsyncDisposable {
  db: D1Database
  queue: Pick<Queue, 'sendBatch'>
  /** Makes a change of a pair in workerd, which the webhooks of the pair follow. */
  change(pair: PairKey): Promise<Change>
  /** Sends by the Worker's way out alone; POSTs a second. */
  bare(order: BareOrder): Promise<number>
  /** Sends by the host's client alone, in this process; POSTs a second. */
  bareClient(order: BareOrder): Promise<number>
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

/** The names that receivers answer to: of one with an RSA key, and of one with an ECDSA key. */
export interface ReceiverNames {
  rsa: string[]
  ecdsa: string[]
}

/**
 * The delivery Worker in workerd, with the queue settings of wrangler.toml, and two receivers on
 * loopback with certificates of an authority that the runtime trusts.
 */
export async function openDeliveryRuntime(
  { rsa, ecdsa }: ReceiverNames,
  own: Certificate,
): Promise<DeliveryRuntime> {
  const scratch = openScratch()
  const folder = scratch.path
  const authority = openAuthority(own)
  const receivers = await Promise.all([
    openReceiverProcess(authority.issue(rsa)),
    openReceiverProcess(authority.issueEcdsa(ecdsa)),
  ])
  const places = Object.fromEntries([
    ...rsa.map((name) => [name, [{ address: '127.0.0.1', port: receivers[0].port }]]),
    ...ecdsa.map((name) => [name, [{ address: '127.0.0.1', port: receivers[1].port }]]),
  ])

  const worker = await openDeliveryWorker({
    folder,
    source: join(import.meta.dirname, 'worker.ts'),
    receivers: places,
    onLog: (line) => process.env['BENCH_LOGS'] && console.error(line),
  })
  const { miniflare, url, db } = worker
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
    queue: (await miniflare.getQueueProducer('DELIVERIES')) as unknown as Queue,
    change: async (pair) => (await (await ask('/change', pair)).json()) as Change,
    async bare(order) {
      const { ms, failed } = (await (await ask('/bare', order)).json()) as Record<string, number>
      if (failed! > 0) throw new Error(`the receiver refused ${failed}`)
      return (order.count * 1000) / ms!
    },
    bareClient: (order) => sendAlone(new EgressClient(({ host }) => places[host]), order),
    spent: async () => (await (await ask('/spent')).json()) as Spent,
    forget: async () => void (await ask('/forget')),
    processorMs: () => ({
      workerd: processorMsOf(worker.processes().workerd),
      egress: processorMsOf(worker.processes().egress),
    }),
    hasOpen: async () => (await (await ask('/open')).json()) as boolean,
    arrivals: async () => (await Promise.all(receivers.map((one) => one.arrivals()))).flat(),
    async [Symbol.asyncDispose]() {
      await worker[Symbol.asyncDispose]()
      for (const receiver of receivers) receiver[Symbol.dispose]()
      scratch[Symbol.dispose]()
    },
  }
}

/** POSTs a second by the client of the way out, in this process. */
async function sendAlone(client: EgressClient, order: BareOrder): Promise<number> {
  const { count, concurrency, headers, body, hosts } = order
  const request = {
    path: '/hook?token=hidden',
    headers: Object.entries(headers).flat(),
    body: Buffer.from(body),
    addresses: [],
  }
  const { signal } = new AbortController()
  const startedAt = performance.now()
  let left = count
  const sendSome = async (host: string) => {
    while (left-- > 0) await client.post({ ...request, host }, signal)
  }
  await Promise.all(
    Array.from({ length: concurrency }, (_, index) => sendSome(hosts[index % hosts.length]!)),
  )
  await client.close()
  return (count * 1000) / (performance.now() - startedAt)
}
