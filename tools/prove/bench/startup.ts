/** Measures the CPU time of the edge until its first answer: parsing, evaluation, the request. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { bundle } from '../../operate/deploy/wrangler.ts'
import { openScratch } from '../../support/scratch.ts'
import { type Bench, type Figure, rounded } from './report.ts'
import { served, startWorkerd, untilAnswered } from './workerd.ts'

const ROUNDS = 20
const SETTLE_MS = 50

/** Reads KV like the edge, so that the difference excludes the CPU time of the KV stub. */
const CONSTANT = `export default {
  fetch: async (_, { BOARD }) => Response.json({ board: await BOARD.get('board') })
}`

export const startup: Bench = {
  name: 'startup',
  method:
    `the CPU time of workerd, all threads, until the first answer: the lowest of ${ROUNDS} starts of the edge, ` +
    'minus the lowest of a Worker that only answers what it reads from KV',
  run: benchStartup,
}

async function benchStartup(progress: (line: string) => void): Promise<Figure[]> {
  using scratch = openScratch()
  bundle('edge', scratch.path)
  writeFileSync(scratch.file('constant.js'), CONSTANT)

  let [edge, constant] = [Infinity, Infinity]
  for (let round = 1; round <= ROUNDS; round++) {
    edge = Math.min(edge, await cpuOfStart(scratch.path, 'index.js'))
    constant = Math.min(constant, await cpuOfStart(scratch.path, 'constant.js'))
    progress(`round ${round} of ${ROUNDS}`)
  }
  // A third of this is the parsing of the MCP library, loaded by import(). The platform allows 1 s.
  const value = rounded(edge - constant)
  return [{ name: 'start-up of the edge and its first answer', value, unit: 'ms', atMost: 60 }]
}

/** CPU time of the runtime with this Worker, in ms, as soon as the number no longer grows. */
async function cpuOfStart(folder: string, file: string): Promise<number> {
  const worker = await served('edge', file)
  const server = startWorkerd(folder, [worker])
  try {
    await untilAnswered(worker.port, '/api/v2/usd/blue')
    for (let before = -1, now = cpuOf(server.pid!); ; before = now, now = cpuOf(server.pid!)) {
      if (now === before) return now
      await sleep(SETTLE_MS)
    }
  } finally {
    server.kill()
  }
}

/** CPU milliseconds of a process so far. Linux counts nanoseconds for each thread. */
function cpuOf(pid: number): number {
  const tasks = `/proc/${pid}/task`
  const nanoseconds = readdirSync(tasks).map((task) =>
    Number(readFileSync(join(tasks, task, 'schedstat'), 'utf8').split(' ')[0]),
  )
  return nanoseconds.reduce((sum, each) => sum + each, 0) / 1e6
}
