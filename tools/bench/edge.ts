/**
 * Current reads under raw `workerd serve`, beside a Worker that answers a constant and beside a bare
 * Hono route that answers the same bytes: all in one runtime, taking turns, so that a noisy machine
 * disturbs them alike. Needs `wrk` (Debian's package of that name).
 */
import { execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { type Bench, type Figure, median, rounded } from './bench.ts'

const PATH = '/api/v2/usd/blue'
const ROUNDS = 9
const PORTS = { constant: 9571, edge: 9572, hono: 9573 } as const
type Server = keyof typeof PORTS

export const edge: Bench = {
  name: 'edge',
  summary: 'current reads under raw workerd, beside a constant answer and a bare Hono route',
  run: benchEdge,
}

async function benchEdge({ progress }: { progress: (line: string) => void }): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-edge-'))
  const kib = bundleEdge(folder)
  bundleHono(folder)
  writeFileSync(join(folder, 'constant.js'), CONSTANT)
  writeFileSync(join(folder, 'kv.js'), KV)
  writeFileSync(join(folder, 'config.capnp'), CONFIG)

  const workerd = spawn(workerdBinary(), ['serve', 'config.capnp'], {
    cwd: folder,
    stdio: 'ignore',
  })
  try {
    await answers(PORTS.edge)
    const perSecond: Record<Server, number[]> = { constant: [], edge: [], hono: [] }
    for (let round = 0; round < ROUNDS; round++) {
      for (const server of Object.keys(PORTS) as Server[]) {
        perSecond[server].push(requestsPerSecond(PORTS[server]))
      }
      progress(`round ${round + 1} of ${ROUNDS}`)
    }
    const rate = (server: Server) => median(perSecond[server])
    return [
      { name: 'current reads, constant answer', value: Math.round(rate('constant')), unit: '/s' },
      { name: 'current reads, bare Hono', value: Math.round(rate('hono')), unit: '/s' },
      { name: 'current reads, edge', value: Math.round(rate('edge')), unit: '/s' },
      ratio('edge over constant answer', pairwise(perSecond.edge, perSecond.constant), 0.85),
      ratio('edge over bare Hono', pairwise(perSecond.edge, perSecond.hono), 1.05),
      { name: 'bundle of edge, gzip', value: rounded(kib), unit: 'KiB', atMost: 70 },
    ]
  } finally {
    workerd.kill()
    rmSync(folder, { recursive: true })
  }
}

/** The middle of the ratios of each round: a disturbed round costs one ratio, not a side. */
function pairwise(these: readonly number[], those: readonly number[]): number {
  return median(these.map((rate, round) => rate / those[round]!))
}

function ratio(name: string, value: number, atLeast: number): Figure {
  return { name, value: rounded(value), unit: '×', atLeast }
}

/** Bundles the edge as it is deployed; returns its size in KiB, gzip. */
function bundleEdge(folder: string): number {
  execFileSync(
    'wrangler',
    ['deploy', '--dry-run', '--env', 'edge', '--minify', '--outdir', folder],
    { stdio: 'ignore' },
  )
  return gzipSync(readFileSync(join(folder, 'index.js'))).length / 1024
}

function bundleHono(folder: string): void {
  const source = join(import.meta.dirname, 'edge-hono.js')
  execFileSync(
    'esbuild',
    [source, '--bundle', '--minify', '--format=esm', `--outfile=${join(folder, 'hono.js')}`],
    { stdio: 'ignore' },
  )
}

function workerdBinary(): string {
  const resolve = createRequire(import.meta.url).resolve
  return createRequire(resolve('workerd/package.json')).resolve(
    `@cloudflare/workerd-${process.platform}-${process.arch === 'x64' ? '64' : 'arm64'}/bin/workerd`,
  )
}

async function answers(port: number): Promise<void> {
  for (let tries = 0; tries < 100; tries++) {
    const response = await fetch(`http://127.0.0.1:${port}${PATH}`).catch(() => null)
    if (response?.ok) return
    await sleep(100)
  }
  throw new Error('workerd did not answer')
}

function requestsPerSecond(port: number): number {
  const printed = execFileSync('wrk', ['-t1', '-c16', '-d1s', `http://127.0.0.1:${port}${PATH}`], {
    encoding: 'utf8',
  })
  const rate = Number(/Requests\/sec:\s+([\d.]+)/.exec(printed)?.[1])
  if (!(rate > 0) || printed.includes('Non-2xx')) throw new Error(`wrk printed\n${printed}`)
  return rate
}

const QUOTE = {
  currency: 'USD',
  name: 'Dólar Blue',
  origin: 'BLUE',
  buy: 1410,
  sell: 1430,
  updatedAt: '2026-03-02T11:55:00.000-03:00',
  lastScrapedAt: '2026-03-02T12:00:00.000-03:00',
  valueType: 'money',
}

const CONSTANT = `const body = ${JSON.stringify(JSON.stringify({ ...QUOTE, change: { amount: 0, percent: 0, referenceValue: 1430 } }))}
export default { fetch: () => new Response(body, { headers: { 'Content-Type': 'application/json' } }) }`

/** Answers as the KV of raw workerd does: the board's text, always just made. */
const KV = `const quote = ${JSON.stringify({ ...QUOTE, referenceSell: 1400, source: 'ambito-blue', held: false })}
export default { fetch: () => Response.json({ schema: 1, generatedAt: Date.now(), everySeconds: 300,
  mode: 'live', sources: [], anySourceAnswered: true, quotes: [quote] }) }`

const worker = (name: string, file: string, bindings = '') =>
  `const ${name} :Workerd.Worker = ( modules = [(name = "${file}", esModule = embed "${file}")], ` +
  `compatibilityDate = "2026-10-27"${bindings} );`
const socket = (server: Server) =>
  `(name = "${server}", address = "127.0.0.1:${PORTS[server]}", http = (), service = "${server}")`

const CONFIG = `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [ (name = "edge", worker = .edge), (name = "constant", worker = .constant),
    (name = "hono", worker = .hono), (name = "kv", worker = .kv) ],
  sockets = [ ${socket('edge')}, ${socket('constant')}, ${socket('hono')} ]
);
${worker('edge', 'index.js', ', bindings = [(name = "BOARD", kvNamespace = "kv")]')}
${worker('constant', 'constant.js')}
${worker('hono', 'hono.js')}
${worker('kv', 'kv.js')}
`
