import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { unstable_getMiniflareWorkerOptions as workerOptionsOf } from 'wrangler'
import { convertV4MiniflareOptions, Log, LogLevel, Miniflare } from 'miniflare'
import { openReceiverProcess } from '../../harness/receiver-process.ts'
import { openScratch } from '../../harness/scratch.ts'
import { migrate } from '../../local/migrate.ts'
import { type Certificate, openAuthority } from '../../harness/authority.ts'
import type { Spent } from '../measured.ts'
import type { Arrival } from '../../harness/arrivals-receiver.ts'
import type { BareOrder } from './worker.ts'

const ROOT = join(import.meta.dirname, '../../..')

/** The keyring of the bench; it protects nothing. */
export const KEYS = `bench:${Buffer.alloc(32, 'bench').toString('base64')}`

export interface DeliveryRuntime extends AsyncDisposable {
  db: D1Database
  queue: Pick<Queue, 'sendBatch'>
  /** Sends with the bare transport; POSTs a second. */
  bare(order: BareOrder): Promise<number>
  spent(): Promise<Spent>
  forget(): Promise<void>
  /**
   * Whether a delivery is open. Asked inside workerd: `db.prepare` here blocks this process, and
   * workerd waits for it to read its log, so the two could wait for each other.
   */
  hasOpen(): Promise<boolean>
  arrivals(): Promise<Arrival[]>
}

/**
 * The delivery Worker in workerd, with the queue settings of wrangler.toml, and a receiver on
 * loopback that answers to `names` under an authority that the runtime trusts.
 */
export async function openDeliveryRuntime(
  names: string[],
  authority: Certificate,
): Promise<DeliveryRuntime> {
  const scratch = openScratch()
  const folder = scratch.path
  const receiver = await openReceiverProcess(openAuthority(authority).issue(names))

  const miniflare = openMiniflare(folder, JSON.stringify({ names, port: receiver.port }))
  const url = await miniflare.ready
  const db = (await miniflare.getD1Database('DB')) as unknown as D1Database
  await migrate(db)
  const ask = async (path: string, body?: object) => {
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
    async bare(order) {
      const { ms, failed } = (await (await ask('/bare', order)).json()) as Record<string, number>
      if (failed! > 0) throw new Error(`the receiver refused ${failed}`)
      return (order.count * 1000) / ms!
    },
    spent: async () => (await (await ask('/spent')).json()) as Spent,
    forget: async () => void (await ask('/forget')),
    hasOpen: async () => (await (await ask('/open')).json()) as boolean,
    arrivals: () => receiver.arrivals(),
    async [Symbol.asyncDispose]() {
      await miniflare.dispose()
      receiver[Symbol.dispose]()
      scratch[Symbol.dispose]()
    },
  }
}

function openMiniflare(folder: string, receiver: string): Miniflare {
  const options = workerOptionsOf(join(ROOT, 'wrangler.toml'), 'delivery').workerOptions
  const { modulesRules: _, ...shipped } = options
  return new Miniflare(
    convertV4MiniflareOptions({
      cf: false,
      log: new Log(LogLevel.ERROR),
      handleStructuredLogs: (l) => process.env.BENCH_LOGS && console.error(l.message),
      resourcePersistencePath: join(folder, 'storage'),
      workers: [
        {
          ...shipped,
          name: 'delivery',
          modules: [
            { type: 'ESModule', path: join(folder, 'worker.js'), contents: bundle(folder) },
          ],
          modulesRoot: folder,
          d1Databases: { DB: 'bench' },
          bindings: {
            ...(shipped.bindings as object),
            DELIVERY_TRANSPORT: 'pinned',
            WEBHOOK_ADMISSION: 'open',
            KEY_ENCRYPTION_KEYS: KEYS,
            RECEIVER: receiver,
          },
        },
      ],
    }),
  )
}

function bundle(folder: string): string {
  const source = join(import.meta.dirname, 'worker.ts')
  const external = ['cloudflare:*', 'node:*'].map((name) => `--external:${name}`)
  execFileSync(
    join(ROOT, 'node_modules/.bin/esbuild'),
    [source, '--bundle', '--format=esm', ...external, `--outfile=${join(folder, 'worker.js')}`],
    { stdio: 'ignore' },
  )
  return readFileSync(join(folder, 'worker.js'), 'utf8')
}
