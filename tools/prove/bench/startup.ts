/**
 * The CPU that the edge costs before its first answer: parsing its text, evaluating its modules, and
 * what the first request does for the first time.
 */
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { bundle } from '../../operate/deploy/wrangler.ts'
import { openScratch } from '../../support/scratch.ts'
import { type Bench, type Figure, rounded } from './report.ts'
import { served, startWorkerd, untilAnswered } from './workerd.ts'

const ROUNDS = 20
const READ = '/api/v2/usd/blue'
const SETTLE_MS = 50

/** Answers at once, whatever it is asked. */
const CONSTANT = `export default { fetch: () => Response.json({}) }`

/** Reads KV first, so that the stand-in for KV has started: its CPU is not the Worker's. */
const READY = `export default {
  fetch: async (_, { BOARD }) => Response.json({ board: await BOARD.get('board') })
}`

export const startup: Bench = {
  name: 'startup',
  method:
    `the CPU time of workerd, all threads, the lowest of ${ROUNDS} starts of the edge, less the lowest with ` +
    'a Worker that answers a constant and has a comment of the same length; parsing is that of the ' +
    'bundle as a module that nothing imports',
  run: benchStartup,
}

/** A start: the Worker's module, and one that nothing imports, which is parsed and no more. */
const STARTS = {
  run: ['index.js'],
  parsed: ['constant.js', 'index.js'],
  constant: ['constant.js', 'comment.js'],
} as const

/** Milliseconds of CPU until the Workers are there, and those of the first answer. */
interface Spent {
  ready: number
  answer: number
}

async function benchStartup(progress: (line: string) => void): Promise<Figure[]> {
  using scratch = openScratch()
  bundle('edge', scratch.path)
  const { size } = statSync(scratch.file('index.js'))
  writeFileSync(scratch.file('constant.js'), CONSTANT)
  writeFileSync(scratch.file('ready.js'), READY)
  writeFileSync(scratch.file('comment.js'), `//${'x'.repeat(size)}`)

  const lowest = { run: never(), parsed: never(), constant: never() }
  for (let round = 1; round <= ROUNDS; round++) {
    for (const name of ['run', 'parsed', 'constant'] as const) {
      const { ready, answer } = await startOnce(scratch.path, STARTS[name])
      // Other load may disturb one of the two alone.
      lowest[name].ready = Math.min(lowest[name].ready, ready)
      lowest[name].answer = Math.min(lowest[name].answer, answer)
    }
    progress(`round ${round} of ${ROUNDS}`)
  }
  const { run, parsed, constant } = lowest
  const spent = {
    parsing: parsed.ready - constant.ready,
    evaluating: run.ready - parsed.ready,
    'first answer': run.answer - constant.answer,
  }
  const total = spent.parsing + spent.evaluating + spent['first answer']
  return [
    ...Object.entries(spent).map(([name, value]) => figure(name, value)),
    // A third of it parses what stands behind import(); the platform allows a second.
    { ...figure('in all', total), atMost: 24 },
  ]
}

function figure(name: string, value: number): Figure {
  return { name: `start-up of the edge: ${name}`, value: rounded(value), unit: 'ms' }
}

function never(): Spent {
  return { ready: Infinity, answer: Infinity }
}

/** Starts the runtime with this Worker and one beside it that tells when both are there. */
async function startOnce(folder: string, [file, beside]: readonly string[]): Promise<Spent> {
  const worker = await served('edge', file!, beside)
  const other = await served('ready', 'ready.js')
  const server = startWorkerd(folder, [worker, other])
  try {
    await untilAnswered(other.port, '/')
    const ready = await settledCpu(server.pid!)
    await untilAnswered(worker.port, READ)
    return { ready, answer: (await settledCpu(server.pid!)) - ready }
  } finally {
    server.kill()
  }
}

/** The CPU time once it no longer grows. */
async function settledCpu(pid: number): Promise<number> {
  for (let before = -1, now = cpuOf(pid); ; before = now, now = cpuOf(pid)) {
    if (now === before) return now
    await sleep(SETTLE_MS)
  }
}

/** Linux counts each thread's time in nanoseconds. */
function cpuOf(pid: number): number {
  const tasks = `/proc/${pid}/task`
  const nanoseconds = readdirSync(tasks).map((task) =>
    Number(readFileSync(join(tasks, task, 'schedstat'), 'utf8').split(' ')[0]),
  )
  return nanoseconds.reduce((sum, each) => sum + each, 0) / 1e6
}
