import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { unstable_getMiniflareWorkerOptions as workerOptionsOf } from 'wrangler'
import { convertV4MiniflareOptions, Log, LogLevel, Miniflare } from 'miniflare'
import type { PairKey } from '../../../shared/market/catalog.ts'
import { openReceiverProcess } from '../../harness/receiver-process.ts'
import { openScratch } from '../../harness/scratch.ts'
import { processorMsOf } from '../../harness/processor-time.ts'
import { guardRuntime } from '../../start/runtime-guard.ts'
import { migrate } from '../../local/migrate.ts'
import { type Certificate, openAuthority } from '../../harness/authority.ts'
import type { Spent } from '../measured.ts'
import type { Arrival } from '../../harness/arrivals-receiver.ts'
import type { BareOrder, Change } from './worker.ts'

const ROOT = join(import.meta.dirname, '../../..')

/** The keyring of the bench; it protects nothing. */
export const KEYS = `bench:${Buffer.alloc(32, 'bench').toString('base64')}`

export interface DeliveryRuntime extends AsyncDisposable {
  db: D1Database
  queue: Pick<Queue, 'sendBatch'>
  /** Makes a change of a pair in workerd, which the webhooks of the pair follow. */
  change(pair: PairKey): Promise<Change>
  /** Sends with the bare transport; POSTs a second. */
  bare(order: BareOrder): Promise<number>
  /** What D1 counted, and how many connections the engine opened, since `forget`. */
  spent(): Promise<Spent & { connections: number }>
  forget(): Promise<void>
  /** Milliseconds of processor time that workerd has used: the engine, TLS, D1 and the queue. */
  processorMs(): number
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
  const ports = Object.fromEntries([
    ...rsa.map((name) => [name, receivers[0].port]),
    ...ecdsa.map((name) => [name, receivers[1].port]),
  ])

  const guard = guardRuntime(folder)
  const miniflare = openMiniflare(folder, JSON.stringify(ports))
  const url = await miniflare.ready
  guard.arm()
  const db = (await miniflare.getD1Database('DB')) as unknown as D1Database
  await migrate(db)
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
    spent: async () => (await (await ask('/spent')).json()) as Spent & { connections: number },
    forget: async () => void (await ask('/forget')),
    processorMs: () => processorMsOf(readFileSync(join(folder, 'workerd.pid'), 'utf8').trim()),
    hasOpen: async () => (await (await ask('/open')).json()) as boolean,
    arrivals: async () => (await Promise.all(receivers.map((one) => one.arrivals()))).flat(),
    async [Symbol.asyncDispose]() {
      await miniflare.dispose()
      guard.disarm()
      for (const receiver of receivers) receiver[Symbol.dispose]()
      scratch[Symbol.dispose]()
    },
  }
}

function openMiniflare(folder: string, receivers: string): Miniflare {
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
            RECEIVERS: receivers,
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
