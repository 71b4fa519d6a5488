/**
 * Current reads under raw `workerd serve`, beside a Worker that answers a constant and a bare Hono
 * route that answers the same bytes. All run in one runtime and take turns, so that a noisy machine
 * disturbs them alike. Needs `wrk` (Debian's package of that name).
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { freePort } from '../harness/listen.ts'
import { openScratch } from '../harness/scratch.ts'
import { until } from '../harness/until.ts'
import { type Bench, type BenchOptions, type Figure, median, rounded } from './bench.ts'
import { bundle } from '../deploy/bundle.ts'
import { CONSTANT, KV, PATH, workerdConfig } from './edge/workerd-config.ts'

const HERE = join(import.meta.dirname, 'edge')
const ROUNDS = 9
const PATIENCE = { everyMs: 100, atMostMs: 10_000, failure: 'a server did not answer' }
const SERVERS = ['constant', 'edge', 'hono', 'node'] as const
type Server = (typeof SERVERS)[number]
type Ports = Record<Server, number>

export const edge: Bench = {
  name: 'edge',
  summary: 'current reads under raw workerd, beside a constant answer and a bare Hono route',
  method:
    `${ROUNDS} rounds; in each, 1 s of \`wrk -t1 -c16\` on one current pair, in turn for each server; ` +
    'edge, constant and bare Hono are Workers of one `workerd serve`, Hono on Node a process of its ' +
    'own (@hono/node-server). Rates are medians, ratios the median of the ratios of each round.',
  run: benchEdge,
}

async function benchEdge({ progress }: BenchOptions): Promise<Figure[]> {
  using scratch = openScratch()
  const ports = Object.fromEntries(
    await Promise.all(SERVERS.map(async (server) => [server, await freePort()])),
  ) as Ports
  const servers = [startWorkerd(scratch.path, ports), startNode(ports)]
  try {
    for (const server of SERVERS) await until(() => answers(ports[server]), PATIENCE)
    const perSecond: Record<Server, number[]> = { constant: [], edge: [], hono: [], node: [] }
    for (let round = 0; round < ROUNDS; round++) {
      for (const server of SERVERS) perSecond[server].push(requestsPerSecond(ports[server]))
      progress(`round ${round + 1} of ${ROUNDS}`)
    }
    return figuresOf(perSecond)
  } finally {
    for (const server of servers) server.kill()
  }
}

function figuresOf(perSecond: Record<Server, number[]>): Figure[] {
  const rate = (name: string, server: Server): Figure => ({
    name: `current reads, ${name}`,
    value: Math.round(median(perSecond[server])),
    unit: '/s',
  })
  // The median of the ratios, so that a disturbed round costs one ratio and not a whole server.
  const over = (other: Server) =>
    rounded(median(perSecond.edge.map((value, round) => value / perSecond[other][round]!)))

  return [
    rate('constant answer', 'constant'),
    rate('bare Hono in workerd', 'hono'),
    rate('bare Hono on Node', 'node'),
    rate('edge', 'edge'),
    { name: 'edge over constant answer', value: over('constant'), unit: '×', atLeast: 0.85 },
    { name: 'edge over bare Hono in workerd', value: over('hono'), unit: '×', atLeast: 1.05 },
    { name: 'edge over bare Hono on Node', value: over('node'), unit: '×' },
  ]
}

function startWorkerd(folder: string, { constant, edge, hono }: Ports): ChildProcess {
  bundle('edge', folder)
  execFileSync(
    'esbuild',
    [
      join(HERE, 'hono.js'),
      '--bundle',
      '--minify',
      '--format=esm',
      `--outfile=${join(folder, 'hono.js')}`,
    ],
    { stdio: 'ignore' },
  )
  writeFileSync(join(folder, 'constant.js'), CONSTANT)
  writeFileSync(join(folder, 'kv.js'), KV)
  writeFileSync(join(folder, 'config.capnp'), workerdConfig({ constant, edge, hono }))

  return spawn(workerdBinary(), ['serve', 'config.capnp'], { cwd: folder, stdio: 'ignore' })
}

function startNode({ node }: Ports): ChildProcess {
  const file = join(HERE, 'hono-on-node.js')
  return spawn(process.execPath, [file, String(node)], { stdio: 'ignore' })
}

function workerdBinary(): string {
  return (createRequire(import.meta.url)('workerd') as { default: string }).default
}

function answers(port: number): Promise<boolean> {
  return fetch(`http://127.0.0.1:${port}${PATH}`).then(
    ({ ok }) => ok,
    () => false,
  )
}

function requestsPerSecond(port: number): number {
  const printed = execFileSync('wrk', ['-t1', '-c16', '-d1s', `http://127.0.0.1:${port}${PATH}`], {
    encoding: 'utf8',
  })
  const rate = Number(/Requests\/sec:\s+([\d.]+)/.exec(printed)?.[1])
  if (!(rate > 0) || printed.includes('Non-2xx')) throw new Error(`wrk printed\n${printed}`)
  return rate
}
