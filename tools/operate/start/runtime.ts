import { type ChildProcess, spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import {
  convertV4MiniflareOptions,
  Log,
  LogLevel,
  Miniflare,
  Response as MiniflareResponse,
} from 'miniflare'
import { isWorthPrinting, printLogLine } from '../../support/log-line.ts'
import { createLocalStorage } from '../local/local-storage.ts'
import { LOCAL_BOARD, LOCAL_DATABASE, storagePath } from '../local/storage.ts'
import type { Build } from './build.ts'
import { egressService, type LocalReceivers, locateBeside } from './egress.ts'
import type { SendMailOptions } from 'nodemailer'

/**
 * By default, each isolate lets its heap grow before it collects garbage. These flags halve the
 * memory under load, at no measurable cost.
 */
const V8_FLAGS = '--optimize-for-size --initial-heap-size=16'

interface RuntimeOptions {
  /** The address to listen on. */
  host: string
  port: number
  stateDir: string
  build: Build
  bindings: Record<string, string>
  receivers: LocalReceivers
  /** The mail server's URL, or null. */
  mailTransport: string | null
  /** Takes each log line. Standard output is for the lines that programs read. */
  print?: (line: string) => void
}

/** Starts workerd with the bindings of wrangler.toml and its storage in the state folder. */
export async function openRuntime(options: RuntimeOptions) {
  const stateDir = resolve(options.stateDir)
  const { build, print = printLogLine } = options
  const mail = options.mailTransport === null ? {} : await mailService(options.mailTransport)
  const egress = egressService(locateBeside(options.receivers))
  const guard = guardRuntime(stateDir)
  process.env['MINIFLARE_WORKERD_V8_FLAGS'] ??= V8_FLAGS
  const storage = createLocalStorage()

  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      host: options.host,
      port: options.port,
      cf: false,
      logRequests: false,
      log: Object.assign(new Log(LogLevel.WARN), { log: print }),
      handleStructuredLogs: ({ message }) => {
        // A mailed link is a line for programs: `link E-MAIL ADDRESS`.
        if (/^link \S+ \S+$/.test(message)) console.log(message)
        else if (isWorthPrinting(message)) print(message)
      },
      resourcePersistencePath: storagePath(stateDir),
      workers: [
        {
          ...build,
          name: 'standalone',
          modulesRoot: '.',
          bindings: options.bindings,
          serviceBindings: { EGRESS: egress, ...mail },
          d1Databases: { DB: LOCAL_DATABASE },
          kvNamespaces: { BOARD: LOCAL_BOARD },
        },
        storage.worker,
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

/** How long a mail server may take to answer. */
const TIMEOUT_MS = 15_000

type MailHandler = (request: { json(): Promise<unknown> }) => Promise<MiniflareResponse>

/**
 * The binding that sends the Worker's mails through the operator's SMTP server:
 * `smtp://user:password@host:587` (STARTTLS where the server offers it) or `smtps://…:465`.
 */
async function mailService(url: string): Promise<Record<string, MailHandler>> {
  // Loaded only for a start with a mail server.
  const { createTransport } = await import('nodemailer')
  const transport = createTransport({
    url,
    connectionTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
  })
  return {
    LOCAL_MAIL: async (request) => {
      try {
        await transport.sendMail((await request.json()) as SendMailOptions)
        return new MiniflareResponse(null, { status: 204 })
      } catch (error) {
        // Only the code, because the message may contain the recipient's address.
        const code = (error as { code?: string }).code ?? 'failed'
        return new MiniflareResponse(code, { status: 502 })
      }
    },
  }
}

/** The path of the binary that miniflare would start; the package has no types. */
const workerd = createRequire(import.meta.url)('workerd') as { default: string }

/** Waits until the pipe from the parent breaks, then kills the process whose id is in the file. */
const WATCH = 'while read -r line; do :; done; pid=$(cat "$0") && kill -9 "$pid"'

/**
 * Kills the runtime when this process dies without stopping it, for example by SIGKILL.
 *
 * workerd does not notice that its parent is gone. So a shell waits at a pipe that closes when this
 * process ends. The runtime starts through a script that writes its process id to the state folder.
 */
function guardRuntime(stateDir: string) {
  const pidFile = join(stateDir, 'workerd.pid')
  process.env['MINIFLARE_WORKERD_PATH'] = join(import.meta.dirname, 'workerd.sh')
  process.env['LOCAL_WORKERD_PATH'] = workerd.default
  process.env['LOCAL_WORKERD_PID_FILE'] = pidFile
  let watch: ChildProcess | undefined

  return {
    arm() {
      // A process group of its own: Ctrl-C must not end the watch before this process.
      const stdio = ['pipe', 'ignore', 'ignore'] as const
      watch = spawn('sh', ['-c', WATCH, pidFile], { stdio: [...stdio], detached: true })
      watch.unref()
    },
    disarm() {
      rmSync(pidFile, { force: true })
      watch?.kill('SIGKILL')
    },
  }
}
