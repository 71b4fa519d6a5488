import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { afterAll, afterEach, beforeAll } from 'vitest'
import { bundleWorker } from '../../tools/operate/start/build.ts'
import { type Authority, createAuthority } from '../../tools/support/authority.ts'
import { openScratch } from '../../tools/support/scratch.ts'
import { type Endpoint, egressService } from '../../tools/operate/start/egress.ts'
import type { Outcome } from '../../workers/delivery/attempt/attempt.ts'
import type { WantedAttempt, AttemptReport } from './attempt-worker.ts'
import { type Behaviour, type Receiver, startReceiver } from './receiver.ts'

/** The names of the receivers' certificate: the receiver's, and its substitute on the platform. */
export const NAMES = ['hooks.example.com', 'localhost']

export const delivered = (code: number): Outcome => ({ status: 'delivered', code })

export const failed = (
  errorType: Extract<Outcome, { status: 'failed' }>['errorType'],
  code: number | null = null,
  retryAfterSeconds: number | null = null,
): Outcome => ({ status: 'failed', code, errorType, retryAfterSeconds })

/** An attempt at the receiver on a loopback port, with the changes of the test. */
export const attemptTo = (port: number, change: Partial<WantedAttempt> = {}): WantedAttempt => ({
  by: 'host',
  url: `https://${NAMES[0]}/hook?a=b`,
  endpoints: [{ address: '127.0.0.1', port }],
  body: '{"name":"Dólar ñandú €"}',
  secret: '0123456789abcdef'.repeat(4),
  authorization: null,
  deadlineMs: 10_000,
  lingerMs: 0,
  ...change,
})

/**
 * Called at the top of a test file: starts one runtime for its attempts, and receivers with a
 * certificate for `NAMES`, which are closed after each test.
 */
export function useAttempts() {
  const authority = createAuthority()
  const certificate = authority.issue(NAMES)
  const receivers: Receiver[] = []
  let runtime: Awaited<ReturnType<typeof openRuntime>>

  beforeAll(async () => {
    runtime = await openRuntime(authority)
  })
  afterEach(async () => {
    await Promise.all(receivers.splice(0).map((receiver) => receiver.close()))
  })
  afterAll(() => runtime?.close())

  /** Makes attempts one by one in one invocation, and returns how each ended. */
  async function make(wanted: WantedAttempt[]): Promise<AttemptReport[]> {
    const response = await fetch(runtime.url, { method: 'POST', body: JSON.stringify(wanted) })
    if (!response.ok) throw new Error(await response.text())
    return (await response.json()) as AttemptReport[]
  }

  return {
    authority,
    make,
    attempt: async (port: number, change: Partial<WantedAttempt> = {}) =>
      (await make([attemptTo(port, change)]))[0]!,
    async receive(
      behave: Behaviour,
      options: Parameters<typeof startReceiver>[2] = {},
      of = certificate,
    ): Promise<Receiver> {
      const receiver = await startReceiver(of, behave, options)
      receivers.push(receiver)
      return receiver
    },
  }
}

/**
 * `attempt-worker.ts` in its own workerd that trusts `authority`, with workerd's own `fetch`:
 * wrangler's test harness would use Node's, which follows redirects.
 */
async function openRuntime(authority: Authority) {
  const scratch = openScratch()
  process.env['NODE_EXTRA_CA_CERTS'] = scratch.file('authority.pem')
  writeFileSync(scratch.file('authority.pem'), authority.own.cert)
  setDefaultCACertificates([...getCACertificates(), authority.own.cert])
  // Loaded late, because the module reads the trusted authorities when it loads.
  const { convertV4MiniflareOptions, Log, LogLevel, Miniflare } = await import('miniflare')
  const contents = bundleWorker(join(import.meta.dirname, 'attempt-worker.ts'))

  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      cf: false,
      log: new Log(LogLevel.NONE),
      handleStructuredLogs: () => {},
      modules: [{ type: 'ESModule', path: scratch.file('worker.js'), contents }],
      modulesRoot: scratch.path,
      compatibilityDate: '2026-10-27',
      compatibilityFlags: ['global_fetch_strictly_public'],
      serviceBindings: { EGRESS: egressService((_, addresses) => addresses.map(asEndpoint)) },
    }),
  )
  const url = await miniflare.ready

  return {
    url,
    async close() {
      await miniflare.dispose()
      scratch[Symbol.dispose]()
    },
  }
}

/** An endpoint as it stands among the addresses of a request: ADDRESS/PORT. */
function asEndpoint(text: string): Endpoint {
  const [address, port] = text.split('/') as [string, string]
  return { address, port: Number(port) }
}
