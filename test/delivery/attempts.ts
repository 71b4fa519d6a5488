import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Authority, createAuthority } from '../../tools/support/authority.ts'
import { afterAll, afterEach, beforeAll } from 'vitest'
import { type Behaviour, type Receiver, startReceiver } from './receiver.ts'
import { bundleWorker } from '../../tools/prove/harness/delivery-worker.ts'
import { processorMsOf } from '../../tools/support/process.ts'
import { serviceOf } from '../../tools/operate/egress/egress.ts'
import { guardRuntime } from '../../tools/operate/start/runtime-guard.ts'
import type { AttemptOrder, AttemptReport } from './attempt-worker.ts'

/** What the receivers' certificate says: the name, and what stands for it on the platform. */
export const NAMES = ['hooks.example.com', 'localhost']

interface Attempts extends AsyncDisposable {
  /** Makes attempts one by one in one invocation, and tells how each ended. */
  make(orders: AttemptOrder[]): Promise<AttemptReport[]>
  attempt(order: AttemptOrder): Promise<AttemptReport>
  /** Milliseconds of processor time that they have used. */
  processorMs(): number
}

/**
 * `attempt-worker.ts` in a workerd of its own that trusts `authority`, with workerd's own `fetch`:
 * wrangler's test harness would hand that to Node, which follows redirects.
 */
async function openAttempts(authority: Authority): Promise<Attempts> {
  const folder = mkdtempSync(join(tmpdir(), 'attempts-'))
  writeFileSync(join(folder, 'authority.pem'), authority.own.cert)
  process.env['NODE_EXTRA_CA_CERTS'] = join(folder, 'authority.pem')
  const egress = await openEgress(join(folder, 'egress'))
  // Loaded late: the authorities to trust are read when the module is.
  const { convertV4MiniflareOptions, Log, LogLevel, Miniflare } = await import('miniflare')
  const guard = guardRuntime(folder)
  const contents = bundleWorker(join(import.meta.dirname, 'attempt-worker.ts'), folder)

  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      cf: false,
      log: new Log(LogLevel.NONE),
      handleStructuredLogs: () => {},
      modules: [{ type: 'ESModule', path: join(folder, 'worker.js'), contents }],
      modulesRoot: folder,
      compatibilityDate: '2026-10-27',
      compatibilityFlags: ['global_fetch_strictly_public'],
      serviceBindings: { EGRESS: egress.service },
    }),
  )
  const url = await miniflare.ready
  guard.arm()

  async function make(orders: AttemptOrder[]): Promise<AttemptReport[]> {
    const response = await fetch(url, { method: 'POST', body: JSON.stringify(orders) })
    if (!response.ok) throw new Error(await response.text())
    return (await response.json()) as AttemptReport[]
  }

  const pids = () => [
    readFileSync(join(folder, 'workerd.pid'), 'utf8').trim(),
    String(egress.child.pid),
  ]

  return {
    make,
    attempt: async (order) => (await make([order]))[0]!,
    processorMs: () => pids().reduce((total, pid) => total + processorMsOf(pid), 0),
    async [Symbol.asyncDispose]() {
      await miniflare.dispose()
      egress.child.kill()
      guard.disarm()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** An order for the receiver at a loopback port, changed only where a test speaks of it. */
export function orderTo(port: number, change: Partial<AttemptOrder> = {}): AttemptOrder {
  return {
    by: 'host',
    url: `https://${NAMES[0]}/hook?a=b`,
    endpoints: [{ address: '127.0.0.1', port }],
    body: '{"name":"Dólar ñandú €"}',
    accountId: 'account',
    secret: '0123456789abcdef'.repeat(4),
    authorization: null,
    deadlineMs: 10_000,
    lingerMs: 0,
    ...change,
  }
}

/** Started once the authority to trust is in the environment. */
async function openEgress(path: string) {
  const child = fork(join(import.meta.dirname, 'egress-process.ts'))
  child.send(path)
  await once(child, 'message')
  return { child, service: serviceOf(path) }
}

/**
 * For the top of a test file: one runtime for its attempts, and receivers with a certificate for
 * these names, which are closed after each test.
 */
export function useAttempts(names: readonly string[] = NAMES) {
  const authority = createAuthority()
  const certificate = authority.issue([...names])
  const receivers: Receiver[] = []
  let opened: Attempts

  beforeAll(async () => {
    opened = await openAttempts(authority)
  })
  afterEach(async () => {
    await Promise.all(receivers.splice(0).map((receiver) => receiver.close()))
  })
  afterAll(() => opened?.[Symbol.asyncDispose]())

  const attempts: Omit<Attempts, typeof Symbol.asyncDispose> = {
    make: (orders) => opened.make(orders),
    attempt: (order) => opened.attempt(order),
    processorMs: () => opened.processorMs(),
  }

  async function receive(
    behave: Behaviour,
    options: Parameters<typeof startReceiver>[2] = {},
    of = certificate,
  ): Promise<Receiver> {
    const receiver = await startReceiver(of, behave, options)
    receivers.push(receiver)
    return receiver
  }

  return { authority, attempts, receive }
}
