import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Authority } from '../../../tools/harness/authority.ts'
import { processorMsOf } from '../../../tools/harness/processor-time.ts'
import { guardRuntime } from '../../../tools/start/runtime-guard.ts'
import type { AttemptOrder, AttemptReport } from './attempt-worker.ts'

const ROOT = join(import.meta.dirname, '../../..')

/** What the receivers' certificate says: the name, and what stands for it under `fetch`. */
export const NAMES = ['hooks.example.com', 'localhost']

export interface Attempts extends AsyncDisposable {
  /** Makes attempts one by one in one invocation, and tells how each ended. */
  make(orders: AttemptOrder[]): Promise<AttemptReport[]>
  attempt(order: AttemptOrder): Promise<AttemptReport>
  /** Bytes of memory that the runtime's process holds. */
  resident(): number
  /** Milliseconds of processor time that it has used. */
  processorMs(): number
}

/**
 * `attempt-worker.ts` in a workerd of its own that trusts `authority`, with workerd's own `fetch`:
 * wrangler's test harness would hand that to Node, which follows redirects.
 */
export async function openAttempts(authority: Authority): Promise<Attempts> {
  const folder = mkdtempSync(join(tmpdir(), 'attempts-'))
  writeFileSync(join(folder, 'authority.pem'), authority.own.cert)
  process.env['NODE_EXTRA_CA_CERTS'] = join(folder, 'authority.pem')
  // Loaded late: the authorities to trust are read when the module is.
  const { convertV4MiniflareOptions, Log, LogLevel, Miniflare } = await import('miniflare')
  const guard = guardRuntime(folder)

  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      cf: false,
      log: new Log(LogLevel.NONE),
      handleStructuredLogs: () => {},
      modules: [{ type: 'ESModule', path: join(folder, 'worker.js'), contents: bundle(folder) }],
      modulesRoot: folder,
      compatibilityDate: '2026-10-27',
      compatibilityFlags: ['global_fetch_strictly_public'],
    }),
  )
  const url = await miniflare.ready
  guard.arm()

  async function make(orders: AttemptOrder[]): Promise<AttemptReport[]> {
    const response = await fetch(url, { method: 'POST', body: JSON.stringify(orders) })
    if (!response.ok) throw new Error(await response.text())
    return (await response.json()) as AttemptReport[]
  }

  const pid = () => readFileSync(join(folder, 'workerd.pid'), 'utf8').trim()

  return {
    make,
    attempt: async (order) => (await make([order]))[0]!,
    resident: () => residentOf(pid()),
    processorMs: () => processorMsOf(pid()),
    async [Symbol.asyncDispose]() {
      await miniflare.dispose()
      guard.disarm()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** An order for the receiver at a loopback port, changed only where a test speaks of it. */
export function orderTo(port: number, change: Partial<AttemptOrder> = {}): AttemptOrder {
  return {
    transport: 'pinned',
    url: `https://${NAMES[0]}/hook?a=b`,
    endpoints: [{ address: '127.0.0.1', port }],
    body: '{"name":"Dólar ñandú €"}',
    secret: '0123456789abcdef'.repeat(4),
    authorization: null,
    deadlineMs: 1500,
    lingerMs: 0,
    isFollowed: false,
    ...change,
  }
}

function residentOf(pid: string): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)![1]) * 1024
}

function bundle(folder: string): string {
  const external = ['cloudflare:*', 'node:*'].map((name) => `--external:${name}`)
  const file = join(folder, 'worker.js')
  execFileSync(
    join(ROOT, 'node_modules/.bin/esbuild'),
    [
      join(import.meta.dirname, 'attempt-worker.ts'),
      '--bundle',
      '--format=esm',
      ...external,
      `--outfile=${file}`,
    ],
    { stdio: 'ignore' },
  )
  return readFileSync(file, 'utf8')
}
