import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Miniflare } from 'miniflare'
import { migrate } from '../../operate/local/migrate.ts'
import { bundleWorker } from '../../operate/start/build.ts'
import { egressService, type LocalReceivers, locateBeside } from '../../operate/start/egress.ts'
import { guardRuntime } from '../../operate/start/runtime-guard.ts'
import { ROOT } from '../../support/process.ts'

/** The keyring of these Workers, which protects nothing. */
export const KEYS = `bench:${Buffer.alloc(32, 'bench').toString('base64')}`

export interface DeliveryWorkerOptions {
  /** Keeps the bundle and the database. */
  folder: string
  /** The Worker's file, which composes the delivery Worker for its purpose. */
  source: string
  receivers: LocalReceivers
  bindings?: Readonly<Record<string, string>>
}

/**
 * The delivery Worker in workerd with the settings of wrangler.toml, a migrated D1, and the egress
 * of the local start. Trusts the authorities that `NODE_EXTRA_CA_CERTS` names at this time.
 */
export async function openDeliveryWorker(options: DeliveryWorkerOptions) {
  const { folder } = options
  const guard = guardRuntime(folder)
  const miniflare = await startMiniflare(options)
  const url = await miniflare.ready
  guard.arm()
  const db = (await miniflare.getD1Database('DB')) as unknown as D1Database
  await migrate(db)

  return {
    miniflare,
    url,
    db,
    /** The process of workerd. */
    pid: () => readFileSync(join(folder, 'workerd.pid'), 'utf8').trim(),
    async [Symbol.asyncDispose]() {
      await miniflare.dispose()
      guard.disarm()
    },
  }
}

async function startMiniflare({
  folder,
  source,
  receivers,
  bindings,
}: DeliveryWorkerOptions): Promise<Miniflare> {
  // Imported here, because the module reads the trusted authorities when it is loaded.
  const { convertV4MiniflareOptions, Log, LogLevel, Miniflare } = await import('miniflare')
  const { unstable_getMiniflareWorkerOptions: workerOptionsOf } = await import('wrangler')
  const shipped = workerOptionsOf(join(ROOT, 'wrangler.toml'), 'delivery').workerOptions
  const { modulesRules: _, ...worker } = shipped
  const contents = bundleWorker(source)
  return new Miniflare(
    convertV4MiniflareOptions({
      cf: false,
      log: new Log(LogLevel.ERROR),
      handleStructuredLogs: () => {},
      resourcePersistencePath: join(folder, 'storage'),
      workers: [
        {
          ...worker,
          name: 'delivery',
          modules: [{ type: 'ESModule', path: join(folder, 'worker.js'), contents }],
          modulesRoot: folder,
          d1Databases: { DB: 'deliveries' },
          bindings: {
            ...(worker.bindings as object),
            WEBHOOK_ADMISSION: 'open',
            KEY_ENCRYPTION_KEYS: KEYS,
            RECEIVERS: JSON.stringify(Object.keys(receivers)),
            ...bindings,
          },
          serviceBindings: { EGRESS: egressService(locateBeside(receivers)) },
        },
      ],
    } as Parameters<typeof convertV4MiniflareOptions>[0]),
  )
}
