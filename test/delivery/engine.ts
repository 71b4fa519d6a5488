import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Endpoint } from '../../tools/operate/egress/client.ts'
import { openDeliveryWorker } from '../../tools/prove/harness/delivery-worker.ts'
import { createAuthority } from '../../tools/support/authority.ts'
import type { Seed } from './engine-worker.ts'
import { type Behaviour, type Receiver, startReceiver } from './receiver.ts'

export const SECRET = '0123456789abcdef'.repeat(4)

/** Receivers by the part that they play, and the host names that stand for each. */
export type Parts = Record<string, { names: string[]; behave: Behaviour }>

export interface Arrival {
  webhook: string
  delivery: string
  at: number
}

/** One for the process: what its runtimes trust is read once. */
const authority = createAuthority()

/** The delivery Worker with its queue and D1 in workerd, and the receivers that it delivers to. */
export async function openEngine(parts: Parts, { deadlineMs = '' } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'engine-'))
  writeFileSync(join(folder, 'authority.pem'), authority.own.cert)
  process.env['NODE_EXTRA_CA_CERTS'] = join(folder, 'authority.pem')

  const arrivals: Arrival[] = []
  const receivers: Record<string, Receiver> = {}
  const places: Record<string, Endpoint[]> = {}
  for (const [part, { names, behave }] of Object.entries(parts)) {
    receivers[part] = await startReceiver(authority.issue(names), (socket, request, reset) => {
      arrivals.push({ ...idsOf(request), at: Date.now() })
      behave(socket, request, reset)
    })
    for (const name of names) places[name] = [{ address: '127.0.0.1', port: receivers[part].port }]
  }

  const worker = await openDeliveryWorker({
    folder,
    source: join(import.meta.dirname, 'engine-worker.ts'),
    receivers: places,
    bindings: { DELIVERY_WAITS: '1,1,1', DELIVERY_CAPACITY: '1000', DEADLINE_MS: deadlineMs },
  })
  const { db } = worker

  return {
    receivers,
    /** Every whole request, as it came. */
    arrivals,
    /** Stores webhooks with deliveries, and enqueues these. */
    async seed(webhooks: Seed['webhooks']): Promise<void> {
      const body = JSON.stringify({ secret: SECRET, webhooks } satisfies Seed)
      const response = await fetch(worker.url, { method: 'POST', body })
      if (!response.ok) throw new Error(await response.text())
    },
    db,
    async query<Row>(sql: string, ...values: unknown[]): Promise<Row[]> {
      const statement = db.prepare(sql).bind(...values)
      return (await statement.all<Row>()).results
    },
    async sweep(): Promise<void> {
      const delivery = await worker.miniflare.getWorker()
      await delivery.scheduled({ cron: '* * * * *', scheduledTime: new Date() })
    },
    async [Symbol.asyncDispose]() {
      await worker[Symbol.asyncDispose]()
      await Promise.all(Object.values(receivers).map((receiver) => receiver.close()))
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** The value below which so large a share of the values is. */
export function quantile(share: number, values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.ceil(share * values.length) - 1]!
}

function idsOf(request: string) {
  const header = (name: string) => new RegExp(`\r\nX-Service-${name}: (.*)`).exec(request)![1]!
  return { webhook: header('Webhook-Id'), delivery: header('Delivery-Id') }
}
