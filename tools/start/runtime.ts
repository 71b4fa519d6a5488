import { resolve } from 'node:path'
import { convertV4MiniflareOptions, Log, LogLevel, Miniflare } from 'miniflare'
import { createLocalStorage } from '../local/local-storage.ts'
import { LOCAL_BOARD, LOCAL_DATABASE, storagePath } from '../local/storage.ts'
import type { Build } from './build.ts'
import { guardRuntime } from './runtime-guard.ts'
import { readFileSync } from 'node:fs'
import { receiverBinding } from '../../workers/standalone/local/order.ts'

/**
 * Each isolate lets its heap grow before it collects. These flags halve the memory under load, at
 * no measurable cost (docs/load.md).
 */
const V8_FLAGS = '--optimize-for-size --initial-heap-size=16'

interface RuntimeOptions {
  /** The address that it listens on. */
  host: string
  port: number
  stateDir: string
  build: Build
  bindings: Record<string, string>
  receivers: Record<string, string>
  /** The mail server's URL, or null. */
  mailTransport: string | null
}

/** Starts workerd with the bindings of wrangler.toml, its storage in the state folder. */
export async function openRuntime(options: RuntimeOptions) {
  const stateDir = resolve(options.stateDir)
  const { build } = options
  const mail = options.mailTransport === null ? {} : await openMail(options.mailTransport)
  const guard = guardRuntime(stateDir)
  process.env['MINIFLARE_WORKERD_V8_FLAGS'] ??= V8_FLAGS
  const storage = createLocalStorage()

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
        {
          name: 'storage',
          compatibilityDate: build.options.compatibilityDate,
          modules: [{ type: 'ESModule', path: 'storage.js', contents: storage.module }],
          routes: storage.routes,
          bindings: { TOKEN: storage.token },
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
    ...storage.over((address, init) => miniflare.dispatchFetch(address, init)),
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

const CERTIFICATES = /-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g

/**
 * For deliveries by `fetch`: an HTTP client of the runtime's own for each `--receiver`. It connects
 * to the loopback port alone, asks for the name by SNI and takes only a certificate for it, of the
 * usual authorities or those of `NODE_EXTRA_CA_CERTS`.
 */
function receiverServices(receivers: Readonly<Record<string, string>>) {
  const trustedCertificates = extraCertificates()
  return Object.fromEntries(
    Object.entries(receivers).map(([name, address]) => [
      receiverBinding(name),
      {
        external: {
          address,
          https: {
            certificateHost: name,
            tlsOptions: { trustBrowserCas: true, trustedCertificates },
          },
        },
      },
    ]),
  )
}

/** As the runtime's other connections read them: a file that cannot be read adds none. */
function extraCertificates(): string[] {
  const file = process.env['NODE_EXTRA_CA_CERTS']
  try {
    return file ? (readFileSync(file, 'utf8').match(CERTIFICATES) ?? []) : []
  } catch {
    return []
  }
}

/**
 * Whether a line of the runtime is for people. workerd prints a stack of addresses for every failed
 * connection, which the Worker's own line says better, and that V8's flags cost it a cache.
 */
function isWorthPrinting(message: string): boolean {
  return !/^e = .*\n?|\nstack: |^stack: |^NOSENTRY per-isolate bootstrap compile cache /.test(
    message,
  )
}

/** Whether a line is one that programs read: a mailed link, `link E-MAIL ADDRESS`. */
function isForPrograms(message: string): boolean {
  return /^link \S+ \S+$/.test(message)
}
