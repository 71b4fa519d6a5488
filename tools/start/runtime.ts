import { resolve } from 'node:path'
import { convertV4MiniflareOptions, Log, LogLevel, Miniflare } from 'miniflare'
import { LOCAL_BOARD, LOCAL_DATABASE, storagePath } from '../local/storage.ts'
import type { Build } from './build.ts'
import { isForPrograms, isWorthPrinting } from './log-line.ts'
import { receiverServices } from './receiver-services.ts'
import { guardRuntime } from './runtime-guard.ts'

/**
 * Each of the runtime's isolates (ours, and miniflare's around it) lets its heap grow before it
 * collects; under load this halves what they hold in all, at no measurable cost (docs/load.md).
 */
const V8_FLAGS = '--optimize-for-size --initial-heap-size=16'

export interface Runtime extends AsyncDisposable {
  url: string
  db: D1Database
  kv: KVNamespace
}

/** Starts workerd with the bindings of wrangler.toml, its storage in the state folder. */
export async function openRuntime(options: {
  /** The address that it listens on. */
  host: string
  port: number
  stateDir: string
  build: Build
  bindings: Record<string, string>
  /** Loopback ports of receivers, by host name. */
  receivers: Record<string, string>
  /** The mail server's URL, or null. */
  mailTransport: string | null
}): Promise<Runtime> {
  const stateDir = resolve(options.stateDir)
  const { build } = options
  const mail = options.mailTransport === null ? {} : await openMail(options.mailTransport)
  const guard = guardRuntime(stateDir)
  process.env['MINIFLARE_WORKERD_V8_FLAGS'] ??= V8_FLAGS

  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      host: options.host,
      port: options.port,
      cf: false,
      logRequests: false,
      log: new ErrorLog(LogLevel.WARN),
      handleStructuredLogs: ({ message }) => {
        if (isForPrograms(message)) console.log(message)
        else if (isWorthPrinting(message)) console.error(message)
      },
      resourcePersistencePath: storagePath(stateDir),
      workers: [
        {
          ...build.options,
          name: 'standalone',
          modules: build.modules,
          modulesRoot: build.folder,
          bindings: options.bindings,
          serviceBindings: { ...receiverServices(options.receivers), ...mail },
          d1Databases: { DB: LOCAL_DATABASE },
          kvNamespaces: { BOARD: LOCAL_BOARD },
        },
      ],
    }),
  )
  const url = await miniflare.ready
  guard.arm()

  return {
    url: `http://127.0.0.1:${url.port}`,
    db: (await miniflare.getD1Database('DB')) as unknown as D1Database,
    kv: (await miniflare.getKVNamespace('BOARD')) as unknown as KVNamespace,
    async [Symbol.asyncDispose]() {
      await miniflare.dispose()
      guard.disarm()
    },
  }
}

/** Loaded only where there is a mail server. */
async function openMail(url: string) {
  const { mailService } = await import('./mail-service.ts')
  return mailService(url)
}

/** Standard output is for the lines that programs read. */
class ErrorLog extends Log {
  override log(message: string): void {
    console.error(message)
  }
}
