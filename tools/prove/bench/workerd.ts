/** Runs the edge and its baselines under raw `workerd serve`, with load from `wrk` (in Debian). */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { dayStart } from '../../../shared/argentine-time.ts'
import { BOARD_KEY } from '../../../shared/board/board.ts'
import { PAIRS } from '../../../shared/market/catalog.ts'
import type { QuotedPoint } from '../../../shared/market/price.ts'
import { freePort } from '../../support/listen.ts'
import { until } from '../../support/until.ts'

const QUOTES = PAIRS.map(({ currency, origin, name, valueType }) => ({
  currency,
  name,
  origin,
  buy: 1410,
  sell: 1430,
  updatedAt: '2026-03-02T11:55:00.000-03:00',
  lastScrapedAt: '2026-03-02T12:00:00.000-03:00',
  valueType,
  referenceSell: 1400,
  source: 'ambito-blue',
  held: false,
}))

/** A closed day. Its first read queries the database. */
export const CLOSED_DAY = '2026-03-01'
const POINT: QuotedPoint = { at: dayStart(CLOSED_DAY), buy: 14_100_000, sell: 14_300_000 }
const POINTS = PAIRS.map(() => POINT)

const FILES = {
  // Stub of KV: answers the board's text, always with the present time.
  'kv.js': `const quotes = ${JSON.stringify(QUOTES)}
export default { fetch(request) {
  if (new URL(request.url).pathname !== '/${BOARD_KEY}') return new Response(null, { status: 404 })
  return Response.json({ schema: 1, generatedAt: Date.now(), everySeconds: 300, mode: 'live',
    sources: [], anySourceAnswered: true, quotes })
} }`,
  // Stub of the database. Only date reads query it, once a minute.
  'database.js': `const points = ${JSON.stringify(JSON.stringify(POINTS))}
const statement = { bind: () => statement, all: async () => ({ results: [{ points }], meta: {} }) }
export default () => ({ prepare: () => statement })`,
  // Stub of the platform's rate limiter. Each read calls it, and it refuses none.
  'limiter.js': `export default () => ({ limit: async () => ({ success: true }) })`,
}

/** The limit of date reads is high, because all requests come from one address. */
const BINDINGS = `(name = "BOARD", kvNamespace = "kv"), (name = "COMPATIBILITY", text = "on"),
  (name = "DB", wrapped = (moduleName = "bench:database")), (name = "DATE_READ_LIMIT", text = "100000"),
  (name = "DATE_READS", wrapped = (moduleName = "bench:limiter"))`

/** A Worker that is one file of the folder, on a loopback port. */
export interface Served {
  name: string
  file: string
  port: number
}

export async function served(name: string, file: string): Promise<Served> {
  return { name, file, port: await freePort() }
}

/** Starts these Workers in one process. */
export function startWorkerd(folder: string, servers: readonly Served[]): ChildProcess {
  const services = ['kv', ...servers.map(({ name }) => name)]
  const config = `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [ ${services.map((name) => `(name = "${name}", worker = .${name})`).join(', ')} ],
  sockets = [ ${servers.map(({ name, port }) => `(name = "${port}", address = "127.0.0.1:${port}", http = (), service = "${name}")`).join(', ')} ],
  extensions = [ (modules = [
    (name = "bench:limiter", internal = true, esModule = embed "limiter.js"),
    (name = "bench:database", internal = true, esModule = embed "database.js") ]) ]
);
${[...servers.map((one) => worker(one, BINDINGS)), worker({ name: 'kv', file: 'kv.js' }, '')].join('\n')}
`
  for (const [file, text] of Object.entries({ ...FILES, 'config.capnp': config }))
    writeFileSync(join(folder, file), text)
  const workerd = (createRequire(import.meta.url)('workerd') as { default: string }).default
  return spawn(workerd, ['serve', 'config.capnp'], { cwd: folder, stdio: 'ignore' })
}

function worker({ name, file }: Omit<Served, 'port'>, bindings: string): string {
  return `const ${name} :Workerd.Worker = ( modules = [(name = "${file}", esModule = embed "${file}")],
  compatibilityDate = "2026-10-27", compatibilityFlags = ["nodejs_als", "enable_request_signal"],
  bindings = [${bindings}] );`
}

/** Waits until the path is answered. */
export async function untilAnswered(port: number, path: string): Promise<void> {
  const isAnswered = () =>
    fetch(`http://127.0.0.1:${port}${path}`).then(
      async (response) => response.status < 400 && (await response.text()) !== '',
      () => false,
    )
  await until(isAnswered, { everyMs: 20, atMostMs: 30_000, failure: 'workerd did not answer' })
}

let asks = 0

/** Requests per second, measured for one second as a new client. */
export function requestsOfASecond(port: number, path: string): number {
  // On a fast machine, one client would reach the limit of date reads within ten seconds.
  const client = `CF-Connecting-IP: 10.0.${asks >> 8}.${asks++ & 255}`
  const args = ['-t1', '-c16', '-d1s', '-H', client, `http://127.0.0.1:${port}${path}`]
  const printed = execFileSync('wrk', args, { encoding: 'utf8' })
  const perSecond = Number(/Requests\/sec:\s+([\d.]+)/.exec(printed)?.[1])
  if (!(perSecond > 0) || printed.includes('Non-2xx')) throw new Error(`wrk printed\n${printed}`)
  return perSecond
}
